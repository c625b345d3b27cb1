// Which host each rank of MPI_COMM_WORLD is on.
#pragma once

#include "backend/support/Result.h"
#include "runtime/host/mpi/Settings.h"

#include <cstdint>
#include <span>
#include <vector>

namespace acis::mpi {

/// A number for each rank, the same on all ranks: of the lowest one there, or as listed. Collective
/// on MPI_COMM_WORLD, with the settings of rank 0 on all; fails alike on all.
Result<std::vector<uint32_t>> hostsOfWorld(const Settings &settings, int rank, int size);

/// Fills SessionOptions::leafOfRank by the names of the ranks' hosts (Settings::leafOfHost), as
/// they are or up to the first dot. Collective on MPI_COMM_WORLD. An error is of the rank whose
/// host has no leaf; NoSwitch stands for it on the others.
Status findLeaves(Settings &settings, int size);

/// Of some ranks of MPI_COMM_WORLD, by their numbers.
std::vector<uint32_t> hostsOf(std::span<const int> ranks);

} // namespace acis::mpi
