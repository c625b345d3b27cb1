// Nests that are the same are one nest, which the control code calls from several places.
#pragma once

#include "passes/dfg/DfgDialect.h"

namespace llvm {
class Function;
} // namespace llvm

namespace acis::import {

/// Two nests are the same if they differ in nothing but places of the source and local arrays that
/// may be one: of one kind, with lifetimes that do not meet. The first of them stays, and so do its
/// arrays. Functions that a handler calls more than once are inlined as often: their loops take the
/// slots, and their arrays the registers, of one.
void shareNests(llvm::Function &control, dfg::HandlerOp handler);

} // namespace acis::import
