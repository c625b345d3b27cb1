// Brings handlers to the form that the importer and the verifier expect.
//
// Ensures: each handler is one function without calls (but those of the overlay);
// scalars are in registers; loops are in simplified, rotated, closed form with counters
// from 0; short loops over VPEs, rows or windows are unrolled (UnrollWindows); memset
// and memcpy are loops (LowerMemory); static scalars are in scratch memory
// (StaticScalars); what the scalar unit cannot compute is in the loops that use it
// (SinkFloats), a loop accesses a stream by words of one size (UniteWords) and no operation is left
// that no unit has (ExpandIntrinsics); innermost loops have no condition but around single stores
// and loads (IfConvert). Reads of the input stream keep their order. Loops are neither vectorised
// nor exchanged.
#pragma once

#include "passes/llvm/Diagnostic.h"

namespace llvm {
class Module;
} // namespace llvm

namespace acis {

struct FormOptions {
  unsigned lanes = 16;          ///< SIMD lanes of 32 bits of the overlay
  unsigned operations = 1024;   ///< that one of its contexts holds: slots of all PEs
  unsigned memoryPorts = 16;    ///< accesses to off-chip memory that a loop may have
  unsigned scratchBytes = 4096; ///< of the scalar unit; static variables may use half
  bool verifyEach = false;      ///< run LLVM's verifier after each pass
};

/// False if there was an error; the module is then of no further use.
bool bringToHandlerForm(llvm::Module &module, const FormOptions &options, Diagnostics &diagnostics);

} // namespace acis
