// The search over initiation intervals and attempts, by one thread or by several.
//
// The attempts have an order: by II, on the whole grid before the grids inside, by number.
// The first one that gives a mapping is the result. Threads take the attempts in this
// order and one stops when an earlier one has succeeded, so that their number changes
// nothing but the time.
#include "passes/mapper/Negotiation.h"
#include "passes/mapper/PlaceBound.h"
#include "passes/mapper/SubGrid.h"
#include "passes/mapper/Timing.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <tuple>

namespace acis::map {

namespace {

/// Attempts per II, with prices that are disturbed more and more: many where they are short.
constexpr unsigned LateAttempts = 2;
unsigned attemptsFor(size_t nodes) {
  return nodes <= 25    ? 7
         : nodes <= 45  ? 5
         : nodes <= 70  ? 4
         : nodes <= 150 ? 3
         : nodes <= 300 ? 2
                        : 1;
}
/// So many IIs are tried one by one, with all attempts; then the steps grow.
constexpr unsigned Close = 4;
/// Attempts per II, and times the usual budgets, of what no other attempt could map.
constexpr unsigned ThoroughAttempts = 3, Thorough = 6;
/// PEs of a grid that is searched in a few milliseconds.
constexpr unsigned EasyPes = 16;
/// States of routing floods in one attempt: so many, and more for each node and PE.
constexpr unsigned long Budget = 160000, BudgetPerNodeAndPe = 210;

/// A grid to search on: the whole one or one inside it.
struct Ground {
  const SubGrid *grid = nullptr; ///< null: the whole
  Problem problem;
  unsigned mii = 1;
  unsigned pes = 0;
};

struct Attempt {
  const Ground *ground;
  unsigned ii, number;
  unsigned effort = 1; ///< times the usual budgets
};

class Search {
public:
  Search(const Problem &problem, const Overlay &overlay, const Options &options, unsigned firstIi,
         unsigned maxIi)
      : problem(problem), overlay(overlay), options(options), maxIi(maxIi),
        grids(subGrids(overlay)) {
    addGrounds(firstIi);
    addAttempts();
  }

  Result<Mapping> run();

private:
  void addGrounds(unsigned firstIi);
  void addAttempts();
  unsigned attemptsAt(const Ground &ground, unsigned ii) const;
  void work();
  void attempt(size_t number);

  const Problem &problem;
  const Overlay &overlay;
  const Options &options;
  unsigned maxIi;
  std::vector<SubGrid> grids;
  std::vector<Ground> grounds;
  std::vector<Attempt> attempts;

