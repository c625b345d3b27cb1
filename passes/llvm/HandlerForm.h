// Brings handlers to the form that the importer and the verifier expect, by the steps of Steps.h.
//
// Ensures: each handler is one function without calls (but those of the overlay); scalars are in
// registers; loops are in simplified, rotated, closed form with counters from 0; no operation is
// left that no unit has; innermost loops have no condition but around single stores and loads.
// Reads of the input stream keep their order. Loops are neither vectorised nor exchanged.
#pragma once

#include "passes/cost/CostModel.h"
#include "passes/llvm/Diagnostic.h"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace acis {

struct FormOptions {
  explicit FormOptions(const Overlay &overlay) : cost(overlay) {}

  CostModel cost;
  bool verifyEach = false;  ///< check the properties of Steps.h behind each step
  llvm::StringRef lastStep; ///< of Steps.h, to stop behind; none: all are done
};

/// On a handler whose packet is to be read into an array first, if that can be: its reads may be in
/// any order then. For handlers that are refused because of the stream's.
inline constexpr llvm::StringLiteral KeptPacketAttribute = "acis.kept-packet";

/// False if there was an error; the module is then of no further use.
bool bringToHandlerForm(llvm::Module &module, const FormOptions &options, Diagnostics &diagnostics);

} // namespace acis
