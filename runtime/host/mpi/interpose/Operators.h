// User operators that have a compiled handler: which MPI_Op stands for which operator of
// the session. They come from ACIS_Op_create(), or from ACIS_OPERATORS for programs that
// only call MPI_Op_create().
#pragma once

#include "backend/support/Result.h"

#include <mpi.h>

#include <cstdint>

namespace acis::mpi {

/// The session's handle of the operator behind `op`, or nullptr.
const uint64_t *findOperator(MPI_Op op);

/// Loads what ACIS_OPERATORS names; collective over MPI_COMM_WORLD. Fails with the first
/// that could not be loaded on some rank, which then is not offloaded.
Status loadOperators();

} // namespace acis::mpi
