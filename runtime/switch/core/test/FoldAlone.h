// A memory node's folds without a switch: each ends with what this node gives, when it is let go.
#pragma once

#include "runtime/switch/memory/Functions.h"

#include <deque>
#include <set>

namespace acis {

struct FoldAlone final : memory::Folder {
  std::vector<memory::Fold> waiting;
  std::deque<memory::Runner::End> ends;
  std::set<uint32_t> forgotten; ///< sessions
  bool holds = false;

  void start(memory::Fold fold) override {
    waiting.push_back(std::move(fold));
    if (!holds)
      release();
  }
  void release() {
    for (memory::Fold &fold : waiting) {
      wire::Outcome out;
      out.data = std::move(fold.data);
      ends.push_back({fold.id, std::move(out)});
    }
    waiting.clear();
  }
  std::optional<memory::Runner::End> ended() override {
    if (ends.empty())
      return std::nullopt;
    memory::Runner::End end = std::move(ends.front());
    ends.pop_front();
    return end;
  }
  void forget(uint32_t session) override { forgotten.insert(session); }
};

} // namespace acis
