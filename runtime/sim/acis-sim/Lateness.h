// How late each rank comes to each call of a collective, as traces have it.
#pragma once

#include "backend/support/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace acis::cluster {

/// A line of the file is a call: microseconds for each of `ranks`, with spaces or commas between;
/// lines that are empty or begin with # are passed over. In seconds, by call and rank; at least one
/// call. Errors name file and line.
Result<std::vector<std::vector<double>>> readLateness(const std::string &path, uint32_t ranks);

} // namespace acis::cluster
