// The search over initiation intervals and attempts, by one thread or by several.
//
// The attempts have an order: by II, on the whole grid before the grids inside, by number.
// The first one that gives a mapping is the result. Threads take the attempts in this
// order and one stops when an earlier one has succeeded, so that their number changes
// nothing but the time. Nor does the clock: what ends a search is the work of the attempts in
// their order.
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
         : nodes <= 90  ? 3
         : nodes <= 300 ? 2
                        : 1;
}
/// Of larger graphs the attempt that counts cycles of choice in fours comes first.
constexpr size_t MostOfFine = 100;
/// So many IIs are tried one by one, with all attempts. Then the steps grow; the search leaps over
/// all but one of each `Leap`, and comes back to those below the first one that it can have.
constexpr unsigned Close = 4, Leap = 3;
/// Attempts per II, and times the usual budgets, of what no other attempt could map, and the
/// largest graph for which there are any.
constexpr unsigned ThoroughAttempts = 3, Thorough = 6;
constexpr size_t MostThorough = 300;
/// Attempts at each II below the one that was found, and times the usual budgets, for who asks for
/// it.
constexpr unsigned PersistentAttempts = 8, Persistence = 4;
/// PEs of a grid that is searched in a few milliseconds.
constexpr unsigned EasyPes = 16;
/// States of routing floods in one attempt: so many, and more for each node and PE.
constexpr unsigned long Budget = 160000, BudgetPerNodeAndPe = 210;
/// States of all attempts on a grid of 16 PEs, as on all smaller ones together, and on each that is
/// larger; of those at the IIs that were leapt over, of the thorough ones, and of those for who
/// asks. A million takes 10 to 20 ms.
constexpr unsigned long EasyPatience = 4'000'000, LargePatience = 1'500'000,
                        LeaptPatience = 2'000'000, ThoroughPatience = 10'000'000,
                        PersistentPatience = 500'000'000;

/// So many attempts at least.
constexpr unsigned long EasyAttempts = 12, LargeAttempts = 2;

/// A grid to search on: the whole one or one inside it.
struct Ground {
  const SubGrid *grid = nullptr; ///< null: the whole
  Problem problem;
  unsigned mii = 1;
  unsigned pes = 0;
  unsigned purse = 0; ///< where the attempts on it take their patience from
};

unsigned long budgetOf(const Ground &ground) {
  return Budget + BudgetPerNodeAndPe * ground.problem.nodes.size() * ground.pes;
}

struct Attempt {
  Ground *ground;
  unsigned ii, number;
  unsigned effort = 1; ///< times the usual budgets
};

struct Outcome {
  unsigned long states = 0; ///< of work; 0: not done
  std::optional<Mapping> mapping;
};

/// A list of attempts, made in its order by one thread or several.
class Search {
public:
  Search(const Problem &problem, const Overlay &overlay, const Options &options, unsigned firstIi,
         unsigned maxIi)
      : problem(problem), overlay(overlay), options(options), maxIi(maxIi),
        grids(subGrids(overlay)) {
    addGrounds(firstIi);
  }

  Result<Mapping, Unmapped> run();

private:
  void addGrounds(unsigned firstIi);
  unsigned attemptsAt(const Ground &ground, unsigned ii) const;
  std::vector<unsigned> intervals(const Ground &ground) const;
  static bool isLeapt(size_t step);
  std::vector<Attempt> forwardAttempts(size_t first);
  std::vector<Attempt> leaptAttempts(unsigned below);
  std::vector<Attempt> thoroughAttempts();
  std::vector<Attempt> persistentAttempts(unsigned below);
  Ground &whole();
  void bePatient(unsigned long easy, unsigned long large);
  bool make(std::vector<Attempt> list);
  void work();
  bool isSkipped(size_t number);
  void attempt(size_t number);
  void account(size_t number, Outcome outcome);

  const Problem &problem;
  const Overlay &overlay;
  const Options &options;
  unsigned maxIi;
  std::vector<SubGrid> grids;
  std::vector<Ground> grounds;

  std::vector<Attempt> attempts; ///< those being made
  std::atomic<size_t> next = 0, best = ~size_t(0);
  std::mutex lock;                      ///< of what follows
  std::vector<Outcome> outcomes;        ///< by attempt
  std::vector<unsigned long> patiences; ///< left, by purse
  size_t counted = 0;                   ///< attempts that are done, and all before them
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
  for (unsigned number = 0; number < grounds.size(); ++number)
    grounds[number].purse = grounds[number].pes < EasyPes ? 0 : number + 1;
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
  return spacious ? LateAttempts
                  : std::max(1u, attemptsFor(problem.nodes.size()) /
                                     (options.patience == Patience::Brief ? 2 : 1));
}

