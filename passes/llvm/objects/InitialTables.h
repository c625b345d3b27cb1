// Local arrays of which a few elements start from constants and the rest from zero.
//
// Clang writes those as a fill and one store for each; arrays are in the register file, which
// the scalar unit does not reach. They become a copy of a constant array, as Clang makes them
// of initialisers with more elements, and that is loaded with the handler.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace acis {

/// Whether anything was changed.
bool gatherInitialTables(llvm::Function &handler);

} // namespace acis
