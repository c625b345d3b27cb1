// Fully unrolls short inner loops that cannot be lanes of the overlay: loops over rows,
// loops over a window that is kept in a small local array, and triangular nests over such
// arrays, like sorts. What is around them can then be the lanes. Loops over VPEs stay (their
// iterations run side by side), and so do sums in the overlay's own order.
//
// Whether what is unrolled can be mapped is known later. A handler has an attribute with the places
// of outermost loops in which something was unrolled, and may have one with those that are to stay
// as they are: the driver asks for that where a nest cannot be mapped unrolled.
#pragma once

#include "passes/cost/CostModel.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace acis {

/// Attributes of a handler: places of outermost loops, "file:line:column", one to a line.
inline constexpr llvm::StringLiteral UnrolledAttribute = "acis.unrolled";
inline constexpr llvm::StringLiteral RolledAttribute = "acis.rolled";

/// Whether an attribute of a handler has a place, and adding it.
bool hasPlace(const llvm::Function &handler, llvm::StringRef attribute, llvm::StringRef place);
void addPlace(llvm::Function &handler, llvm::StringRef attribute, llvm::StringRef place);

class UnrollWindowsPass : public llvm::PassInfoMixin<UnrollWindowsPass> {
public:
  explicit UnrollWindowsPass(const CostModel &cost) : cost(cost) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  const CostModel &cost;
};

} // namespace acis
