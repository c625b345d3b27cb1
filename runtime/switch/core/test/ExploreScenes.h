// The exploration itself, and the scenes that tests of several subjects begin with.
//
// In every state: nobody has a wrong result; and whatever has happened, if the faults stop
// there, all calls end with the right results, and the switches hold nothing afterwards.
#pragma once

#include "runtime/switch/core/test/ExploreWorld.h"

namespace acis::explore {

/// Visits all states, at least so many, and fails the running test with the way to one that is
/// wrong.
void exploreAll(const Scene &scene, const Budget &budget, size_t least);

/// 0 to n - 1: all ranks, as a group.
std::vector<uint32_t> iota(uint32_t n);
/// One switch; all call these, one after the other, without waiting.
Scene calls(uint32_t ranks, const std::vector<Kind> &kinds);
/// The same, and results go to all at once as soon as the switch knows that they are heard.
Scene sharing(uint32_t ranks, const std::vector<Kind> &kinds);
/// The same scene with messages of two packets.
Scene inParts(Scene scene);
Budget anyOrder(unsigned losses, unsigned duplicates, unsigned timers);
/// Each rank on the leaf that is named, below a spine; all do the same.
Scene tree(const std::vector<uint16_t> &leaves, const Script &script, unsigned calm);
/// Each rank on an engine of its own, in a ring or, if it is a chain, with some between others; all
/// do the same.
Scene engines(uint32_t ranks, const Script &script, unsigned calm, bool isChain = false);
Script callsOf(const std::vector<Kind> &kinds);

} // namespace acis::explore
