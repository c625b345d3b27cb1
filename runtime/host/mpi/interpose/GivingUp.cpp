// See GivingUp.h.
#include "runtime/host/mpi/interpose/GivingUp.h"

#include "runtime/host/mpi/interpose/Process.h"

#include <mpi.h>

#include <array>
#include <chrono>
#include <set>
#include <unistd.h>

namespace acis::mpi {
namespace {

constexpr auto Grace = std::chrono::milliseconds(500);

struct Notice {
  uint64_t name = 0;
  int32_t forRank = -1;
  std::array<char, 204> why{};
};

/// The processes of MPI_COMM_WORLD, with a context in which nothing else is sent.
MPI_Comm notices = MPI_COMM_NULL;

/// Sends to a rank that does not come may never be complete: what they need lives on.
void sayToAll(std::span<const uint32_t> members, uint64_t name, const Waiting &mine) {
  auto &said = *new Notice{name, mine.forRank};
  mine.why.copy(said.why.data(), said.why.size() - 1);
  for (uint32_t rank : members)
    if (int(rank) != process().rank) {
      MPI_Request request;
      PMPI_Isend(&said, sizeof said, MPI_BYTE, int(rank), 0, notices, &request);
      PMPI_Request_free(&request);
    }
}

} // namespace

uint64_t nameOf(std::span<const uint32_t> members, uint64_t number) {
  uint64_t hash = 14695981039346656037u; // FNV-1a
  for (uint32_t rank : members)
    hash = (hash ^ rank) * 1099511628211u;
  return (hash ^ number) * 1099511628211u;
}

Said giveUpTogether(std::span<const uint32_t> members, uint64_t name, const Waiting &mine) {
  sayToAll(members, name, mine);
  Said said = {{uint32_t(process().rank), mine}};
  using Clock = std::chrono::steady_clock;
  for (const auto until = Clock::now() + Grace; Clock::now() < until; usleep(200)) {
    int here = 0;
    MPI_Status status;
    while (PMPI_Iprobe(MPI_ANY_SOURCE, 0, notices, &here, &status) == MPI_SUCCESS && here) {
      Notice heard;
      PMPI_Recv(&heard, sizeof heard, MPI_BYTE, status.MPI_SOURCE, 0, notices, MPI_STATUS_IGNORE);
      heard.why.back() = '\0';
      if (heard.name == name)
        said[uint32_t(status.MPI_SOURCE)] = {heard.forRank, heard.why.data()};
    }
  }
  return said;
}

std::string causeOf(uint32_t rank, const Said &said) {
  std::set<uint32_t> seen;
  for (auto at = said.find(rank); at != said.end() && seen.insert(rank).second;
       at = said.find(rank)) {
    const Waiting *waiting = &at->second;
    if (waiting->forRank < 0)
      for (const auto &[other, of] : said)
        if (of.forRank >= 0 && !seen.contains(uint32_t(of.forRank)))
          waiting = &of;
    if (waiting->forRank < 0)
      return waiting->why;
    rank = uint32_t(waiting->forRank);
  }
  return "rank " + std::to_string(rank) + " has not come";
}

void setUpGivingUp() {
  // Not a duplicate, which would copy the program's attributes.
  PMPI_Comm_split(MPI_COMM_WORLD, 0, process().rank, &notices);
}

} // namespace acis::mpi
