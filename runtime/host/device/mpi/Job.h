// What the library's ends of one job share: communicators of their own, and a secret that tells an
// announcement from the program's data. From MPI_Init to MPI_Finalize.
#pragma once

#include "runtime/host/device/Choices.h"

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acis::device {

struct Job {
  MPI_Comm all = MPI_COMM_NULL; ///< the ranks of MPI_COMM_WORLD: chunks
  MPI_Comm own = MPI_COMM_NULL; ///< this rank: messages that were taken before they were received
  std::array<uint64_t, 2> cookie{};
  int rank = 0, ranks = 1;
  int numTags = 32'768;
  std::vector<char> isHere; ///< by rank: whether it is on this host
  std::atomic<uint32_t> transfers = 0;
  std::atomic<size_t> buffered = 0; ///< bytes that MPI has still to send
  std::atomic<bool> isUsed = false; ///< this rank has announced something, or received that

  /// How many messages of device memory went each way; of those that could not go as chosen, why.
  std::array<std::atomic<uint64_t>, 3> sent{};
};

/// Null outside of MPI_Init and MPI_Finalize.
Job *job() noexcept;

/// Both are collective over MPI_COMM_WORLD.
void openJob();
void closeJob();

/// The rank of MPI_COMM_WORLD that is `peer` of a communicator; nothing for another job's.
std::optional<int> worldRank(MPI_Comm comm, int peer);

/// For ACIS_DEVICE_WHY: a message was to go another way.
void noteReason(const std::string &why);

} // namespace acis::device
