// See Pattern.h.
#include "runtime/sim/world/Pattern.h"

#include "runtime/sim/world/Contents.h"
#include "runtime/sim/world/SimSession.h"

#include <algorithm>
#include <cstdio>

namespace acis::cluster {
namespace {

namespace s4u = simgrid::s4u;

constexpr uint32_t Context = 1;
constexpr Nanoseconds Forever = std::chrono::hours(24 * 365);

/// What the ranks of one run share.
struct Run {
  World &world;
  const PatternOptions &options;
  const Contents contents;
  std::vector<double> times; ///< of measured calls, by rank
  double first = 0, last = 0;
  bool begun = false;
  s4u::BarrierPtr meeting = {};           ///< if ranks begin together
  std::vector<double> lastBegin, lastEnd; ///< by call
  uint64_t repeated = 0;
  std::string failure = {}; ///< the first

  void fail(uint32_t rank, const std::string &what) {
    if (failure.empty())
      failure = "rank " + std::to_string(rank) + ": " + what;
    s4u::Actor::kill_all();
  }
};

Status call(Session &session, const Contents &contents, uint32_t rank) {
  Contents::Buffers buffers;
  contents.prepare(rank, buffers);
  buffers.call.context = Context;
  Result<Request> request = session.start(buffers.call);
  if (!request)
    return request.error();
  if (Status status = session.wait(*request, Forever); !status)
    return status;
  const std::string wrong = contents.check(rank, buffers);
  return wrong.empty() ? Status() : Status(Error{"", "wrong result: " + wrong});
}

/// Until all are here; then as late as this rank is.
void meet(Run &run, uint32_t rank, uint32_t call) {
  if (!run.meeting)
    return;
  run.meeting->wait();
  const auto &lateness = run.options.lateness;
  if (!lateness.empty())
    pass(lateness[call % lateness.size()][rank]);
}

Status callAll(Run &run, Session &session, uint32_t rank) {
  for (uint32_t c = 0; c < run.options.warmUp; ++c)
    if (Status status = call(session, run.contents, rank); !status)
      return status;
  for (uint32_t c = 0; c < run.options.calls; ++c) {
    meet(run, rank, c);
    const double begin = s4u::Engine::get_clock();
    if (!run.begun)
      run.first = begin;
    run.begun = true;
    if (Status status = call(session, run.contents, rank); !status)
      return status;
    run.last = s4u::Engine::get_clock();
    run.lastBegin[c] = std::max(run.lastBegin[c], begin);
    run.lastEnd[c] = run.last;
    run.times[rank * run.options.calls + c] = run.last - begin;
  }
  return {};
}

void actAsRank(Run &run, uint32_t rank) {
  SessionOptions options;
  options.openTimeout = Forever;
  options.way = run.options.way;
  Result<std::unique_ptr<Session>> session = openSession(run.world, rank, options, {});
  if (!session)
    return run.fail(rank, session.error().str());
  std::vector<uint32_t> all(run.world.options().ranks);
  for (uint32_t r = 0; r < all.size(); ++r)
    all[r] = r;
  Status status = (*session)->addCommunicator(Context, all);
  if (status)
    status = callAll(run, **session, rank);
  if (!status)
    return run.fail(rank, status.error().str());
  // What needs no answer may still be on its way.
  (void)(*session)->drain(Forever);
  run.repeated += (*session)->counters().retransmissions;
}

PatternResult summarize(const Run &run) {
  PatternResult out;
  out.total = s4u::Engine::get_clock();
  const auto [least, most] = std::minmax_element(run.times.begin(), run.times.end());
  out.least = *least;
  out.most = *most;
  for (double time : run.times)
    out.mean += time / double(run.times.size());
  out.perCall = (run.last - run.first) / run.options.calls;
  if (run.meeting)
    for (uint32_t c = 0; c < run.options.calls; ++c)
      out.afterLast += (run.lastEnd[c] - run.lastBegin[c]) / run.options.calls;
  out.traffic = run.world.counters();
  out.repeated = run.repeated;
  out.links = run.world.linkUse();
  out.hardware = run.world.hardware();
  return out;
}

/// The engine with what SimGrid is to be told; it reads a command line.
s4u::Engine makeEngine() {
  static char name[] = "acis", quiet[] = "--log=root.thresh:error",
              model[] = "--cfg=network/model:CM02", alone[] = "--cfg=network/crosstraffic:0",
              precision[] = "--cfg=surf/precision:1e-12",
              *words[] = {name, quiet, model, alone, precision, nullptr};
  char **arguments = words;
  int count = 5;
  return s4u::Engine(&count, arguments);
}

} // namespace

Result<PatternResult> runPattern(const Platform &platform, const WorldOptions &options,
                                 const PatternOptions &pattern) {
  try {
    s4u::Engine engine = makeEngine();
    Result<std::unique_ptr<World>> world = World::make(platform, options);
    if (!world)
      return world.error();
    Run run{.world = **world,
            .options = pattern,
            .contents = Contents(pattern.shape, options.ranks, pattern.seed),
            .times = std::vector<double>(size_t(options.ranks) * pattern.calls),
            .lastBegin = std::vector<double>(pattern.calls),
            .lastEnd = std::vector<double>(pattern.calls)};
    if (pattern.together || !pattern.lateness.empty())
      run.meeting = s4u::Barrier::create(options.ranks);
    (*world)->atLimit([&] {
      char limit[32];
      std::snprintf(limit, sizeof limit, "%g", options.limit);
      run.failure = std::string("not done after ") + limit +
                    " s of simulated time, the limit; who waits for whom:\n" + (*world)->whoWaits();
      s4u::Actor::kill_all();
    });
    for (uint32_t rank = 0; rank < options.ranks; ++rank)
      s4u::Actor::create("rank" + std::to_string(rank), (*world)->hostOfRank(rank),
                         [&run, rank] { actAsRank(run, rank); });
    engine.run();
    if (!run.failure.empty())
      return Error{"", run.failure};
    PatternResult result = summarize(run);
    if ((*world)->timeline())
      result.timeline = (*world)->finishTimeline();
    return result;
  } catch (const std::exception &error) {
    return Error{"", std::string("SimGrid: ") + error.what()};
  }
}

} // namespace acis::cluster
