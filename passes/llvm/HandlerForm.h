// Brings handlers to the form that the importer and the verifier expect, by the steps of Steps.h.
//
// Ensures: each handler is one function without calls (but those of the overlay); scalars are in
// registers; loops are in simplified, rotated, closed form with counters from 0; no operation is
// left that no unit has; innermost loops have no condition but around single stores and loads.
// Reads of the input stream keep their order. Loops are neither vectorised nor exchanged.
#pragma once

#include "passes/llvm/Diagnostic.h"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace acis {

struct FormOptions {
  unsigned lanes = 16;          ///< SIMD lanes of 32 bits of the overlay
  unsigned operations = 1024;   ///< that one of its contexts holds: slots of all PEs
  unsigned memoryPorts = 16;    ///< accesses to off-chip memory that a loop may have
  unsigned scratchBytes = 4096; ///< of the scalar unit; static variables may use half
  bool verifyEach = false;      ///< check the properties of Steps.h behind each step
  llvm::StringRef lastStep;     ///< of Steps.h, to stop behind; none: all are done
};

/// False if there was an error; the module is then of no further use.
bool bringToHandlerForm(llvm::Module &module, const FormOptions &options, Diagnostics &diagnostics);

} // namespace acis
