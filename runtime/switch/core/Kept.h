// What hosts have told a switch to keep of their tasks (collective/Task.h): parts of what an op
// reads that do not change from call to call.
//
// A number names the same bytes for as long as its session lasts, so a part is right whenever it is
// found, whatever was lost or came twice. One that is not found costs the host that its op is not
// run here. So everything here may be forgotten at any time; it is, the part first that was not
// used for the longest time, where a job keeps more than it may or its memory is wanted for
// messages.
#pragma once

#include "runtime/switch/collective/Task.h"
#include "runtime/switch/core/Plugin.h"

#include <list>
#include <map>
#include <optional>

namespace acis::sw {

class Kept {
public:
  struct Counters {
    uint64_t kept = 0, used = 0, missing = 0, forgotten = 0;
  };

  /// `mostBytes`: of one job.
  Kept(Services &services, uint64_t mostBytes) : services(services), mostBytes(mostBytes) {}

  /// What a host's task gives, with the parts of it that are here since before; keeps those that
  /// are to be. No value: one is not here.
  std::optional<std::vector<uint8_t>> expand(JobId job, SessionId session,
                                             std::span<const collective::TaskPart> parts);
  /// All of a job, whose memory is wanted; whether there was any.
  bool forget(JobId job);
  void sessionEnded(SessionId session, JobId job);
  void jobEnded(JobId job) { (void)forget(job); }

  uint64_t bytes(JobId job) const;
  const Counters &counters() const { return count; }
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  using Key = std::pair<SessionId, uint32_t>;
  struct Part {
    Key key;
    std::vector<uint8_t> bytes;
  };
  /// Of a job: what was used last is at the end.
  struct Store {
    std::list<Part> parts;
    std::map<Key, std::list<Part>::iterator> at;
    uint64_t bytes = 0;
  };

  const Part *find(Store &store, Key key);
  void keep(JobId job, Store &store, Key key, std::span<const uint8_t> bytes);
  void drop(JobId job, Store &store, std::list<Part>::iterator part);

  Services &services;
  const uint64_t mostBytes;
  std::map<JobId, Store> stores;
  Counters count;
};

} // namespace acis::sw
