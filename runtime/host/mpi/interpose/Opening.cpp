// See Opening.h.
#include "runtime/host/mpi/interpose/Opening.h"

#include <mpi.h>

#include <cstdio>
#include <numeric>
#include <vector>

namespace acis::mpi {
namespace {

Status openSession(Process &state, unsigned turn) {
  Settings &settings = state.settings;
  if (settings.endpoint.address.empty())
    return Error{"ACIS_SWITCH", "is not set: no switch"};
  if (turn < settings.parents.size())
    settings.session.parentOfSwitch = settings.parents[turn];
  settings.session.turn = turn;
  Result<Endpoint> endpoint = endpointOf(settings, uint32_t(state.rank));
  if (!endpoint)
    return endpoint.error();
  Result<std::unique_ptr<Session>> session =
      Session::open(*endpoint, uint32_t(state.rank), uint32_t(state.size), settings.session);
  if (!session)
    return session.error();
  state.session = std::move(*session);
  return {};
}

/// Whether the switches above can be.
Status reach(Process &state) {
  if (state.settings.parents.empty())
    return {};
  std::vector<uint32_t> all(size_t(state.size));
  std::iota(all.begin(), all.end(), 0);
  const Status reached = state.session->reach(all);
  return reached ? Status()
                 : Status(Error{endpointOf(state.settings, uint32_t(state.rank))->address,
                                reached.error().what});
}

/// Of a rank, the worst last.
enum class Outcome : int { Reached, NotReached, NotOpened };

Outcome worst(Outcome here) {
  int mine = int(here), all = 0;
  PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return Outcome(all);
}

} // namespace

bool everywhere(bool here) {
  int mine = here, all = 0;
  PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return all != 0;
}

void sayWhyNot(const Process &state, const Status &status) {
  const bool silent =
      state.settings.endpoint.address.empty() && status.error().where == "ACIS_SWITCH";
  if (!silent || state.settings.required)
    std::fprintf(stderr, "acis: rank %d: %s; collectives go to the MPI underneath\n", state.rank,
                 status.error().str().c_str());
}

bool openSessions(Process &state, const Status &settings) {
  const unsigned turns = std::max(1u, unsigned(state.settings.policy.turns));
  for (unsigned turn = 0;; ++turn) {
    Status opened = settings ? openSession(state, turn) : settings;
    Outcome outcome = opened ? Outcome::Reached : Outcome::NotOpened;
    if (opened && !(opened = reach(state)))
      outcome = Outcome::NotReached;
    outcome = worst(outcome);
    if (outcome == Outcome::Reached)
      return true;
    state.session.reset();
    const bool isLast = turn + 1 >= turns || outcome == Outcome::NotOpened;
    if (!opened && isLast)
      sayWhyNot(state, opened);
    else if (!opened)
      std::fprintf(stderr, "acis: rank %d: %s; the next switch above is tried\n", state.rank,
                   opened.error().str().c_str());
    if (isLast)
      return false;
    (void)everywhere(true); // nobody begins before all have left
  }
}

} // namespace acis::mpi
