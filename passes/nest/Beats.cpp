// Streams move forward without gaps: each iteration takes whole beats in order.
#include "passes/nest/Lanes.h"

#include <algorithm>
#include <bit>

namespace acis::nest {
namespace {

class Planner {
public:
  Planner(const LoopNest &nest, const Lanes &lanes, Object stream)
      : nest(nest), lanes(lanes), isRead(stream == Object::Input) {
    for (unsigned number = 0; number < nest.accesses.size(); ++number)
      if (nest.accesses[number].object == stream)
        order.push_back(number);
    std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
      return std::pair(nest.accesses[a].offset, a) < std::pair(nest.accesses[b].offset, b);
    });
    plan.uses.resize(nest.accesses.size());
  }

  Judged<Beats> run() {
    if (order.empty())
      return plan;
    bytes = head().size;
    if (!checkAlike() || !checkAdvance())
      return why;
    const int64_t beat = int64_t(lanes.factor) * bytes;
    const bool allUniform =
        std::all_of(order.begin(), order.end(), [&](unsigned number) { return isUniform(number); });
    plan.isSplat = isRead && allUniform && iterates && advance % beat != 0;
    if (!assign(plan.isSplat ? bytes : beat))
      return why;
    return plan;
  }

private:
  const Access &head() const { return nest.accesses[order.front()]; }
  bool isUniform(unsigned number) const { return lanes.step(nest.accesses[number]) == 0; }

  bool fail(unsigned access, Refusal refusal) {
    why = Obstacle::at(access, std::move(refusal));
    return false;
  }

  bool checkAlike() {
    for (unsigned number : order) {
      const Access &access = nest.accesses[number];
      if (access.type != head().type || access.size != bytes)
        return fail(number, Refusal(Why::StreamOfTwoTypes));
      if (access.origin != head().origin || lanes.steps(access) != lanes.steps(head()))
        return fail(number, Refusal(Why::StreamOfTwoSteps));
      const int64_t step = lanes.step(access);
      if (step != bytes && (step != 0 || !isRead))
        return fail(number,
                    Refusal(isRead ? Why::StreamLanesApart : Why::SentLanesApart, step, bytes));
    }
    return true;
  }

  /// Bytes per iteration of the sequencer, the same from every iteration to the next.
  bool checkAdvance() {
    const std::vector<int64_t> steps = lanes.steps(head());
    iterates = !steps.empty();
    if (!iterates)
      return true;
    advance = steps.back();
    if (steps.size() > 1 && steps[0] != advance * int64_t(lanes.innerCount()))
      return fail(order.front(),
                  Refusal(Why::StreamGapOfRows, steps[0], advance, lanes.innerCount()));
    return advance > 0 || fail(order.front(), Refusal(Why::StreamStands));
  }

  bool assign(int64_t step) {
    const int64_t base = head().offset;
    for (unsigned number : order) {
      const int64_t distance = nest.accesses[number].offset - base;
      const bool uniform = isUniform(number);
      const unsigned beat = unsigned(distance / step);
      const bool isNext = beat == plan.beats.size();
      if ((!uniform && distance % step) || distance % bytes ||
          (!isNext && beat + 1 != plan.beats.size()))
        return fail(number, Refusal(Why::StreamMisplaced, distance, step));
      if (isNext)
        plan.beats.push_back({base + beat * step, number});
      covered.resize(plan.beats.size());
      const int lane = uniform ? int(distance % step / bytes) : -1;
      covered[beat] |= uniform ? uint64_t(1) << lane : ~uint64_t(0);
      plan.uses[number] = {beat, plan.isSplat || !uniform ? -1 : lane};
    }
    return checkCover(step);
  }

  /// Every byte that passes is read: a beat cannot be skipped inside a loop.
  bool checkCover(int64_t step) {
    const int64_t taken = int64_t(plan.beats.size()) * step;
    if (iterates && taken != advance)
      return fail(order.front(),
                  Refusal(isRead ? Why::LanesReadPart : Why::LanesWritePart, taken, advance));
    const uint64_t full = plan.isSplat ? 1 : ~uint64_t(0) >> (64 - lanes.factor);
    for (size_t beat = 0; beat < covered.size(); ++beat)
      if ((covered[beat] & full) != full)
        return fail(
            plan.beats[beat].first,
            Refusal(Why::BeatUsedInPart, std::popcount(covered[beat] & full), lanes.factor));
    return true;
  }

  const LoopNest &nest;
  const Lanes &lanes;
  const bool isRead;
  std::vector<unsigned> order; ///< accesses of the stream, by position
  std::vector<uint64_t> covered;
  Beats plan;
  Obstacle why;
  bool iterates = true;
  int64_t bytes = 4, advance = 0;
};

} // namespace

Judged<Beats> beatsOf(const LoopNest &nest, const Lanes &lanes, Object stream) {
  return Planner(nest, lanes, stream).run();
}

} // namespace acis::nest
