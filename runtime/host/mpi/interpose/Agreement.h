// What the members of a communicator tell each other, through the MPI underneath, before the
// switch has it: with a deadline, after which those who have not come are named.
#pragma once

#include "backend/support/Result.h"

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace acis::mpi {

class Agreement {
public:
  using Clock = std::chrono::steady_clock;

  /// Of the members of `comm`, whose ranks in MPI_COMM_WORLD are `members`. Its calls are
  /// collective ones of `comm`, and wait until `end` at most. After a failure `comm` has a
  /// collective under way for ever: nobody may begin another.
  Agreement(MPI_Comm comm, std::vector<uint32_t> members, Clock::time_point end)
      : comm(comm), members(std::move(members)), end(end) {}

  /// The number that the lowest rank has.
  Result<uint64_t> lowestHas(uint64_t number);
  /// Whether `here` is true on all.
  Result<bool> everywhere(bool here);

private:
  Status complete(MPI_Request request);
  Error givenUp();

  MPI_Comm comm;
  std::vector<uint32_t> members;
  Clock::time_point end;
};

} // namespace acis::mpi
