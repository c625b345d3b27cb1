// Makes windows of the reads of the input stream: docs/rationale/front-end.md, Windows.
#pragma once

#include "passes/llvm/Steps.h"

namespace acis {

/// What the three rules do, one behind the other: what loops read again of what was read in front
/// of them, what iterations read under conditions, what control code reads out of order.
bool readWindows(Forming &forming);

} // namespace acis
