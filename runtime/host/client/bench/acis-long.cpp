// What a long collective costs in processor time, in ranks and in the switch: forks the ranks,
// which sleep rather than poll, and makes so many calls in a row. Wall time means nothing here.
//
// usage: acis-long SWITCH PID KIND RANKS BYTES CALLS [KEY]
//
// SWITCH is the HOST:PORT of an acisd with the process number PID, or 0: its time is not looked at.
// KIND is allreduce, allreduce-in-place, reduce or bcast. Results are checked, outside of what is
// timed. Prints microseconds of processor time for each megabyte (10^6 bytes) of the message: of a
// rank, by user and system; of the switch; then packets that a rank has sent and messages that were
// sent again, for each call.
#include "runtime/host/client/Session.h"
#include "runtime/host/client/bench/Arguments.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace acis;

namespace {

constexpr unsigned MostRanks = 64;
constexpr Nanoseconds limit = std::chrono::seconds(120);

struct Task {
  Endpoint endpoint;
  clockid_t clock = 0; ///< of the switch
  bool hasClock = false, inPlace = false;
  Kind kind = Kind::Allreduce;
  unsigned ranks = 0, bytes = 0, calls = 0;
};

/// Microseconds of all calls.
struct Figures {
  double user[MostRanks], system[MostRanks];
  double ofSwitch;
  uint64_t packets[MostRanks], repeated[MostRanks];
};

void fail(const std::string &what) {
  std::fprintf(stderr, "acis-long: error: %s\n", what.c_str());
  _exit(1);
}

unsigned number(const char *what, const char *text, unsigned least, unsigned most) {
  const std::optional<unsigned> value = numberIn(text, least, most);
  if (!value)
    fail(std::string(what) + ": found '" + text + "', allowed is a number from " +
         std::to_string(least) + " to " + std::to_string(most));
  return *value;
}

double switchTime(const Task &task) {
  timespec now{};
  if (task.hasClock)
    clock_gettime(task.clock, &now);
  return double(now.tv_sec) * 1e6 + double(now.tv_nsec) * 1e-3;
}

double microseconds(const timeval &time) {
  return double(time.tv_sec) * 1e6 + double(time.tv_usec);
}

class Rank {
public:
  Rank(const Task &task, uint32_t me, Figures &out) : task(task), me(me), out(out) {
    SessionOptions options;
    options.spin = Nanoseconds(0);
    auto made = Session::open(task.endpoint, me, task.ranks, options);
    if (!made)
      fail(made.error().str());
    session = std::move(*made);
    std::vector<uint32_t> all(task.ranks);
    std::iota(all.begin(), all.end(), 0);
    if (Status status = session->addCommunicator(0, all); !status)
      fail(status.error().str());
  }

  void run() {
    given.assign(task.bytes / sizeof(float), 0);
    taken = given;
    for (unsigned warm = 0; warm < 3; ++warm) {
      fill();
      once();
      check();
    }
    const SessionCounters before = session->counters();
    fill();
    barrier();
    rusage begin{}, end{};
    const double ofSwitch = switchTime(task);
    getrusage(RUSAGE_SELF, &begin);
    for (unsigned i = 0; i < task.calls; ++i)
      once();
    getrusage(RUSAGE_SELF, &end);
    out.user[me] = microseconds(end.ru_utime) - microseconds(begin.ru_utime);
    out.system[me] = microseconds(end.ru_stime) - microseconds(begin.ru_stime);
    barrier();
    if (me == 0)
      out.ofSwitch = switchTime(task) - ofSwitch;
    const SessionCounters after = session->counters();
    out.packets[me] = after.packetsSent - before.packetsSent;
    out.repeated[me] = after.retransmissions - before.retransmissions;
    fill();
    once();
    check();
    if (Status status = session->close(limit); !status)
      fail(status.error().str());
  }

private:
  bool isSource() const { return task.kind == Kind::Bcast && me == 0; }

