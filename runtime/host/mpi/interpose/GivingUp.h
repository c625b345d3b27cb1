// What members of a communicator say to each other, through the MPI underneath, when they give up a
// call after ACIS_TIMEOUT: who waits for one that itself waits can then name the one at the end.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace acis::mpi {

/// Whom one that gives up waits for.
struct Waiting {
  int forRank = -1; ///< in MPI_COMM_WORLD; negative: it knows no single one
  std::string why;  ///< else what it was told, for the others; cut at 200 characters
};

/// Ranks in MPI_COMM_WORLD, and what they have said.
using Said = std::map<uint32_t, Waiting>;

/// Says to all `members`, ranks in MPI_COMM_WORLD, that this one gives up the call that `name`
/// stands for, and listens for half a second: who gives up with it began at about the same time.
Said giveUpTogether(std::span<const uint32_t> members, uint64_t name, const Waiting &mine);

/// "rank 3 has not come", the one whom `rank` waits for in the end, or why that is not known. One
/// that waits for no single rank waits for those that others wait for.
std::string causeOf(uint32_t rank, const Said &said);

/// A number for some ranks and what they have in common, the same on all of them.
uint64_t nameOf(std::span<const uint32_t> members, uint64_t number = 0);

/// At MPI_Init, on all ranks.
void setUpGivingUp();

} // namespace acis::mpi
