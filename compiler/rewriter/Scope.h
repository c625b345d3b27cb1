// Where the rewriter looks up callees.
#pragma once

#include <cstdint>

namespace acis::rewriter {

/// Auto: in all files if they can be one program, that is if no function is defined in two of
/// them.
enum class Scope : uint8_t { File, Auto, Program };

} // namespace acis::rewriter
