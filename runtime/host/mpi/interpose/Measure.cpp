// See Measure.h.
#include "runtime/host/mpi/interpose/Measure.h"

#include "runtime/host/mpi/interpose/Communicator.h"
#include "runtime/host/mpi/interpose/Perform.h"
#include "runtime/host/mpi/interpose/Process.h"
#include "runtime/host/mpi/interpose/Varying.h"
#include "runtime/host/mpi/interpose/VaryingPairs.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <vector>

namespace acis::mpi {
namespace {

using algorithms::Algorithm;

/// Of each kind, way and size, after one that does not count. The second of them counts, in the
/// order of their times: one that is the least by luck says little of a machine that is shared.
constexpr size_t Calls = 4, Counts = 1;
/// Calls of a kind with longer blocks are not begun when its shorter ones have taken so much in all
/// ways, so that kinds which take little are known for all sizes; nor such as would hold more bytes
/// on a rank.
constexpr double MostMicroseconds = 20'000;
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

/// The same in another form, with blocks of one length.
int plainly(const VaryingArguments &given, MPI_Request *request) {
  const Blocks &send = given.send, &recv = given.recv;
  void *result = const_cast<void *>(recv.at);
  const int root = given.call.root;
  const MPI_Comm comm = given.call.comm;
  switch (given.call.kind) {
  case Kind::Gather:
    return request ? PMPI_Igatherv(send.at, *send.counts, send.type, result, recv.counts,
                                   recv.places, recv.type, root, comm, request)
                   : PMPI_Gatherv(send.at, *send.counts, send.type, result, recv.counts,
                                  recv.places, recv.type, root, comm);
  case Kind::Scatter:
    return request ? PMPI_Iscatterv(send.at, send.counts, send.places, send.type, result,
                                    *recv.counts, recv.type, root, comm, request)
                   : PMPI_Scatterv(send.at, send.counts, send.places, send.type, result,
                                   *recv.counts, recv.type, root, comm);
  case Kind::Alltoall:
    return request ? PMPI_Ialltoallv(send.at, send.counts, send.places, send.type, result,
                                     recv.counts, recv.places, recv.type, comm, request)
                   : PMPI_Alltoallv(send.at, send.counts, send.places, send.type, result,
                                    recv.counts, recv.places, recv.type, comm);
  default:
    return PMPI_Allgatherv(send.at, *send.counts, send.type, result, recv.counts, recv.places,
                           recv.type, comm);
  }
}

class Measurement {
public:
  explicit Measurement(Process &state) : state(state), ranks(uint64_t(state.size)) {
    const uint64_t most = std::max(MostBytes, ShortBlock * ranks) / sizeof(double);
    given.resize(most);
    taken.resize(most);
  }

  Costs run() {
    const Policy kept = state.settings.policy;
    for (const Form form : {Form::Plain, Form::Varying, Form::Paired}) {
      if ((form == Form::Varying && !kept.varies) || (form == Form::Paired && !kept.pairs))
        continue;
      for (unsigned k = 0; k < NumKinds; ++k)
        if (kept.offloads(Kind(k)) && Costs::has(Kind(k), form))
          measureKind(Kind(k), form);
    }
    state.settings.policy = kept;
    state.summary.clear();
    return costs;
  }

private:
  void measureKind(Kind kind, Form form) {
    double spent = 0; // the same on all ranks
    const size_t sizes = kind == Kind::Barrier || form == Form::Paired ? 1 : Costs::Sizes.size();
    for (size_t size = 0; size < sizes && spent < MostMicroseconds; ++size) {
      const uint64_t bytes = form == Form::Paired ? ShortBlock : Costs::Sizes[size];
      if (size > 0 && bytes * ranks > MostBytes)
        return;
      for (Algorithm way : Costs::Ways)
        if (has(kind, way) && (form == Form::Plain || way != Algorithm::Nodes))
          costs.set(kind, form, way, size, measure(kind, form, way, bytes, spent));
    }
  }

  /// Microseconds of the slowest rank; adds those of all calls to `spent`.
  float measure(Kind kind, Form form, Algorithm way, uint64_t bytes, double &spent) {
    Policy &policy = state.settings.policy;
    policy.rules[0] = {kind, way, 0};
    policy.numRules = 1;
    const Arguments call = describe(kind, bytes);
    const VaryingArguments varying = form == Form::Plain ? VaryingArguments{call} : vary(call);
    std::array<float, Calls + 1> times{};
    for (float &time : times) {
      PMPI_Barrier(MPI_COMM_WORLD);
      const auto start = std::chrono::steady_clock::now();
      if (form == Form::Plain)
        once(call);
      else
        once(varying, form);
      time = std::chrono::duration<float, std::micro>(std::chrono::steady_clock::now() - start)
                 .count();
    }
    std::array<float, Calls + 1> slowest{};
    PMPI_Allreduce(times.data(), slowest.data(), int(times.size()), MPI_FLOAT, MPI_MAX,
                   MPI_COMM_WORLD);
    for (float time : slowest)
      spent += time;
    std::sort(slowest.begin() + 1, slowest.end());
    return std::max(slowest[1 + Counts], 0.001f);
  }

  static void once(const Arguments &call) {
    Meter meter;
    Reason reason;
    if (!perform(call, meter, reason))
      (void)plainly(call);
  }

  static void once(const VaryingArguments &call, Form form) {
    Meter meter;
    Reason reason;
    if (form == Form::Varying) {
      if (!performVarying(call, meter, reason))
        (void)plainly(call, nullptr);
      return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    if (!beginVarying(call, &request))
      (void)plainly(call, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); // that of this library
  }

  /// The same with blocks that have lengths of their own, here all the same.
  VaryingArguments vary(const Arguments &call) {
    counts.assign(size_t(ranks), call.send.count);
    places.resize(size_t(ranks));
    for (size_t i = 0; i < places.size(); ++i)
      places[i] = int(i) * call.send.count;
    const Roles &roles = rolesOf(call.kind);
    const auto blocks = [&](const BufferArgument &buffer, bool areEach) {
      return Blocks{.at = buffer.at,
                    .counts = counts.data(),
                    .places = areEach ? places.data() : nullptr,
                    .type = buffer.type,
                    .areEach = areEach};
    };
    return {.call = {.kind = call.kind, .name = call.name, .site = nullptr, .comm = call.comm},
            .send = blocks(call.send, roles.givesEach),
            .recv = blocks(call.recv, roles.takesEach)};
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
  std::vector<int> counts, places;
  Costs costs;
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
