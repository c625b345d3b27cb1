// MPI_Init to MPI_Finalize: between them the process is attached to the switch.
#include "runtime/host/mpi/interpose/Communicator.h"
#include "runtime/host/mpi/interpose/Flavour.h"
#include "runtime/host/mpi/interpose/FusedWork.h"
#include "runtime/host/mpi/interpose/GivingUp.h"
#include "runtime/host/mpi/interpose/Hosts.h"
#include "runtime/host/mpi/interpose/Measure.h"
#include "runtime/host/mpi/interpose/Opening.h"
#include "runtime/host/mpi/interpose/Operators.h"
#include "runtime/host/mpi/interpose/Process.h"
#include "runtime/host/mpi/interpose/ProgramNames.h"
#include "runtime/host/mpi/interpose/Steps.h"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace acis::mpi {
namespace {

/// Of this rank, with rank 0's policy. An error is of this rank alone.
Status findSettings(Process &state) {
  Result<Settings> settings = readSettings([](const char *name) { return std::getenv(name); });
  if (settings)
    state.settings = *settings;
  state.settings.policy.fuses = hasFusedCalls();
  state.settings.policy.joinsAtCreation =
      state.settings.joins == Joins::AtCreation ||
      (state.settings.joins == Joins::ByProgram && namesNonBlocking());
  state.settings.policy.pairs = state.settings.policy.joinsAtCreation && namesPairs();
  state.settings.policy.varies = namesVarying();
  PMPI_Bcast(&state.settings.policy, sizeof state.settings.policy, MPI_BYTE, 0, MPI_COMM_WORLD);
  state.summary.setCounting(state.settings.policy.counts);
  return settings ? Status() : settings.error();
}

/// Of all ranks. A file of JSON is written anew, others get it at their end.
void writeReport(const Process &state, const Traffic &traffic) {
  const std::string &why = state.settings.why;
  const bool isJson = why.ends_with(".json");
  const std::string report = isJson ? state.summary.json(uint32_t(state.size), traffic)
                                    : state.summary.report(uint32_t(state.size), traffic);
  if (why == "1") {
    std::fputs(report.c_str(), stderr);
    return;
  }
  if (std::FILE *file = std::fopen(why.c_str(), isJson ? "w" : "a")) {
    std::fputs(report.c_str(), file);
    std::fclose(file);
  }
}

/// Brings the counts of all ranks to rank 0, which prints them. Calls in which all ranks send and
/// receive come last: MPICH over UCX and TCP does not always come back from MPI_Finalize in a rank
/// whose last message was to one that has nothing to send to it.
void report(Process &state, const SessionCounters &counters) {
  int wanted = !state.settings.why.empty();
  PMPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (!wanted)
    return;
  std::string lines = state.summary.serialize();
  int length = int(lines.size());
  std::vector<int> lengths(state.size), offsets(state.size);
  PMPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  int total = 0;
  for (int r = 0; r < state.size; ++r) {
    offsets[r] = total;
    total += lengths[r];
  }
  std::vector<char> all(total + 1);
  PMPI_Gatherv(lines.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR,
               0, MPI_COMM_WORLD);
  uint64_t mine[3] = {counters.packetsSent, counters.bytesSent, counters.retransmissions};
  uint64_t sums[3] = {0, 0, 0};
  PMPI_Allreduce(mine, sums, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (state.rank != 0)
    return;
  state.summary.merge({all.data(), size_t(total)});
  writeReport(state, {sums[0], sums[1], sums[2]});
}

/// Leaves the switch; what was sent and received until then.
SessionCounters leaveSwitch(Process &state) {
  if (!state.attached.exchange(false))
    return {};
  tearDownCommunicators();
  // What was given and needs no answer may be for a root that is far behind, and wait for room:
  // it must arrive before this process ends. The root may be waiting for the MPI underneath.
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + state.settings.timeout;
  while (!state.session->drain(std::chrono::milliseconds(2)) && state.session->progress() &&
         Clock::now() < end)
    driveProgress();
  (void)state.session->close(std::chrono::seconds(1));
  const SessionCounters counters = state.session->counters();
  state.session.reset();
  return counters;
}

/// Fails alike on all ranks.
Status findHosts(Process &state) {
  Result<std::vector<uint32_t>> hosts = hostsOfWorld(state.settings, state.rank, state.size);
  if (!hosts)
    return hosts.error();
  state.hostOfRank = std::move(*hosts);
  return {};
}

/// After MPI is up. An MPI error code: not MPI_SUCCESS only when ACIS_REQUIRE asks for a switch
/// that is not there.
int attach() {
  Process &state = process();
  PMPI_Comm_rank(MPI_COMM_WORLD, &state.rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &state.size);
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL)
    return MPI_SUCCESS; // spawned: a world of its own, which the switch does not know
  Status settings = findSettings(state);
  if (state.settings.policy.leavesByHost) {
    const Status placed = findLeaves(state.settings, state.size);
    settings = settings ? placed : settings;
  }
  bool all = openSessions(state, settings);
  if (all)
    if (Status placed = findHosts(state); !placed) {
      all = false;
      if (state.rank == 0)
        sayWhyNot(state, placed);
    }
  if (!all) {
    state.session.reset();
    if (everywhere(!state.settings.required))
      return MPI_SUCCESS;
    return raiseError(MPI_COMM_WORLD, "a rank has no switch, and ACIS_REQUIRE asks for one");
  }
  setUpCommunicators();
  setUpGivingUp();
  state.attached = true;
  setUp(MPI_COMM_WORLD);
  if (Status loaded = loadOperators(); !loaded && state.rank == 0)
    sayWhyNot(state, loaded);
  if (Status known = findCosts(); !known && state.rank == 0)
    sayWhyNot(state, known);
  return MPI_SUCCESS;
}

int start() {
  const int code = attach();
  beginSteps();
  return code;
}

/// Before MPI goes down: reports and leaves.
void detach() {
  Process &state = process();
  // First, so that ranks which call on after this one has ended learn of it: the report waits for
  // rank 0.
  const SessionCounters counters = leaveSwitch(state);
  writeSteps();
  report(state, counters);
}

} // namespace
} // namespace acis::mpi

using namespace acis::mpi;

extern "C" {

int MPI_Init(int *argc, char ***argv) {
  int code = PMPI_Init(argc, argv);
  return code == MPI_SUCCESS ? start() : code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int code = PMPI_Init_thread(argc, argv, required, provided);
  return code == MPI_SUCCESS ? start() : code;
}

int MPI_Finalize() {
  detach();
  return PMPI_Finalize();
}

} // extern "C"