  void call(const Collective &what) {
    Result<Request> request = session->start(what);
    if (!request)
      fail(request.error().str());
    if (Status status = session->wait(*request, limit); !status)
      fail(status.error().str());
  }
  void barrier() { call(Collective()); }
  void once() {
    Collective what;
    what.kind = task.kind;
    what.op = task.kind == Kind::Bcast ? ReduceOp::None : ReduceOp::Max;
    what.type = ElementType::Float32;
    what.count = given.size();
    what.send = task.inPlace ? nullptr : given.data();
    what.recv = task.inPlace ? given.data() : taken.data();
    if (task.kind == Kind::Bcast)
      what.send = what.recv = given.data();
    call(what);
  }

  /// A maximum stays what it is, however often it is taken.
  void fill() {
    for (size_t i = 0; i < given.size(); ++i)
      given[i] = task.kind == Kind::Bcast && !isSource() ? -1 : float((i + me) % 1000);
    std::fill(taken.begin(), taken.end(), -1.0f);
  }
  void check() const {
    if (task.kind == Kind::Reduce && me != 0)
      return;
    const std::vector<float> &found = task.inPlace || task.kind == Kind::Bcast ? given : taken;
    for (size_t i = 0; i < found.size(); ++i) {
      float expected = float(i % 1000);
      for (unsigned r = 1; task.kind != Kind::Bcast && r < task.ranks; ++r)
        expected = std::max(expected, float((i + r) % 1000));
      if (found[i] != expected)
        fail("rank " + std::to_string(me) + " has a wrong result at element " + std::to_string(i));
    }
  }

  const Task &task;
  const uint32_t me;
  Figures &out;
  std::unique_ptr<Session> session;
  std::vector<float> given, taken;
};

void readKind(Task &task, const std::string &name) {
  task.inPlace = name == "allreduce-in-place";
  if (name == "reduce")
    task.kind = Kind::Reduce;
  else if (name == "bcast")
    task.kind = Kind::Bcast;
  else if (name != "allreduce" && !task.inPlace)
    fail("KIND: found '" + name + "'; allowed: allreduce, allreduce-in-place, reduce, bcast");
}

void print(const Task &task, const Figures &figures) {
  const double calls = task.calls, megabytes = calls * task.bytes * 1e-6, ranks = task.ranks;
  auto mean = [&](const auto &each, double by) {
    return double(std::accumulate(each, each + task.ranks, 0.0)) / ranks / by;
  };
  std::printf("%.1f %.1f %.1f %.2f %.3f\n", mean(figures.user, megabytes),
              mean(figures.system, megabytes), figures.ofSwitch / megabytes,
              mean(figures.packets, calls), mean(figures.repeated, calls));
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 7 && argc != 8)
    fail(std::to_string(argc - 1) +
         " arguments; usage: acis-long SWITCH PID KIND RANKS BYTES CALLS [KEY]");
  Task task;
  task.endpoint = {argv[1], uint32_t(getpid()), argc == 8 ? argv[7] : ""};
  if (const auto pid = pid_t(number("PID", argv[2], 0, 1u << 22)); pid != 0) {
    task.hasClock = clock_getcpuclockid(pid, &task.clock) == 0;
    if (!task.hasClock)
      fail("PID: there is no process " + std::string(argv[2]));
  }
  readKind(task, argv[3]);
  task.ranks = number("RANKS", argv[4], 2, MostRanks);
  task.bytes = number("BYTES", argv[5], 4, 1u << 30) / 4 * 4;
  task.calls = number("CALLS", argv[6], 1, 1'000'000);
  auto *figures = static_cast<Figures *>(
      mmap(nullptr, sizeof(Figures), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (uint32_t r = 0; r < task.ranks; ++r)
    if (fork() == 0) {
      Rank(task, r, *figures).run();
      _exit(0);
    }
  int failures = 0, status = 0;
  while (wait(&status) > 0)
    failures += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  if (failures == 0)
    print(task, *figures);
  return failures ? 1 : 0;
}
