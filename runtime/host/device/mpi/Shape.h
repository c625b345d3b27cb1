// Datatypes as blocks at regular distances, which a device copies without what lies between.
#pragma once

#include "runtime/host/device/Copy.h"

#include <mpi.h>

#include <optional>

namespace acis::device {

/// Of `count` elements, from their lowest byte. Nothing for other types than vectors, subarrays and
/// what is made of such, for what overlaps or goes downwards, and beyond two distances.
std::optional<Rows> rowsOf(MPI_Datatype type, size_t count);

} // namespace acis::device
