// What happened when, as data: recorded by the model when asked to.
#pragma once

#include "runtime/engine/device/Device.h"

#include <cstdint>
#include <vector>

namespace acis::model {

enum class EventKind : uint8_t {
  Launch,      ///< a launch was put into the queue
  Loop,        ///< from the first iteration to the end of the last
  Stall,       ///< cycles without a new iteration, `detail` is the Stall
  VectorLoad,  ///< from start to the last beat written
  VectorStore, ///< from start to the last beat handed to the write master
  PacketIn,    ///< its header was seen; `detail` is its number
  PacketOut,   ///< it was closed; `detail` is its number
  Invocation,  ///< the scalar unit's part of an invocation
  Trap,
};

struct Event {
  static constexpr uint32_t NoContext = 0xffffffff;
  EventKind kind = EventKind::Launch;
  uint64_t begin = 0, end = 0; ///< cycles, end exclusive
  uint32_t pc = 0;             ///< of the instruction that caused it
  uint32_t context = NoContext;
  uint64_t detail = 0; ///< iterations, instructions, packet number or Stall
};

/// Events in the order of their end. Off, it records nothing.
class TraceLog {
public:
  void enable(bool on) { enabled = on; }
  bool on() const { return enabled; }
  void clear() {
    list.clear();
    stalling = false;
  }
  void add(const Event &event) {
    if (enabled)
      list.push_back(event);
  }
  /// Joins neighbouring cycles of one cause into an interval.
  void stall(Stall cause, uint64_t now) {
    if (!enabled)
      return;
    if (stalling && list[stallIndex].end == now && list[stallIndex].detail == uint64_t(cause)) {
      ++list[stallIndex].end;
      return;
    }
    stalling = true;
    stallIndex = list.size();
    list.push_back({EventKind::Stall, now, now + 1, 0, Event::NoContext, uint64_t(cause)});
  }
  const std::vector<Event> &events() const { return list; }

private:
  bool enabled = false, stalling = false;
  size_t stallIndex = 0;
  std::vector<Event> list;
};

} // namespace acis::model