  std::atomic<size_t> next = 0, best = ~size_t(0);
  std::mutex lock; ///< of what follows
  Mapping mapping;
  size_t hardestOf = 0; ///< the last attempt that failed
  unsigned hardest = 0;
  std::string refused;
};

/// Up to 16 PEs the whole grid comes first. On larger ones a grid of 16 PEs is searched much
/// faster and often has room enough.
void Search::addGrounds(unsigned firstIi) {
  std::vector<Ground> large, small;
  for (const SubGrid &grid : grids) {
    Ground ground{&grid, {}, 1, grid.overlay.numPes()};
    if (!restrict(problem, grid, ground.problem) || !ground.problem.check(grid.overlay))
      continue;
    Bounds bound;
    boundResources(ground.problem, grid.overlay, bound);
    ground.mii = std::max(firstIi, bound.resMii);
    (ground.pes < EasyPes ? small : large).push_back(std::move(ground));
  }
  auto at = overlay.numPes() <= EasyPes ? large.begin() : large.end();
  large.insert(at, {nullptr, problem, firstIi, overlay.numPes()});
  grounds = std::move(large);
  grounds.insert(grounds.end(), std::make_move_iterator(small.rbegin()),
                 std::make_move_iterator(small.rend()));
}

/// Where the nodes had twice the slots that they need on a smaller grid, a larger one hardly
/// ever does better.
unsigned Search::attemptsAt(const Ground &ground, unsigned ii) const {
  if (ii - ground.mii >= Close)
    return LateAttempts;
  bool spacious = std::any_of(grounds.begin(), grounds.end(), [&](const Ground &smaller) {
    return smaller.pes >= EasyPes && smaller.pes < ground.pes && smaller.mii <= ii &&
           smaller.pes * ii >= 2 * problem.nodes.size();
  });
  return spacious ? LateAttempts : attemptsFor(problem.nodes.size());
}

/// Where all fails, the whole grid is searched once more with larger budgets. Every grid has the
/// sequence of IIs that it has as a whole grid.
void Search::addAttempts() {
  for (const Ground &ground : grounds)
    for (unsigned ii = ground.mii, last = 0; ii <= maxIi && last != maxIi;
         ii = std::min(maxIi, ii + 1 + (ii - ground.mii) / Close)) {
      for (unsigned number = 0; number < attemptsAt(ground, ii); ++number)
        attempts.push_back({&ground, ii, number});
      last = ii;
    }
  std::sort(attempts.begin(), attempts.end(), [](const Attempt &a, const Attempt &b) {
    return std::tie(a.ii, a.ground, a.number) < std::tie(b.ii, b.ground, b.number);
  });
  auto whole = std::find_if(grounds.begin(), grounds.end(),
                            [](const Ground &ground) { return !ground.grid; });
  for (unsigned ii = whole->mii, last = 0; last != maxIi;
       ii = std::min(maxIi, ii + 1 + (ii - whole->mii) / Close)) {
    for (unsigned number = 0; number < ThoroughAttempts; ++number)
      attempts.push_back({&*whole, ii, number, Thorough});
    last = ii;
  }
}

void Search::attempt(size_t number) {
  const Attempt &task = attempts[number];
  const Problem &local = task.ground->problem;
  const Overlay &place = task.ground->grid ? task.ground->grid->overlay : overlay;
  Mrrg mrrg(place, task.ii);
  uint64_t seed = (uint64_t(options.seed) << 32) + task.ii * 64 + task.number;
  const bool allOrders = task.effort == Thorough && task.number > 0;
  Negotiation negotiation(local, place, mrrg, task.number, seed, allOrders);
  unsigned long budget = Budget + BudgetPerNodeAndPe * local.nodes.size() * place.numPes();
  bool found = negotiation.run(budget * task.effort, task.effort,
                               [&] { return best.load(std::memory_order_relaxed) < number; });
  Mapping answer;
  std::string error;
  if (found) {
    answer = negotiation.result();
    if (task.ground->grid)
      widen(*task.ground->grid, answer);
    if (Status status = verify(problem, overlay, answer); !status)
      error = status.error().str();
  }
  std::lock_guard<std::mutex> guard(lock);
  if (found && error.empty() && number < best) {
    best = number;
    mapping = std::move(answer);
  } else if (number >= hardestOf) {
    hardestOf = number;
    hardest = negotiation.hardest();
    refused = error;
  }
}

void Search::work() {
  for (size_t number; (number = next++) < attempts.size() && number < best;)
    attempt(number);
}

Result<Mapping> Search::run() {
  std::vector<std::thread> others;
  for (unsigned i = 1; i < std::min<size_t>(options.threads, attempts.size()); ++i)
    others.emplace_back([this] { work(); });
  work();
  for (std::thread &other : others)
    other.join();
  if (best < attempts.size())
    return std::move(mapping);
  if (!refused.empty())
    return Error{"", "no valid mapping found; the last one: " + refused};
  return Error{"", "no place and route found for " + nameOf(problem, hardest) +
                       " with an initiation interval of up to " + std::to_string(maxIi) +
                       " on overlay '" + overlay.name + "'"};
}

} // namespace

Result<Mapping> map(const Problem &problem, const Overlay &overlay, const Options &options) {
  if (Status status = problem.check(overlay); !status)
    return status.error();
  if (problem.nodes.empty())
    return Error{"", "nothing to map: the graph has no nodes"};
  Bounds bound = bounds(problem, overlay);
  unsigned maxIi = options.maxIi != 0 ? options.maxIi : overlay.contextSlots;
  unsigned ii = std::max(bound.mii(), options.minIi);
  if (ii > maxIi)
    return Error{"", "initiation interval would be at least " + std::to_string(ii) + " (" +
                         bound.reason() + "); " + std::to_string(maxIi) +
                         " context slots are allowed"};
  return Search(problem, overlay, options, ii, maxIi).run();
}

} // namespace acis::map
