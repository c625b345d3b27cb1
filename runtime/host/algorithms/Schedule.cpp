// See Schedule.h. The builders of each algorithm.
#include "runtime/host/algorithms/Schedule.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace acis::algorithms {
namespace {

class Builder {
public:
  explicit Builder(const Problem &problem)
      : problem(problem), size(problem.group.size), me(problem.position),
        relative((me + size - problem.root) % size) {
    const Kind kind = problem.kind;
    whole = kind == Kind::Allreduce || kind == Kind::Reduce || kind == Kind::Bcast ||
            kind == Kind::Barrier || kind == Kind::Scan;
    const uint64_t blocks = kind == Kind::Exscan     ? 2
                            : kind == Kind::Alltoall ? uint64_t(2) * size
                            : whole                  ? 1
                                                     : size;
    result.held = {0, problem.count * blocks};
  }

  Schedule build();

private:
  using Position = std::function<uint32_t(uint32_t)>;
  using Blocks = std::function<Range(uint32_t, uint32_t)>; ///< of blocks [first, last)

  /// A step without its empty halves, but a Barrier's messages, which have no bytes.
  void exchange(uint32_t to, Range sent, uint32_t from, Range received, Take take) {
    const bool empty = problem.kind == Kind::Barrier;
    Step step;
    step.take = take;
    if (to != Step::Nobody && (sent.count > 0 || empty)) {
      step.to = to;
      step.sent = sent;
    }
    if (from != Step::Nobody && (received.count > 0 || empty)) {
      step.from = from;
      step.received = received;
    }
    if (step.to != Step::Nobody || step.from != Step::Nobody)
      result.steps.push_back(step);
  }
  void send(uint32_t to, Range range) { exchange(to, range, Step::Nobody, {}, Take::Copy); }
  void receive(uint32_t from, Range range, Take take) {
    exchange(Step::Nobody, {}, from, range, take);
  }
  Take fold(uint32_t other) const { return other < me ? Take::FoldLeft : Take::FoldRight; }

  Range all() const { return result.held; }
  /// `range` in `parts` parts of nearly the same size.
  static Range part(Range range, uint32_t first, uint32_t last, uint32_t parts) {
    const uint64_t from = range.count * first / parts, to = range.count * last / parts;
    return {range.first + from, to - from};
  }
  /// Blocks of members, or parts of what is one block.
  Range blocks(uint32_t first, uint32_t last, uint32_t parts) const {
    if (whole)
      return part({0, problem.count}, first, last, parts);
    return {first * problem.count, (last - first) * problem.count};
  }
  uint32_t fromRelative(uint32_t other) const { return (other + problem.root) % size; }

  void binomialDown(const Blocks &subtree);
  void binomialUp(const Blocks &subtree, Take take);
  uint32_t subtreeEnd(uint32_t of) const;

  void foldIn();
  void foldOut();
  uint32_t real(uint32_t folded) const { return folded < extra ? 2 * folded + 1 : folded + extra; }
  void doubling();
  void halving();
  void regather();
  void gatherHalves();

  void ringFold(uint32_t index, uint32_t length, const Position &at, const Blocks &block);
  using Has = std::function<bool(uint32_t index, uint32_t block)>;
  void ringGather(uint32_t index, uint32_t length, const Position &at, const Blocks &block,
                  const Has &has = nullptr);
  void torusAllreduce();
  void torusAllgather();
  void byRing();
  void prefixes();
  void pairwise();

