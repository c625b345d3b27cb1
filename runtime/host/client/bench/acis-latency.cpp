// Latency of small collectives through a running acisd, on one machine: forks the ranks,
// times each kind and size, prints the mean over ranks of microseconds per call.
//
// usage: acis-latency LEAF[,LEAF...] RANKS [REPEATS [KEY]]
//
// A LEAF is the HOST:PORT of a switch; ranks attach to several in turns, and a switch that
// is above all of them is their spine.
#include "runtime/host/client/Session.h"
#include "runtime/host/client/bench/Arguments.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace acis;

namespace {

constexpr const char *usage = "acis-latency LEAF[,LEAF...] RANKS [REPEATS [KEY]]";
constexpr unsigned MostRanks = 64, MostRepeats = 1'000'000'000;
constexpr Nanoseconds limit = std::chrono::seconds(20);

struct Shared {
  double microseconds[MostRanks];
  bool failed[MostRanks];
};

void fail(const std::string &what) {
  std::fprintf(stderr, "acis-latency: error: %s\n", what.c_str());
  _exit(1);
}

double timeOf(Session &session, Collective call, unsigned repeats) {
  Collective barrier;
  auto once = [&](const Collective &what) {
    Result<Request> request = session.start(what);
    if (!request)
      fail(request.error().str());
    if (Status status = session.wait(*request, limit); !status)
      fail(status.error().str());
  };
  for (unsigned i = 0; i < repeats / 10 + 1; ++i)
    once(call);
  std::chrono::nanoseconds sum(0);
  for (unsigned i = 0; i < repeats; ++i) {
    once(barrier);
    const auto start = std::chrono::steady_clock::now();
    once(call);
    sum += std::chrono::steady_clock::now() - start;
  }
  return double(sum.count()) / 1e3 / repeats;
}

struct Fabric {
  std::vector<std::string> leaves;
  uint32_t job = 0;
  std::string key;
  unsigned repeats = 1000;
};

void rank(const Fabric &fabric, uint32_t me, uint32_t size, Shared &shared) {
  const uint32_t leaves = uint32_t(fabric.leaves.size());
  SessionOptions options;
  for (uint32_t r = 0; r < size; ++r)
    options.leafOfRank.push_back(uint16_t(r % leaves));
  if (leaves > 1)
    options.parentOfSwitch.assign(leaves, uint16_t(leaves));
  auto session =
      Session::open({fabric.leaves[me % leaves], fabric.job, fabric.key}, me, size, options);
  if (!session)
    fail(session.error().str());
  std::vector<uint32_t> all(size);
  for (uint32_t r = 0; r < size; ++r)
    all[r] = r;
  if (Status status = (*session)->addCommunicator(0, all); !status)
    fail(status.error().str());
  Result<Request> together = (*session)->start(Collective());
  if (Status status = together ? (*session)->wait(*together, limit) : together.error(); !status)
    fail(status.error().str());
  if (me == 0) {
    std::printf("all %u ranks are there\n", size);
    std::fflush(stdout);
  }
  std::vector<float> in(1 << 20, 1), out(size_t(size) << 20);
  for (Kind kind :
       {Kind::Barrier, Kind::Allreduce, Kind::Reduce, Kind::Bcast, Kind::Allgather, Kind::Alltoall})
    for (size_t bytes : {4, 256, 4096, 65'536, 1'048'576}) {
      if ((kind == Kind::Barrier && bytes > 4) || (kind == Kind::Alltoall && bytes > 65'536))
        continue;
      Collective call;
      call.kind = kind;
      call.op = ReduceOp::Sum;
      call.type = ElementType::Float32;
      call.count = bytes / 4;
      call.send = in.data();
      call.recv = kind == Kind::Bcast ? in.data() : out.data();
      shared.microseconds[me] =
          timeOf(**session, call, bytes > 4096 ? fabric.repeats / 20 + 1 : fabric.repeats);
      Collective barrier; // all have written
      Result<Request> request = (*session)->start(barrier);
      if (!request || !(*session)->wait(*request, limit))
        fail("barrier");
      if (me == 0) {
        double sum = 0;
        for (uint32_t r = 0; r < size; ++r)
          sum += shared.microseconds[r];
        std::printf("%-12s %8zu %10.1f\n", nameOf(kind).data(), bytes, sum / size);
        std::fflush(stdout);
      }
    }
  const SessionCounters &count = (*session)->counters();
  if (me == 0)
    std::printf("rank 0: sent %lu received %lu repeated %lu polls %lu\n", count.packetsSent,
                count.packetsReceived, count.retransmissions, count.polls);
  if (Status status = (*session)->close(limit); !status)
    fail(status.error().str());
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3 || argc > 5)
    fail(std::to_string(argc - 1) + " arguments; usage: " + usage);
  const std::optional<unsigned> ranks = numberIn(argv[2], 1, MostRanks);
  if (!ranks)
    fail("RANKS: found '" + std::string(argv[2]) + "', allowed is a number from 1 to " +
         std::to_string(MostRanks));
  const uint32_t size = *ranks;
  Fabric fabric;
  std::string leaf;
  for (std::istringstream list(argv[1]); std::getline(list, leaf, ',');)
    fabric.leaves.push_back(leaf);
  fabric.job = uint32_t(getpid());
  if (argc > 3) {
    const std::optional<unsigned> repeats = numberIn(argv[3], 1, MostRepeats);
    if (!repeats)
      fail("REPEATS: found '" + std::string(argv[3]) + "', allowed is a number from 1 to " +
           std::to_string(MostRepeats));
    fabric.repeats = *repeats;
  }
  if (argc > 4)
    fabric.key = argv[4];
  auto *shared = static_cast<Shared *>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (uint32_t r = 0; r < size; ++r)
    if (fork() == 0) {
      rank(fabric, r, size, *shared);
      _exit(0);
    }
  int failures = 0, status = 0;
  while (wait(&status) > 0)
    failures += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  return failures ? 1 : 0;
}
