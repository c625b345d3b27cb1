// Integers of a width that no lane has, which LLVM makes of sums (33 bits) and of reversed bits
// (3), become ones of 32 or 64 bits whose upper bits are zero.
#pragma once

namespace llvm {
class Function;
}

namespace acis {

/// False, and nothing is changed, if there are none, or if one has more than 64 bits or is used in
/// a way that has no such form.
bool widenIntegers(llvm::Function &function);

} // namespace acis