  const Problem &problem;
  const uint32_t size, me, relative;
  bool whole = true;
  /// Of the power of two that remains after foldIn(): its size, how many were folded into
  /// others, this member's number there.
  uint32_t power = 1, extra = 0, folded = Step::Nobody;
  Schedule result;
};

/// The subtree of a relative position in a binomial tree: those from itself up to this one.
uint32_t Builder::subtreeEnd(uint32_t of) const {
  const uint32_t span = of == 0 ? size : of & (~of + 1);
  return uint32_t(std::min<uint64_t>(size, uint64_t(of) + span));
}

void Builder::binomialDown(const Blocks &subtree) {
  uint64_t mask = 1;
  for (; mask < size; mask *= 2)
    if (relative & mask) {
      receive(fromRelative(relative - mask), subtree(relative, subtreeEnd(relative)), Take::Copy);
      break;
    }
  for (mask /= 2; mask > 0; mask /= 2)
    if (relative + mask < size)
      send(fromRelative(relative + mask),
           subtree(relative + mask, std::min<uint64_t>(size, relative + 2 * mask)));
}

void Builder::binomialUp(const Blocks &subtree, Take take) {
  for (uint64_t mask = 1; mask < size; mask *= 2) {
    if (relative & mask) {
      send(fromRelative(relative - mask), subtree(relative, subtreeEnd(relative)));
      return;
    }
    if (relative + mask < size)
      receive(fromRelative(relative + mask),
              subtree(relative + mask, std::min<uint64_t>(size, relative + 2 * mask)), take);
  }
}

void Builder::foldIn() {
  power = std::bit_floor(size);
  extra = size - power;
  if (me >= 2 * extra) {
    folded = me - extra;
  } else if (me % 2 == 0) {
    send(me + 1, all());
  } else {
    receive(me - 1, all(), Take::FoldLeft);
    folded = me / 2;
  }
}

void Builder::foldOut() {
  if (me >= 2 * extra)
    return;
  if (me % 2 == 0)
    receive(me + 1, all(), Take::Copy);
  else
    send(me - 1, all());
}

void Builder::doubling() {
  for (uint32_t mask = 1; mask < power; mask *= 2) {
    const uint32_t other = real(folded ^ mask);
    exchange(other, all(), other, all(), fold(other));
  }
}

/// Each gives away the half that it will not have in the end, and folds the other.
void Builder::halving() {
  uint32_t low = 0, high = power;
  for (uint32_t mask = power / 2; mask > 0; mask /= 2) {
    const uint32_t other = real(folded ^ mask), middle = low + mask;
    const bool upper = folded & mask;
    const Range lowerHalf = blocks(low, middle, power), upperHalf = blocks(middle, high, power);
    exchange(other, upper ? lowerHalf : upperHalf, other, upper ? upperHalf : lowerHalf,
             fold(other));
    (upper ? low : high) = middle;
  }
}

/// Recursive doubling of what each has, from one block to all.
void Builder::regather() {
  for (uint32_t mask = 1; mask < power; mask *= 2) {
    const uint32_t mine = folded & ~(mask - 1), theirs = mine ^ mask, other = real(folded ^ mask);
    exchange(other, blocks(mine, mine + mask, power), other, blocks(theirs, theirs + mask, power),
             Take::Copy);
  }
}

/// The same towards the root only; a root that was folded into its neighbour gets all from it.
void Builder::gatherHalves() {
  const bool rootFolded = problem.root < 2 * extra && problem.root % 2 == 0;
  const uint32_t target = problem.root < 2 * extra ? problem.root / 2 : problem.root - extra;
  if (folded != Step::Nobody) {
    bool has = true;
    for (uint32_t mask = 1; mask < power && has; mask *= 2) {
      const uint32_t mine = folded & ~(mask - 1), theirs = mine ^ mask, other = real(folded ^ mask);
      has = ((folded ^ target) & mask) == 0;
      if (has)
        receive(other, blocks(theirs, theirs + mask, power), Take::Copy);
      else
        send(other, blocks(mine, mine + mask, power));
    }
  }
  if (rootFolded && me == problem.root)
    receive(me + 1, all(), Take::Copy);
  else if (rootFolded && me == problem.root + 1)
    send(problem.root, all());
}

/// In the end the member at `index` has block `index`, folded.
void Builder::ringFold(uint32_t index, uint32_t length, const Position &at, const Blocks &block) {
  const uint32_t next = at((index + 1) % length), last = at((index + length - 1) % length);
  for (uint32_t step = 0; step + 1 < length; ++step) {
    const uint32_t out = (index + 2 * length - step - 1) % length,
                   in = (index + 2 * length - step - 2) % length;
    exchange(next, block(out, out + 1), last, block(in, in + 1), Take::FoldLeft);
  }
}

/// Each starts with its own block, and has all in the end. Blocks that has() says a member has
/// besides are not sent to it.
void Builder::ringGather(uint32_t index, uint32_t length, const Position &at, const Blocks &block,
                         const Has &has) {
  const uint32_t nextIndex = (index + 1) % length;
  const uint32_t next = at(nextIndex), last = at((index + length - 1) % length);
  for (uint32_t step = 0; step + 1 < length; ++step) {
    const uint32_t out = (index + length - step) % length,
                   in = (index + 2 * length - step - 1) % length;
    const bool sends = !has || !has(nextIndex, out), receives = !has || !has(index, in);
    exchange(sends ? next : Step::Nobody, block(out, out + 1), receives ? last : Step::Nobody,
             block(in, in + 1), Take::Copy);
  }
}

void Builder::torusAllreduce() {
  const uint32_t rows = torusRows(problem.group), columns = size / rows, row = me / columns,
                 column = me % columns;
  const Position inRow = [=](uint32_t k) { return row * columns + k; };
  const Position inColumn = [=](uint32_t k) { return k * columns + column; };
  const Blocks ofRow = [=, this](uint32_t a, uint32_t b) { return part(all(), a, b, columns); };
  const Blocks ofColumn = [=, this](uint32_t a, uint32_t b) {
    return part(part(all(), column, column + 1, columns), a, b, rows);
  };
  ringFold(column, columns, inRow, ofRow);
  ringFold(row, rows, inColumn, ofColumn);
  ringGather(row, rows, inColumn, ofColumn);
  ringGather(column, columns, inRow, ofRow);
}

void Builder::torusAllgather() {
  const uint32_t rows = torusRows(problem.group), columns = size / rows, row = me / columns,
                 column = me % columns;
  ringGather(
      column, columns, [=](uint32_t k) { return row * columns + k; },
      [=, this](uint32_t a, uint32_t b) {
        return blocks(row * columns + a, row * columns + b, size);
      });
  ringGather(
      row, rows, [=](uint32_t k) { return k * columns + column; },
      [=, this](uint32_t a, uint32_t b) { return blocks(a * columns, b * columns, size); });
}

void Builder::byRing() {
  const Blocks block = [this](uint32_t a, uint32_t b) { return blocks(a, b, size); };
  const Position same = [](uint32_t k) { return k; };
  if (problem.kind == Kind::Bcast) {
    binomialDown(block);
    ringGather(
        relative, size, [this](uint32_t k) { return fromRelative(k); }, block,
        [this](uint32_t of, uint32_t b) { return b >= of && b < subtreeEnd(of); });
    return;
  }
  if (problem.kind != Kind::Allgather)
    ringFold(me, size, same, block);
  if (problem.kind != Kind::ReduceScatterBlock)
    ringGather(me, size, same, block);
}

/// Each has the fold of `distance` members up to itself, and gives it to who is as far above.
void Builder::prefixes() {
  const Range mine = {0, problem.count};
  for (uint64_t distance = 1; distance < size; distance *= 2)
    exchange(me + distance < size ? uint32_t(me + distance) : Step::Nobody, mine,
             me >= distance ? uint32_t(me - distance) : Step::Nobody, mine, Take::FoldLeft);
  if (problem.kind == Kind::Exscan)
    exchange(me + 1 < size ? me + 1 : Step::Nobody, mine, me > 0 ? me - 1 : Step::Nobody,
             {problem.count, problem.count}, Take::Copy);
}

void Builder::pairwise() {
  for (uint32_t distance = 1; distance < size; ++distance) {
    const uint32_t to = uint32_t((uint64_t(me) + distance) % size),
                   from = uint32_t((uint64_t(me) + size - distance) % size);
    exchange(to, blocks(to, to + 1, size), from,
             {(uint64_t(size) + from) * problem.count, problem.count}, Take::Copy);
  }
}

Schedule Builder::build() {
  const Blocks everything = [this](uint32_t, uint32_t) { return all(); };
  const Blocks block = [this](uint32_t a, uint32_t b) { return blocks(a, b, size); };
  const bool allreduces = problem.kind == Kind::Allreduce || problem.kind == Kind::Barrier;
  switch (problem.algorithm) {
  case Algorithm::Binomial:
    if (problem.kind == Kind::Bcast)
      binomialDown(everything);
    else if (problem.kind == Kind::Reduce)
      binomialUp(everything, Take::FoldRight);
    else if (problem.kind == Kind::Scatter)
      binomialDown(block);
    else
      binomialUp(block, Take::Copy);
    if (!whole)
      result.held = block(relative, subtreeEnd(relative));
    break;
  case Algorithm::Pairwise:
    pairwise();
    break;
  case Algorithm::Doubling:
  case Algorithm::Halving:
    if (problem.kind == Kind::Scan || problem.kind == Kind::Exscan) {
      prefixes();
      break;
    }
    if (problem.kind == Kind::Allgather) {
      power = size;
      folded = me;
      regather();
      break;
    }
    foldIn();
    if (folded != Step::Nobody && problem.algorithm == Algorithm::Doubling)
      doubling();
    else if (folded != Step::Nobody)
      halving();
    if (problem.algorithm == Algorithm::Halving && allreduces && folded != Step::Nobody)
      regather();
    if (problem.kind == Kind::Reduce)
      gatherHalves();
    if (allreduces)
      foldOut();
    break;
  case Algorithm::Ring:
    byRing();
    break;
  case Algorithm::Torus:
    problem.kind == Kind::Allgather ? torusAllgather() : torusAllreduce();
    break;
  default:
    break; // not by hosts
  }
  return std::move(result);
}

} // namespace

uint32_t torusRows(const Group &group) {
  if (group.rows > 1 && group.size % group.rows == 0)
    return group.rows;
  uint32_t rows = 1;
  for (uint32_t n = 2; uint64_t(n) * n <= group.size; ++n)
    if (group.size % n == 0)
      rows = n;
  return rows;
}

Schedule makeSchedule(const Problem &problem) { return Builder(problem).build(); }

} // namespace acis::algorithms
