// Parts of an array that the accesses of a nest do not leave.
#pragma once

#include "passes/import/Plan.h"

namespace acis::import {

/// By access of the nest, the part of its array that it stays in, from 1: accesses of different
/// parts never meet, whichever iterations they are in. 0 where the array has no parts that are
/// known.
std::vector<unsigned> partsOf(const NestPlan &plan, llvm::ScalarEvolution &evolution);

} // namespace acis::import
