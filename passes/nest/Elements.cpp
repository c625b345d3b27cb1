// Windows of streams, and what the sequencer counts besides the root.
#include "passes/nest/Elements.h"

#include "passes/cost/CostModel.h"

#include <algorithm>
#include <bit>

namespace acis::nest {
namespace {

constexpr int64_t MaxPops = 64;    ///< elements of a stream that an iteration pops
constexpr uint64_t MinRows = 2;    ///< of a copy; of one row at a time there is nothing to gain
constexpr uint64_t MaxRows = 1024; ///< more rows make launches no rarer that count

/// Where a nest as a whole is refused: at the first loop in it.
unsigned firstInner(const LoopNest &nest) { return nest.levels.size() > 1 ? 1 : 0; }

bool isCounted(unsigned level, unsigned row) { return level == 0 || level == row; }

/// The places of an access in an iteration, and the units that it takes.
struct Reach {
  int64_t low, high, taken;
};

Reach reachOf(const LoopNest &nest, const Access &access, unsigned row) {
  Reach reach{access.offset, access.offset + access.size, access.size};
  for (unsigned level = access.level; level != None; level = nest.levels[level].around) {
    if (isCounted(level, row))
      continue;
    const auto trip = int64_t(nest.levels[level].trip.value_or(1));
    const int64_t moved = access.step(level);
    (moved < 0 ? reach.low : reach.high) += moved * (trip - 1);
    reach.taken *= trip;
  }
  return reach;
}

/// Why an iteration of the root does not go on where the one before ended; `step` is of the counted
/// row, if there is one, and `whole` what all of its iterations take.
Obstacle gap(const LoopNest &nest, const Window &window, int64_t step, int64_t whole, bool isRead) {
  if (isRead && (step < window.size() || window.rootStep < whole))
    return Obstacle::at(window.first, Refusal(Why::ReadsAgain, window.rootStep, whole));
  if (nest.levels.size() > 1)
    return {Refusal(Why::RowsHaveGaps, isRead ? "input" : "output"), firstInner(nest),
            window.first};
  return Obstacle::at(window.first, Refusal(isRead ? Why::ReadsPart : Why::WritesPart, step,
                                            isRead ? window.size() : window.taken));
}

} // namespace

Judged<Window> windowOf(const LoopNest &nest, Object stream, unsigned row) {
  Window window;
  unsigned origin = 0;
  for (unsigned number = 0; number < nest.accesses.size(); ++number) {
    const Access &access = nest.accesses[number];
    if (access.object != stream || access.appends)
      continue;
    const std::optional<int64_t> rootStep = access.steps[0];
    const std::optional<int64_t> rowStep = row == None ? 0 : access.steps[row];
    if (!rootStep || !rowStep)
      return Window();
    if (window.first == None) {
      window.first = number;
      window.element = access.size;
      window.rootStep = *rootStep;
      window.rowStep = *rowStep;
      origin = access.origin;
    } else if (access.origin != origin || *rootStep != window.rootStep ||
               *rowStep != window.rowStep) {
      return Obstacle{Refusal(Why::StreamMovesApart, access.name), firstInner(nest), number};
    }
    const Reach reach = reachOf(nest, access, row);
    window.least = std::min(window.least, reach.low);
    window.most = std::max(window.most, reach.high);
    window.taken += reach.taken;
  }
  return window;
}

StatusOf<Obstacle> checkInOrder(const LoopNest &nest, Object stream, unsigned row) {
  const Judged<Window> window = windowOf(nest, stream, row);
  if (!window)
    return window.error();
  if (window->first == None)
    return {};
  const bool isRead = stream == Object::Input, isRow = row != None;
  const bool isOnce = !isRow && nest.levels[0].trip == uint64_t(1);
  const int64_t step = isRow ? window->rowStep : window->rootStep;
  const int64_t more = isRow ? step * int64_t(*nest.levels[row].trip - 1) : 0;
  const bool follow = !isRow || window->rootStep == step + more;
  const bool isWhole =
      isRead ? window->size() % window->element == 0 && window->size() / window->element <= MaxPops
             : window->taken == window->size();
  if ((isOnce || (step == window->size() && follow)) && isWhole)
    return {};
  return gap(nest, *window, step, window->size() + more, isRead);
}

uint64_t rowsHeld(const LoopNest &nest, const Window &window, int64_t most) {
  const Access &first = nest.accesses[window.first];
  const bool areElements =
      std::all_of(nest.accesses.begin(), nest.accesses.end(), [&](const Access &access) {
        return access.object != first.object ||
               (access.type == first.type && (access.offset - window.least) % window.element == 0);
      });
  const std::optional<uint64_t> trip = nest.levels[0].trip;
  if (!areElements || window.rootStep % window.element != 0 || window.size() > most)
    return 0;
  const uint64_t held =
      window.rootStep > 0 ? uint64_t((most - window.size()) / window.rootStep) + 1 : UINT64_MAX;
  if (window.rootStep < window.size())
    return trip && *trip <= held ? *trip : 0;
  if (held < MinRows)
    return 0;
  return std::min(trip ? std::min(held, *trip) : std::bit_floor(held), MaxRows);
}

StatusOf<Obstacle> checkLevels(const LoopNest &nest) {
  for (unsigned level = 1; level < nest.levels.size(); ++level)
    if (!nest.levels[level].trip)
      return Obstacle{Refusal(Why::InnerCountUnknown), level};
  for (unsigned number = 0; number < nest.accesses.size(); ++number) {
    const Access &access = nest.accesses[number];
    // Of a packet that is kept any place may be read.
    const bool isRead = access.object == Object::Input;
    for (unsigned level = 1; level < nest.levels.size(); ++level)
      if (!access.steps[level])
        return Obstacle{
            Refusal(isRead ? Why::StreamMovesUnevenly : Why::StepNotConstant, access.name), level,
            number};
    if (!access.steps[0])
      return Obstacle::at(number, isRead ? Refusal(Why::StreamMovesUnevenly, access.name)
                                         : Refusal(Why::StrideNotConstant));
  }
  for (unsigned number = 0; number < nest.carried.size(); ++number)
    if (nest.carried[number].inOrderOfLanes)
      return Obstacle{Refusal(Why::SumOverLanes), None, None, number};
  return {};
}

unsigned countedRow(const LoopNest &nest) {
  const std::vector<unsigned> inner = nest.levelsIn(0);
  const bool isAlone =
      inner.size() == 1 && std::none_of(nest.accesses.begin(), nest.accesses.end(),
                                        [](const Access &access) { return access.level == 0; });
  if (!isAlone)
    return None;
  const Level &row = nest.levels[inner[0]];
  const uint64_t trip = row.trip.value_or(0);
  return row.isPassedThrough && trip >= 1 && trip <= CostModel::MostInner ? inner[0] : None;
}

static uint64_t sizeOf(const LoopNest &nest, unsigned level, unsigned row, uint64_t most) {
  uint64_t size = nest.levels[level].size;
  for (unsigned inner : nest.levelsIn(level)) {
    const uint64_t trip = inner == row ? 1 : nest.levels[inner].trip.value_or(most + 1);
    size = std::min(size + std::min(trip, most + 1) * sizeOf(nest, inner, row, most), most + 1);
  }
  return std::min(size, most + 1);
}

uint64_t unrolledSize(const LoopNest &nest, unsigned row, uint64_t most) {
  return sizeOf(nest, 0, row, most);
}

StatusOf<Obstacle> checkBesideRow(const LoopNest &nest, unsigned row, bool staged) {
  if (*nest.levels[row].trip > CostModel::MostInner)
    return Obstacle{Refusal(Why::RowTooLong, CostModel::MostInner), row};
  for (const Access &access : nest.accesses) {
    const bool isStream = access.isStream() && !(staged && access.object == Object::Input);
    if (isStream && !access.appends && !nest.holds(row, access.level))
      return Obstacle{Refusal(Why::StreamBesideRow, access.name), row};
  }
  return {};
}

} // namespace acis::nest
