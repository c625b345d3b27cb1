// Which pointers of a function are chosen by its data: `p = c ? a : b`, two rows that swap places,
// the place of the best element so far, or none.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Instruction;
class Type;
class Value;
} // namespace llvm

namespace acis {

/// Selects and phis of pointers that lead to one another, and all that they may point into.
struct PointerWeb {
  llvm::SmallVector<llvm::Instruction *, 4> choices; ///< in the order of the function
  llvm::SmallSetVector<llvm::Value *, 4> arrays;     ///< allocas and variables of the module
  llvm::Type *element = nullptr;                     ///< of each of the arrays
  bool hasNull = false;                              ///< may also be none
};

/// Whether a pointer is one of several, by data or by the way.
bool isPointerChoice(const llvm::Value &value);

/// What a pointer is a distance from: an array, a choice, or something else.
llvm::Value *pointerLeaf(llvm::Value &pointer);

/// What the arrays of a web have as their elements.
enum class WebElements : bool { Numbers, Records };

/// The webs that only lead into arrays of one type, by whole elements, and of which more is asked
/// than a pointer that a loop moves along.
llvm::SmallVector<PointerWeb, 2> pointerWebs(llvm::Function &function,
                                             WebElements elements = WebElements::Numbers);

} // namespace acis
