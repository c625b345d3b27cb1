// Do two accesses of a register file without index meet within a block?
#include "runtime/engine/fast/Grid.h"
#include "runtime/engine/loader/VrfOrders.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace acis::fast {

namespace {

/// Distances in iterations between uses of one beat by two accesses: the least where
/// `access` comes after `write`, and the least where it comes before.
struct Meeting {
  int64_t after = std::numeric_limits<int64_t>::max();
  int64_t before = std::numeric_limits<int64_t>::max();
};

/// Whether an address visits no beat twice.
bool visitsOnce(const isa::VrfAddress &address, uint64_t inner, uint64_t iterations) {
  const uint64_t stride0 = uint64_t(std::abs(int(address.stride0))),
                 stride1 = uint64_t(std::abs(int(address.stride1)));
  if (inner == 1)
    return stride1 != 0;
  if (iterations <= inner)
    return stride0 != 0;
  return stride0 != 0 && stride1 > stride0 * (inner - 1);
}

/// The place in the register file that offset 0 means: a beat, in a scalar loop an element.
size_t startOf(const isa::VrfAddress &address, const isa::LoopContext &loop, unsigned perBeat) {
  return size_t(address.base) * perBeat + (loop.scalar ? address.lane : 0);
}

Meeting meeting(const Plan &plan, const LoopInput &input, const Hazard &hazard, unsigned perBeat) {
  const isa::LoopContext &loop = plan.source.loop;
  const isa::VrfAddress &write = addressOf(loop, plan.source.graph.nodes[hazard.write]);
  const isa::VrfAddress &access = addressOf(loop, plan.source.graph.nodes[hazard.access]);
  if (write == access && visitsOnce(write, loop.innerCount, input.iterations))
    return {};
  auto offset = [&](const AffineWalk &walk) {
    return loop.laneBits == 32 ? uint32_t(walk.value()) : walk.value();
  };
  const size_t firstWritten = startOf(write, loop, perBeat);
  const size_t firstAccessed = startOf(access, loop, perBeat);
  const size_t places = std::max(firstWritten + write.limit, firstAccessed + access.limit);
  std::vector<int64_t> written(places, -1), accessed(places, -1);
  AffineWalk w = walkOf(write, loop, input, 0), a = walkOf(access, loop, input, 0);
  Meeting result;
  for (int64_t i = 0; i < int64_t(input.iterations); ++i, w.next(), a.next()) {
    const bool writes = offset(w) < write.limit, accesses = offset(a) < access.limit;
    const size_t to = firstWritten + size_t(offset(w)), from = firstAccessed + size_t(offset(a));
    if (accesses && written[from] >= 0)
      result.after = std::min(result.after, i - written[from]);
    if (writes && accessed[to] >= 0)
      result.before = std::min(result.before, i - accessed[to]);
    if (writes)
      written[to] = i;
    if (accesses)
      accessed[from] = i;
  }
  return result;
}

} // namespace

unsigned blockLimit(const Plan &plan, const LoopInput &input, unsigned perBeat) {
  if (plan.timed)
    return 0;
  unsigned limit = BlockIterations;
  for (const Hazard &hazard : plan.hazards) {
    const Meeting meets = meeting(plan, input, hazard, perBeat);
    // The access i finds what write j <= i - distance wrote. In a block the one that
    // comes first in an iteration (the access if distance >= 1) comes first for all.
    const int64_t distance = hazard.distance;
    if (meets.after < distance || -meets.before >= distance)
      return 0;
    if (hazard.sameLoop)
      continue;
    const int64_t least = distance >= 1 ? meets.after : meets.before;
    limit = unsigned(std::min<int64_t>(limit, least));
  }
  return limit;
}

} // namespace acis::fast
