// Levels first, then places.
#include "passes/nest/Lanes.h"

#include "passes/cost/CostModel.h"

#include <algorithm>

namespace acis::nest {
namespace {

class Judge {
public:
  Judge(const LoopNest &nest, unsigned factor) : nest(nest) { lanes.factor = factor; }

  bool judgeLevels() {
    return checkCarried() && findChain() && checkTrips() && checkSteps() && chooseSequencer();
  }
  bool judgePlaces() {
    return planBeats(Object::Input, lanes.reads) && planBeats(Object::Output, lanes.writes) &&
           checkAccesses();
  }
  Judged<Lanes> result(bool isGood) const { return isGood ? Judged<Lanes>(lanes) : why; }

private:
  bool checkCarried();
  std::optional<Why> whyNot(const Carried &value) const;
  bool findChain();
  bool checkTrips();
  bool checkSteps();
  bool chooseSequencer();
  bool canMerge(const Counter &outer, const Counter &inner) const;
  bool planBeats(Object stream, Beats &beats);
  bool checkAccesses();
  bool checkPlace(unsigned number);
  bool checkMemory(unsigned number);
  bool checkArray(unsigned number);
  bool mayMeetInBeat(unsigned read, unsigned write) const;

  bool failAtLevel(unsigned level, Refusal refusal) {
    why = {std::move(refusal), level, None};
    return false;
  }
  bool fail(unsigned access, Refusal refusal) {
    why = Obstacle::at(access, std::move(refusal));
    return false;
  }

