// What happens in a simulated cluster, as Chrome trace events, which ui.perfetto.dev shows: a track
// for each rank, for each switch one for its engine and one for each port, and for each link that
// was used how much of it was.
//
// Times are given in seconds. Slices of one track do not overlap; spans may.
#pragma once

#include "backend/support/Result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace acis::cluster {

/// What is shown with an event.
struct EventDetail {
  uint64_t bytes = 0;
  std::string by; ///< who did it; "": not said
};

class Timeline {
public:
  using Track = uint32_t;
  /// Tracks of one group stand together: "ranks", "switch 0 (leaf0)". The same names, the same
  /// track.
  Track track(const std::string &group, const std::string &name);

  void slice(Track track, const std::string &name, double begin, double end,
             const EventDetail &detail = {});
  void span(Track track, const std::string &name, double begin, double end,
            const EventDetail &detail = {});
  /// How much of a link is used, from now on, of 1. Only changes are kept.
  void use(const std::string &link, double time, double share);

  /// Events beyond so many are not kept.
  static constexpr size_t Most = 4'000'000;
  uint64_t dropped() const { return beyond; }

  /// {"displayTimeUnit": "ns", "traceEvents": [...]}, in order of tracks and time.
  std::string json() const;

private:
  enum class Kind : uint8_t { Slice, Span };
  struct Event {
    Track track;
    Kind kind;
    uint32_t name, by; ///< of texts
    double begin, end;
    uint64_t bytes;
  };
  struct Use {
    double time, share;
  };

  uint32_t textOf(const std::string &text);
  void add(Kind kind, Track track, const std::string &name, double begin, double end,
           const EventDetail &detail);

  std::map<std::string, uint32_t> groups, numbers;
  std::vector<std::string> texts;
  struct Place {
    uint32_t process, thread;
    std::string group, name;
  };
  std::vector<Place> places; ///< by track
  std::map<std::pair<std::string, std::string>, Track> tracks;
  std::vector<Event> events;
  std::map<std::string, std::vector<Use>> links;
  uint64_t beyond = 0;
};

} // namespace acis::cluster
