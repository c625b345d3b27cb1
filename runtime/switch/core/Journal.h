// What becomes of jobs and sessions of a switch, for who keeps a log of it.
#pragma once

#include "runtime/switch/core/Plugin.h"

namespace acis::sw {

/// Of one job, or one session of it. What it refers to is valid during the call.
struct Event {
  enum class What : uint8_t {
    JobStarted,     ///< its first session is about to open
    JobEnded,       ///< nothing of it is here any more
    JobFailed,      ///< for `reason`, which all its members are told
    SessionOpened,  ///< with a rank, or with a switch below
    SessionClosed,  ///< it has said Bye
    SessionDead,    ///< it is silent, or its machine says that nobody is there
    SessionRefused, ///< for `reason`; it has the job's key
  };
  What what;
  JobId job = 0;
  SessionId session = 0;                  ///< 0: of none
  std::string peer;                       ///< "rank 3", "switch 1"; "": of no peer
  const wire::Address *address = nullptr; ///< of the peer
  std::string_view reason;
};

struct Journal {
  virtual ~Journal() = default;
  /// Called by the switch's thread, in the order in which things happen; by several, if a switch
  /// has several cores.
  virtual void event(const Event &event) = 0;
};

} // namespace acis::sw
