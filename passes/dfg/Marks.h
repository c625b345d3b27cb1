// Attributes by which one pass tells a later one something that no operation has a place for.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

namespace acis::dfg {

/// On a dfg.loop of a scalar nest that becomes one with the loop around it, though that does
/// more than run it: the import says so.
inline constexpr llvm::StringLiteral FlattenAttr = "flatten";
/// On a nest whose iterations are one element each, with the reason why they are not lanes.
inline constexpr llvm::StringLiteral ScalarAttr = "scalar";
/// On a nest with unrolled loops that could be run in another way: no mapping is looked for as long
/// as where there is none.
inline constexpr llvm::StringLiteral UnrolledAttr = "unrolled";
inline bool hasOtherWay(mlir::Operation *nest) { return nest && nest->hasAttr(UnrolledAttr); }
/// On accesses of an array: those with different numbers never meet, in whichever iterations of the
/// nest they are. The import says so.
inline constexpr llvm::StringLiteral PartAttr = "part";
/// On arrays that several handlers use: dfg-share-arrays says so.
inline constexpr llvm::StringLiteral SharedAttr = "shared";
/// On a graph: an interval that dfg-spread-arrays found with a brief search.
inline constexpr llvm::StringLiteral FoundAttr = "found";

} // namespace acis::dfg
