// See Measure.h.
#include "runtime/host/mpi/interpose/Measure.h"

#include "runtime/host/mpi/interpose/Communicator.h"
#include "runtime/host/mpi/interpose/Perform.h"
#include "runtime/host/mpi/interpose/Process.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <vector>

namespace acis::mpi {
namespace {

using algorithms::Algorithm;

/// Of each kind, way and size; the least of them counts, after one that does not.
constexpr size_t Calls = 4;
/// Longer calls are not begun when the calls before have taken so much, nor such as would hold more
/// bytes on a rank.
constexpr double MostMicroseconds = 200'000;
constexpr uint64_t MostBytes = 4 << 20;

/// The call by the MPI underneath.
int plainly(const Arguments &given) {
  const auto &[at, count, type] = given.send;
  void *result = const_cast<void *>(given.recv.at);
  const MPI_Comm comm = given.comm;
  switch (given.kind) {
  case Kind::Allreduce:
    return PMPI_Allreduce(at, result, count, type, given.op, comm);
  case Kind::Reduce:
    return PMPI_Reduce(at, result, count, type, given.op, given.root, comm);
  case Kind::Bcast:
    return PMPI_Bcast(result, count, type, given.root, comm);
  case Kind::Gather:
    return PMPI_Gather(at, count, type, result, count, type, given.root, comm);
  case Kind::Allgather:
    return PMPI_Allgather(at, count, type, result, count, type, comm);
  case Kind::Scatter:
    return PMPI_Scatter(at, count, type, result, count, type, given.root, comm);
  case Kind::ReduceScatter:
    return PMPI_Reduce_scatter(at, result, given.counts, type, given.op, comm);
  case Kind::ReduceScatterBlock:
    return PMPI_Reduce_scatter_block(at, result, count, type, given.op, comm);
  case Kind::Barrier:
    return PMPI_Barrier(comm);
  case Kind::Scan:
    return PMPI_Scan(at, result, count, type, given.op, comm);
  case Kind::Exscan:
    return PMPI_Exscan(at, result, count, type, given.op, comm);
  case Kind::Alltoall:
    return PMPI_Alltoall(at, count, type, result, count, type, comm);
  }
  return MPI_ERR_OTHER;
}

class Measurement {
public:
  explicit Measurement(Process &state) : state(state), ranks(uint64_t(state.size)) {
    const uint64_t most = std::max(MostBytes, Costs::Sizes[0] * ranks) / sizeof(double);
    given.resize(most);
    taken.resize(most);
  }

  Costs run() {
    const Policy kept = state.settings.policy;
    Costs costs;
    for (size_t size = 0; size < Costs::Sizes.size(); ++size)
      for (unsigned k = 0; k < NumKinds; ++k)
        if (kept.offloads(Kind(k)) && isMeasured(Kind(k), size))
          for (Algorithm way : Costs::Ways)
            if (has(Kind(k), way))
              costs.set(Kind(k), way, size, measure(Kind(k), way, Costs::Sizes[size]));
    state.settings.policy = kept;
    state.summary.clear();
    return costs;
  }

private:
  bool isMeasured(Kind kind, size_t size) const {
    return size == 0 || (kind != Kind::Barrier && spent < MostMicroseconds &&
                         Costs::Sizes[size] * ranks <= MostBytes);
  }

  /// Microseconds of the slowest rank.
  float measure(Kind kind, Algorithm way, uint64_t bytes) {
    Policy &policy = state.settings.policy;
    policy.rules[0] = {kind, way, 0};
    policy.numRules = 1;
    const Arguments call = describe(kind, bytes);
    std::array<float, Calls + 1> times{};
    for (float &time : times) {
      PMPI_Barrier(MPI_COMM_WORLD);
      const auto start = std::chrono::steady_clock::now();
      Meter meter;
      Reason reason;
      if (!perform(call, meter, reason))
        (void)plainly(call);
      time = std::chrono::duration<float, std::micro>(std::chrono::steady_clock::now() - start)
                 .count();
    }
    std::array<float, Calls + 1> slowest{};
    PMPI_Allreduce(times.data(), slowest.data(), int(times.size()), MPI_FLOAT, MPI_MAX,
                   MPI_COMM_WORLD);
    for (float time : slowest)
      spent += time;
    return std::max(*std::min_element(slowest.begin() + 1, slowest.end()), 0.001f);
  }

  Arguments describe(Kind kind, uint64_t bytes) {
    const int count = kind == Kind::Barrier ? 0 : int(bytes / sizeof(double));
    counts.assign(size_t(ranks), count);
    Arguments call = {.kind = kind, .name = "MPI", .site = nullptr, .comm = MPI_COMM_WORLD};
    call.send = {given.data(), count, MPI_DOUBLE};
    call.recv = {taken.data(), count, MPI_DOUBLE};
    if (kind == Kind::Bcast)
      call.send = call.recv;
    if (kind == Kind::ReduceScatter)
      call.counts = counts.data();
    if (isReduction(kind))
      call.op = MPI_SUM;
    return call;
  }

  Process &state;
  const uint64_t ranks;
  std::vector<double> given, taken;
  std::vector<int> counts;
  double spent = 0; ///< the same on all ranks
};

/// Of the file, if it is there.
Result<Costs> readFile(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file)
    return Costs();
  text << file.rdbuf();
  Result<Costs> costs = Costs::parse(text.str());
  if (!costs)
    return Error{"ACIS_COSTS: " + path + (costs.error().where.empty() ? "" : ": ") +
                     costs.error().where,
                 costs.error().what + "; without the file it is made anew"};
  return costs;
}

Status writeFile(const std::string &path, const Costs &costs) {
  std::ofstream file(path);
  if (!(file << costs.json()) || !file.flush())
    return Error{"ACIS_COSTS: " + path, "cannot be written"};
  return {};
}

} // namespace

Status findCosts() {
  Process &state = process();
  Settings &settings = state.settings;
  const Communicator *world = find(MPI_COMM_WORLD);
  if (!settings.policy.choosesByHosts() || !world || world->isOneHost ||
      world->state != Reason::Offloaded)
    return {};
  Status status;
  int measures = settings.measuresCosts;
  if (state.rank == 0 && !settings.costsFile.empty()) {
    Result<Costs> found = readFile(settings.costsFile);
    if (found)
      settings.policy.costs = *found;
    else
      status = found.error();
    measures = found && found->isEmpty();
  }
  PMPI_Bcast(&measures, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (measures) {
    settings.policy.costs = Measurement(state).run();
    if (state.rank == 0 && !settings.costsFile.empty())
      status = writeFile(settings.costsFile, settings.policy.costs);
  }
  PMPI_Bcast(&settings.policy.costs, sizeof settings.policy.costs, MPI_BYTE, 0, MPI_COMM_WORLD);
  return status;
}

} // namespace acis::mpi