/// The IIs that a grid is searched at: the same for a grid inside another and by itself.
std::vector<unsigned> Search::intervals(const Ground &ground) const {
  std::vector<unsigned> result;
  for (unsigned ii = ground.mii; ii <= maxIi && (result.empty() || result.back() != maxIi);
       ii = std::min(maxIi, ii + 1 + (ii - ground.mii) / Close))
    result.push_back(ii);
  return result;
}

/// Of the IIs of a grid: whether the search leaps over the one with this number.
bool Search::isLeapt(size_t step) { return step >= Close && (step - Close) % Leap != 0; }

static void sortByInterval(std::vector<Attempt> &list) {
  std::sort(list.begin(), list.end(), [](const Attempt &a, const Attempt &b) {
    return std::tie(a.ii, a.ground, a.number) < std::tie(b.ii, b.ground, b.number);
  });
}

/// From the `first` II of each grid: all attempts at those close to the bound, then one at some
/// larger ones up to the largest.
std::vector<Attempt> Search::forwardAttempts(size_t first) {
  std::vector<Attempt> list;
  for (Ground &ground : grounds) {
    std::vector<unsigned> all = intervals(ground);
    for (size_t step = first; step < all.size(); ++step) {
      if (isLeapt(step) && all[step] != maxIi)
        continue;
      unsigned count = step < Close ? attemptsAt(ground, all[step]) : 1;
      for (unsigned number = 0; number < count; ++number)
        list.push_back({&ground, all[step], number});
    }
  }
  sortByInterval(list);
  return list;
}

/// Those on each grid between the II that was found and the last one before that was tried.
std::vector<Attempt> Search::leaptAttempts(unsigned below) {
  std::vector<Attempt> list;
  for (Ground &ground : grounds) {
    std::vector<unsigned> all = intervals(ground);
    size_t step = size_t(std::lower_bound(all.begin(), all.end(), below) - all.begin());
    while (step-- > 0 && isLeapt(step))
      for (unsigned number = 0; number < LateAttempts; ++number)
        list.push_back({&ground, all[step], number});
  }
  sortByInterval(list);
  return list;
}

Ground &Search::whole() {
  return *std::find_if(grounds.begin(), grounds.end(),
                       [](const Ground &ground) { return !ground.grid; });
}

std::vector<Attempt> Search::thoroughAttempts() {
  std::vector<Attempt> list;
  for (unsigned ii : intervals(whole()))
    for (unsigned number = 0; number < ThoroughAttempts; ++number)
      list.push_back({&whole(), ii, number, Thorough});
  return list;
}

/// At each II below the one that was found, on the whole grid.
std::vector<Attempt> Search::persistentAttempts(unsigned below) {
  std::vector<Attempt> list;
  for (unsigned ii = whole().mii; ii < below; ++ii)
    for (unsigned number = 0; number < PersistentAttempts; ++number)
      list.push_back({&whole(), ii, number, Persistence});
  return list;
}

void Search::attempt(size_t number) {
  const Attempt &task = attempts[number];
  const Problem &local = task.ground->problem;
  const Overlay &place = task.ground->grid ? task.ground->grid->overlay : overlay;
  Mrrg mrrg(place, task.ii);
  const bool coarseFirst = task.effort == 1 && local.nodes.size() > MostOfFine;
  const unsigned kind = coarseFirst ? task.number ^ 1 : task.number;
  uint64_t seed = (uint64_t(options.seed) << 32) + task.ii * 64 + kind;
  const bool allOrders = task.effort == Thorough && task.number > 0;
  Negotiation negotiation(local, place, mrrg, kind, seed, allOrders);
  bool found = negotiation.run(budgetOf(*task.ground) * task.effort, task.effort,
                               [&] { return best < number; });
  Outcome outcome{negotiation.work() + 1, {}};
  std::string error;
  if (found) {
    Mapping answer = negotiation.result();
    if (task.ground->grid)
      widen(*task.ground->grid, answer);
    Status status = verify(problem, overlay, answer);
    if (status)
      outcome.mapping = std::move(answer);
    else if (!negotiation.leavesOrders()) // which a result may break: no fault of the search
      error = status.error().str();
  }
  std::lock_guard<std::mutex> guard(lock);
  if (!outcome.mapping && number >= hardestOf) {
    hardestOf = number;
    hardest = negotiation.hardest();
    refused = error;
  }
  account(number, std::move(outcome));
}

