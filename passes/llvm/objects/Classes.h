// Which objects of the register file pointers may be into: those that a pointer
// may be into are a class, and become one table.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace acis {

struct ObjectClass {
  /// Variables of the module in its order, then those of functions in theirs.
  llvm::SmallVector<llvm::Value *, 2> objects;
  llvm::SmallVector<llvm::Instruction *, 4> choices; ///< selects and phis of pointers to them
  bool isOpen = false;                               ///< a pointer may be to something else, too
  /// Instead of objects: the parameter that all pointers of the class are into; or null.
  llvm::Value *parameter = nullptr;
  bool hasNull = false; ///< or to nothing
  /// More is asked of a pointer than that a loop moves it along, which
  /// ScalarEvolution follows.
  bool isChosen = false;
  bool isInBytes = false; ///< something is indexed by bytes, not by its elements

  bool hasStatic() const;
};

/// The classes of the variables that functions use, and of the parameters of which pointers are
/// chosen. Each function is a handler with all in it.
std::vector<ObjectClass> classesOf(llvm::ArrayRef<llvm::Function *> functions);

} // namespace acis
