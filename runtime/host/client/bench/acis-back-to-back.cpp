// What 003 measures: Allreduce of doubles, one call right after the other, through switches that
// run. Forks a rank for each of them; rank 0 times each of its calls.
//
// usage: acis-back-to-back ENGINE[,ENGINE...] CALLS BYTES[,BYTES...] [WAY]
//
// An ENGINE is HOST:PORT, in the order of the topology file. Prints for each size: bytes, calls,
// mean, least, median and 99th percentile in microseconds.
#include "runtime/host/client/Session.h"
#include "runtime/host/client/bench/Arguments.h"
#include "runtime/switch/collective/Tree.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace acis;

namespace {

constexpr Nanoseconds limit = std::chrono::seconds(60);

struct Task {
  std::vector<std::string> engines;
  unsigned calls = 0;
  std::vector<size_t> sizes;
  Way way = Way::Automatic;
};

void fail(const std::string &what) {
  std::fprintf(stderr, "acis-back-to-back: error: %s\n", what.c_str());
  _exit(1);
}

unsigned number(const char *what, const std::string &text, unsigned least) {
  constexpr unsigned Most = 1u << 30;
  const std::optional<unsigned> value = numberIn(text, least, Most);
  if (!value)
    fail(std::string(what) + ": found '" + text + "', allowed is a number from " +
         std::to_string(least) + " to " + std::to_string(Most));
  return *value;
}

Way wayNamed(const std::string &name) {
  std::string all;
  for (unsigned way = 0; way < NumWays; ++way) {
    if (nameOf(Way(way)) == name)
      return Way(way);
    all += (way == 0 ? "" : ", ") + std::string(nameOf(Way(way)));
  }
  fail("WAY: found '" + name + "'; allowed: " + all);
  return {};
}

void call(Session &session, const Collective &what) {
  Result<Request> request = session.start(what);
  if (!request)
    fail(request.error().str());
  if (Status status = session.wait(*request, limit); !status)
    fail(status.error().str());
}

void print(size_t bytes, std::vector<double> &times) {
  std::sort(times.begin(), times.end());
  const double mean = std::accumulate(times.begin(), times.end(), 0.0) / double(times.size());
  std::printf("%zu %zu %.2f %.2f %.2f %.2f\n", bytes, times.size(), mean, times.front(),
              times[times.size() / 2], times[times.size() * 99 / 100]);
  std::fflush(stdout);
}

void rank(const Task &task, uint32_t me, uint32_t job) {
  const auto size = uint32_t(task.engines.size());
  SessionOptions options;
  options.way = task.way;
  for (uint32_t r = 0; r < size; ++r)
    options.leafOfRank.push_back(uint16_t(r));
  options.parentOfSwitch.assign(size, collective::DirectNetwork);
  auto session = Session::open({task.engines[me], job, ""}, me, size, options);
  if (!session)
    fail(session.error().str());
  std::vector<uint32_t> all(size);
  std::iota(all.begin(), all.end(), 0);
  if (Status status = (*session)->addCommunicator(0, all); !status)
    fail(status.error().str());
  for (const size_t bytes : task.sizes) {
    std::vector<double> in(bytes / 8, me + 1.0), out(in);
    Collective sum;
    sum.kind = Kind::Allreduce;
    sum.op = ReduceOp::Sum;
    sum.type = ElementType::Float64;
    sum.count = in.size();
    sum.send = in.data();
    sum.recv = out.data();
    for (unsigned i = 0; i < task.calls / 20 + 1; ++i)
      call(**session, sum);
    std::vector<double> times;
    times.reserve(task.calls);
    auto last = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < task.calls; ++i) {
      call(**session, sum);
      const auto now = std::chrono::steady_clock::now();
      times.push_back(std::chrono::duration<double, std::micro>(now - last).count());
      last = now;
    }
    for (const double value : out)
      if (value != size * (size + 1) / 2.0)
        fail("a wrong sum");
    if (me == 0)
      print(bytes, times);
  }
  if (Status status = (*session)->close(limit); !status)
    fail(status.error().str());
}

std::vector<std::string> split(const char *text) {
  std::vector<std::string> out;
  std::string word;
  for (std::istringstream list(text); std::getline(list, word, ',');)
    out.push_back(word);
  return out;
}

} // namespace

int main(int argc, char **argv) {
  Task task;
  if (argc == 4 || argc == 5) {
    task.engines = split(argv[1]);
    task.calls = number("CALLS", argv[2], 1);
    for (const std::string &size : split(argv[3]))
      task.sizes.push_back(number("BYTES", size, 8) / 8 * 8);
    if (argc == 5)
      task.way = wayNamed(argv[4]);
  }
  if (task.engines.empty() || task.sizes.empty())
    fail(std::to_string(argc - 1) +
         " arguments; usage: acis-back-to-back ENGINE[,...] CALLS BYTES[,...] [WAY]");
  const auto job = uint32_t(getpid());
  for (uint32_t r = 0; r < task.engines.size(); ++r)
    if (fork() == 0) {
      rank(task, r, job);
      _exit(0);
    }
  int failures = 0, status = 0;
  while (wait(&status) > 0)
    failures += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  return failures ? 1 : 0;
}
