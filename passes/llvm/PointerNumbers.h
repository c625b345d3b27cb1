// Makes numbers of elements of pointers that are chosen by data, which the register file has no
// addresses for: each choice becomes one of numbers, and what is accessed the element of one array
// with that number. A pointer to none is element -1.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace acis {

/// Whether anything was changed. Choices among several arrays stay, see MergeArrays.h.
bool numberPointers(llvm::Function &handler);

} // namespace acis
