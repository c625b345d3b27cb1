// What the sequencer has decided for a port and the array does `Overlay::stallLatency` cycles later
// (docs/timing.md, The array follows).
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

namespace acis::model {

/// Actions on their way to a port, in the order in which they were decided.
template <typename Action> class Following {
public:
  /// Actions follow after `cycles`; 0: the port never adds any, but does them at once.
  void reset(unsigned cycles) {
    latency = cycles;
    now = 0;
    actions.clear();
  }
  unsigned cycles() const { return latency; }
  bool empty() const { return actions.empty(); }
  size_t size() const { return actions.size(); }

  /// Decided in this cycle. What it returns holds until the action is performed.
  Action &add(Action action) {
    return actions.emplace_back(now + latency, std::move(action)).second;
  }
  /// Begins a cycle: `perform` gets each action whose cycle it is.
  template <typename F> void begin(F perform) {
    ++now;
    while (!actions.empty() && actions.front().first == now) {
      const Action action = std::move(actions.front().second);
      actions.pop_front();
      perform(action);
    }
  }

private:
  unsigned latency = 0;
  uint64_t now = 0;
  std::deque<std::pair<uint64_t, Action>> actions;
};

} // namespace acis::model
