// Arrays of records become an array for each member.
//
// The register file has arrays of numbers, so `struct flow { uint32_t packets; float rate; }
// flows[128]` is two: flows.0 and flows.1. So does a record that holds an array which is indexed by
// what is not a constant, as a class with a buffer does; SROA takes the others apart. Members that
// are records are split again.
#pragma once

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace acis {

/// Splits static records that handlers of the module use, constant tables too. A record of which
/// the address goes anywhere but to accesses, or of which an access is to a part of several
/// members, is left. Returns whether the module was changed.
bool splitStaticRecords(llvm::Module &module);

/// The same for local variables; with `indexed`, only for those that SROA cannot take apart, and
/// before it does with the others. Returns whether the function was changed.
bool splitLocalRecords(llvm::Function &handler, bool indexed);

/// Makes values of the variables that hold pointers, as SROA would; it leaves all others.
void promotePointers(llvm::Function &handler);

} // namespace acis
