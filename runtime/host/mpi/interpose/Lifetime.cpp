// MPI_Init to MPI_Finalize: between them the process is attached to the switch.
#include "runtime/host/mpi/interpose/Agreement.h"
#include "runtime/host/mpi/interpose/Communicator.h"
#include "runtime/host/mpi/interpose/Flavour.h"
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

/// Logical and over all ranks: a step was taken everywhere or counts nowhere.
bool everywhere(bool here) {
  int mine = here, all = 0;
  PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return all != 0;
}

Status openSession(Process &state) {
  Result<Settings> settings = readSettings([](const char *name) { return std::getenv(name); });
  if (!settings)
    return settings.error();
  state.settings = *settings;
  if (state.settings.endpoint.address.empty())
    return Error{"ACIS_SWITCH", "is not set: no switch"};
  Result<Endpoint> endpoint = endpointOf(state.settings, uint32_t(state.rank));
  if (!endpoint)
    return endpoint.error();
  Result<std::unique_ptr<Session>> session =
      Session::open(*endpoint, uint32_t(state.rank), uint32_t(state.size), state.settings.session);
  if (!session)
    return session.error();
  state.session = std::move(*session);
  return {};
}

/// The first line of what went wrong on any rank, for rank 0 to say.
void sayWhyNot(const Process &state, const Status &status) {
  bool silent = state.settings.endpoint.address.empty() && status.error().where == "ACIS_SWITCH";
  if (!silent || state.settings.required)
    std::fprintf(stderr, "acis: rank %d: %s; collectives go to the MPI underneath\n", state.rank,
                 status.error().str().c_str());
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

/// Brings the counts of all ranks to rank 0, which prints them.
void report(Process &state, const SessionCounters &counters) {
  int wanted = !state.settings.why.empty();
  PMPI_Bcast(&wanted, 1, MPI_INT, 0, MPI_COMM_WORLD);
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
  PMPI_Reduce(mine, sums, 3, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
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
  Status opened = openSession(state);
  if (!opened)
    sayWhyNot(state, opened);
  state.settings.policy.joinsAtCreation =
      state.settings.joins == Joins::AtCreation ||
      (state.settings.joins == Joins::ByProgram && namesNonBlocking());
  bool all = everywhere(bool(opened));
  PMPI_Bcast(&state.settings.policy, sizeof state.settings.policy, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (!all) {
    state.session.reset();
    if (everywhere(!state.settings.required))
      return MPI_SUCCESS;
    return raiseError(MPI_COMM_WORLD, "a rank has no switch, and ACIS_REQUIRE asks for one");
  }
  setUpCommunicators();
  setUpAgreements();
  state.attached = true;
  setUp(MPI_COMM_WORLD);
  if (Status loaded = loadOperators(); !loaded && state.rank == 0)
    sayWhyNot(state, loaded);
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