  const LoopNest &nest;
  std::vector<unsigned> chain; ///< levels that are not over VPEs, outermost first
  Lanes lanes;
  Obstacle why;
};

bool Judge::checkCarried() {
  for (unsigned number = 0; number < nest.carried.size(); ++number)
    if (std::optional<Why> reason = whyNot(nest.carried[number])) {
      why = {Refusal(*reason), None, None, number};
      return false;
    }
  return true;
}

/// Copies for VPEs hand values on in their order. Else iterations that are lanes do: to the next
/// one, or to one value of all iterations of the nest.
std::optional<Why> Judge::whyNot(const Carried &value) const {
  if (nest.levels[value.level].overVpes)
    return std::nullopt;
  if (value.kind == Carried::Kind::Chain)
    return Why::ChainOfIterations;
  bool isAround = false, isIn = false;
  for (unsigned level = 0; level < nest.levels.size(); ++level)
    if (level != value.updatedIn && !nest.levels[level].overVpes) {
      isAround |= nest.holds(value.updatedIn, level);
      isIn |= nest.holds(level, value.updatedIn);
    }
  if (isAround)
    return Why::CarriedAroundLoop;
  if (value.kind == Carried::Kind::Previous)
    return isIn                      ? std::optional(Why::CarriedFromRowBefore)
           : value.isUsedBehind      ? std::optional(Why::LastValueUsed)
           : value.isReadBehindWrite ? std::optional(Why::ReadAfterWrite)
                                     : std::nullopt;
  return value.level != 0        ? std::optional(Why::ReducedInRow)
         : value.inOrder         ? std::optional(Why::SumInOrder)
         : value.ofSeveral       ? std::optional(Why::SumOfSeveral)
         : value.startsElsewhere ? std::optional(Why::SumStartsElsewhere)
         : value.isNarrow        ? std::optional(Why::SumOfNarrow)
                                 : std::nullopt;
}

/// One level in each, those over VPEs not counted.
bool Judge::findChain() {
  for (unsigned level = 0; level < nest.levels.size(); ++level) {
    if (nest.levels[level].overVpes)
      continue;
    unsigned around = nest.levels[level].around;
    while (around != None && nest.levels[around].overVpes)
      around = nest.levels[around].around;
    if (around != (chain.empty() ? None : chain.back()))
      return failAtLevel(level, Refusal(Why::SecondInLoop));
    chain.push_back(level);
  }
  if (chain.empty())
    return true;
  lanes.level = chain.back();
  lanes.hasStrips = nest.levels[lanes.level].trip != lanes.factor;
  return true;
}

bool Judge::checkTrips() {
  for (size_t depth = 1; depth < chain.size(); ++depth) {
    const Level &level = nest.levels[chain[depth]];
    if (!level.trip)
      return failAtLevel(chain[depth], Refusal(Why::InnerCountUnknown));
    if (chain[depth] == lanes.level && *level.trip % lanes.factor != 0)
      return failAtLevel(lanes.level, Refusal(Why::BeatsNotFull, *level.trip, lanes.factor));
  }
  return true;
}

bool Judge::checkSteps() {
  for (unsigned number = 0; number < nest.accesses.size(); ++number)
    for (unsigned level : chain)
      if (!nest.accesses[number].steps[level])
        return fail(number, Refusal(Why::StepNotConstant, nest.accesses[number].name));
  return true;
}

/// Two counters are one if every access steps through both without a gap and nothing else looks at
/// their numbers.
bool Judge::canMerge(const Counter &outer, const Counter &inner) const {
  if (!outer.count || nest.levels[outer.level].isNumberUsed ||
      nest.levels[inner.level].isNumberUsed)
    return false;
  return std::all_of(nest.accesses.begin(), nest.accesses.end(), [&](const Access &access) {
    const int64_t step = access.step(inner.level) * int64_t(inner.inBeats ? lanes.factor : 1);
    return access.step(outer.level) == step * int64_t(*inner.count);
  });
}

bool Judge::chooseSequencer() {
  std::vector<Counter> &sequencer = lanes.sequencer;
  for (unsigned level : chain) {
    const std::optional<uint64_t> trip = nest.levels[level].trip;
    if (level != lanes.level)
      sequencer.push_back({level, false, {}, trip});
    else if (lanes.hasStrips)
      sequencer.push_back(
          {level,
           true,
           {},
           trip ? std::optional((*trip + lanes.factor - 1) / lanes.factor) : std::nullopt});
  }
  while (sequencer.size() > 2) {
    // The innermost pair whose outer level is constant; the outermost may not be.
    size_t outer = sequencer.size() - 2;
    while (outer > 0 && !canMerge(sequencer[outer], sequencer[outer + 1]))
      --outer;
    if (outer == 0)
      return failAtLevel(sequencer[0].level, Refusal(Why::TooManyLevels, sequencer.size()));
    Counter &kept = sequencer[outer + 1];
    kept.merged.push_back(sequencer[outer].level);
    *kept.count *= *sequencer[outer].count;
    sequencer.erase(sequencer.begin() + ptrdiff_t(outer));
  }
  if (lanes.innerCount() > CostModel::MostInner)
    return failAtLevel(sequencer[1].level,
                       Refusal(Why::InnerCountTooLarge, lanes.innerCount(), CostModel::MostInner));
  return true;
}

bool Judge::planBeats(Object stream, Beats &beats) {
  Judged<Beats> plan = beatsOf(nest, lanes, stream);
  if (!plan) {
    why = plan.error();
    return false;
  }
  beats = std::move(*plan);
  return true;
}

bool Judge::checkAccesses() {
  for (unsigned number = 0; number < nest.accesses.size(); ++number) {
    const Object object = nest.accesses[number].object;
    if (!checkPlace(number) || (object == Object::Memory && !checkMemory(number)) ||
        (object == Object::Array && !checkArray(number)))
      return false;
  }
  return true;
}

/// A read outside of the inner level may be repeated in it if nothing writes there.
bool Judge::checkPlace(unsigned number) {
  const Access &access = nest.accesses[number];
  if (lanes.runsEachIteration(nest, access.level) || access.object == Object::Input)
    return true;
  const bool isWritten =
      std::any_of(nest.accesses.begin(), nest.accesses.end(), [&](const Access &other) {
        return other.isWrite && other.object == access.object &&
               (access.object == Object::Memory || other.name == access.name);
      });
  return !isWritten || fail(number, Refusal(Why::AccessBesideLanes));
}

bool Judge::checkMemory(unsigned number) {
  const Access &access = nest.accesses[number];
  const int64_t step = lanes.step(access);
  if (step == access.size || (step == 0 && !access.isWrite))
    return true;
  return fail(number, Refusal(access.isWrite ? Why::LanesWriteApart : Why::LanesReadApart, step,
                              access.size));
}

/// Every access of an array is a beat: all steps but the lane's are multiples of the factor.
bool Judge::checkArray(unsigned number) {
  const Access &access = nest.accesses[number];
  const int64_t factor = lanes.factor, step = lanes.step(access);
  if (step != 1 && (step != 0 || access.isWrite))
    return fail(number,
                Refusal(Why::LanesIndexApart, access.name, step,
                        access.isWrite ? ": adjacent elements" : " (adjacent) or 0 (one element)"));
  std::vector<int64_t> multiples = lanes.steps(access);
  multiples.push_back(access.alignment);
  for (int64_t by : multiples)
    if (by % factor != 0)
      return fail(number, Refusal(Why::LanesMisaligned, access.name, by, factor));
  if (step != 0 && access.offset % factor != 0)
    return fail(number, Refusal(Why::LanesBeginInBeat, access.name, access.offset, factor));
  if (access.indexScale && (*access.indexScale <= 0 || *access.indexScale % factor != 0))
    return fail(number, Refusal(Why::LanesIndexed, access.name, *access.indexScale, factor));
  for (unsigned write = 0; write < nest.accesses.size(); ++write)
    if (step == 0 && mayMeetInBeat(number, write))
      return fail(number, Refusal(Why::LaneReadsOther, access.name));
  return true;
}

/// Whether a lane writes the element that all lanes read. They read together; in C only those on
/// one side of the writer read what was there before.
bool Judge::mayMeetInBeat(unsigned readNumber, unsigned writeNumber) const {
  const Access &read = nest.accesses[readNumber], &write = nest.accesses[writeNumber];
  if (!write.isWrite || write.object != Object::Array || write.name != read.name ||
      read.level != lanes.level || write.level != lanes.level)
    return false;
  if (read.origin != write.origin || read.indexScale || write.indexScale)
    return true;
  const int64_t factor = lanes.factor, apart = read.offset - write.offset;
  const int64_t lane = (apart % factor + factor) % factor;
  if (lane == (readNumber < writeNumber ? factor - 1 : 0))
    return false;
  // Of all beats, by how much that of the read is at least and at most in front of that written.
  int64_t least = apart - lane, most = least;
  const std::vector<int64_t> reads = lanes.steps(read), writes = lanes.steps(write);
  for (size_t i = 0; i < reads.size(); ++i) {
    const int64_t by = reads[i] - writes[i];
    const std::optional<uint64_t> count = lanes.sequencer[i].count;
    (by < 0 ? least : most) += by * (count ? int64_t(*count) - 1 : INT32_MAX);
  }
  return least <= 0 && 0 <= most;
}

} // namespace

std::vector<int64_t> Lanes::steps(const Access &access) const {
  std::vector<int64_t> result;
  for (const Counter &counter : sequencer)
    result.push_back(access.step(counter.level) * int64_t(counter.inBeats ? factor : 1));
  return result;
}

bool Lanes::runsEachIteration(const LoopNest &nest, unsigned inLevel) const {
  return inLevel == level || (!hasStrips && inLevel == nest.levels[level].around);
}

Judged<Lanes> lanesOf(const LoopNest &nest, unsigned factor) {
  Judge judge(nest, factor);
  return judge.result(judge.judgeLevels());
}

Judged<Lanes> judgeLanes(const LoopNest &nest, unsigned factor) {
  Judge judge(nest, factor);
  return judge.result(judge.judgeLevels() && judge.judgePlaces());
}

} // namespace acis::nest
