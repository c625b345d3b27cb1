// Arrays of records become an array for each member.
//
// The register file has arrays of numbers, so `struct flow { uint32_t packets; float rate; }
// flows[128]` is two: flows.0 and flows.1. So does a record that holds an array which is indexed by
// what is not a constant, as a class with a buffer does; SROA takes the others apart. Members that
// are records are split again.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

/// Splits static records that handlers of the module use, constant tables too. Pointers to them
/// must be values: runs SROA on the handlers if there is a record. A record of which the address
/// goes anywhere but to accesses, or of which an access is to parts of several records, is left.
/// Returns whether the module was changed.
bool splitStaticRecords(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

/// The same for local variables that SROA has left. Returns whether the function was changed.
bool splitLocalRecords(llvm::Function &handler);

} // namespace acis