/// Attempts count in their order, whoever made them first: those on a grid whose patience is
/// used up by the ones before do not. Those of less than 16 PEs have one for all of them, and each
/// larger one has its own, so that what is found there does not depend on what is round them.
void Search::account(size_t number, Outcome outcome) {
  outcomes[number] = std::move(outcome);
  for (; counted < best && counted < attempts.size() && outcomes[counted].states != 0; ++counted) {
    unsigned long &patience = patiences[attempts[counted].ground->purse];
    if (patience == 0)
      continue;
    patience -= std::min(patience, outcomes[counted].states);
    if (options.work)
      *options.work += outcomes[counted].states;
    if (outcomes[counted].mapping) {
      mapping = std::move(*outcomes[counted].mapping);
      best = counted;
    }
  }
}

bool Search::isSkipped(size_t number) {
  std::lock_guard<std::mutex> guard(lock);
  if (patiences[attempts[number].ground->purse] != 0)
    return false;
  account(number, {1, {}});
  return true;
}

void Search::work() {
  for (size_t number; (number = next++) < attempts.size() && number < best;)
    if (!isSkipped(number))
      attempt(number);
}

/// Whether one of them gave a mapping, which is kept.
bool Search::make(std::vector<Attempt> list) {
  attempts = std::move(list);
  outcomes.assign(attempts.size(), {});
  next = counted = hardestOf = 0;
  best = ~size_t(0);
  std::vector<std::thread> others;
  for (unsigned i = 1; i < std::min<size_t>(options.threads, attempts.size()); ++i)
    others.emplace_back([this] { work(); });
  work();
  for (std::thread &other : others)
    other.join();
  return best != ~size_t(0);
}

/// Large graphs get a few attempts in any case, but for those on small grids inside.
void Search::bePatient(unsigned long easy, unsigned long large) {
  const unsigned part = options.patience == Patience::Brief ? 4 : 1;
  patiences.assign(grounds.size() + 1, 0);
  for (const Ground &ground : grounds) {
    const unsigned attempts = ground.pes > EasyPes                    ? LargeAttempts
                              : ground.pes == EasyPes || !ground.grid ? EasyAttempts
                                                                      : 0;
    unsigned long &patience = patiences[ground.purse];
    patience = std::max({patience, (ground.pes <= EasyPes ? easy : large) / part,
                         attempts * budgetOf(ground) / part});
  }
}

/// Where the patience ends before the IIs do, the larger ones get it anew. The IIs that were leapt
/// over have a patience of their own. Where all fails, the whole grid is searched with larger
/// budgets; and below what was found, for who asks for it.
Result<Mapping, Unmapped> Search::run() {
  const bool isThorough = options.patience >= Patience::Thorough;
  bePatient(EasyPatience, LargePatience);
  bool found = make(forwardAttempts(0));
  if (!found && isThorough) {
    bePatient(EasyPatience, LargePatience);
    found = make(forwardAttempts(Close));
  }
  if (found) {
    bePatient(LeaptPatience, LeaptPatience);
    make(leaptAttempts(mapping.ii));
  } else if (isThorough && problem.nodes.size() <= MostThorough) {
    bePatient(ThoroughPatience, ThoroughPatience);
    found = make(thoroughAttempts());
  }
  if (options.patience == Patience::Persistent) {
    bePatient(PersistentPatience, PersistentPatience);
    found |= make(persistentAttempts(found ? mapping.ii : maxIi + 1));
  }
  if (found)
    return std::move(mapping);
  if (!refused.empty())
    return Unmapped{fault("no valid mapping found; the last one: " + refused)};
  return Unmapped{Refusal(Why::NoPlaceOrRoute, nameOf(problem, hardest), maxIi, overlay.name),
                  hardest};
}

} // namespace

Result<Mapping, Unmapped> map(const Problem &problem, const Overlay &overlay,
                              const Options &options) {
  if (StatusOf<Unmapped> status = problem.check(overlay); !status)
    return status.error();
  if (problem.nodes.empty())
    return Unmapped{fault("nothing to map: the graph has no nodes")};
  Bounds bound = bounds(problem, overlay);
  unsigned maxIi = options.maxIi != 0 ? options.maxIi : overlay.contextSlots;
  unsigned ii = std::max(bound.mii(), options.minIi);
  if (ii > maxIi)
    return Unmapped{Refusal(Why::IntervalTooLarge, ii, bound.reason(), maxIi), bound.node()};
  return Search(problem, overlay, options, ii, maxIi).run();
}

} // namespace acis::map
