// Counters of the parts of a switch together.
#pragma once

#include "runtime/switch/core/Plugin.h"

#include <algorithm>

namespace acis::acisd {

/// Adds the values of `more` to those of the same names.
inline void addUp(sw::Statistics &all, const sw::Statistics &more) {
  for (const auto &[name, value] : more) {
    const auto same = std::ranges::find(all, name, [](const auto &item) { return item.first; });
    if (same == all.end())
      all.emplace_back(name, value);
    else
      same->second += value;
  }
}

} // namespace acis::acisd
