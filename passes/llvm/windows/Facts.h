// Conditions of branches that are known to hold, or not to, at a place of a function.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace llvm {
class BasicBlock;
class DominatorTree;
class PostDominatorTree;
class Value;
} // namespace llvm

namespace acis {

class Facts {
public:
  /// On the way from one block to the next: the condition of its branch, and those that lead to it
  /// alone.
  static Facts onWay(const llvm::BasicBlock &from, const llvm::BasicBlock &to);
  /// Wherever a block runs: the conditions of the branches that all ways to it take.
  static Facts at(const llvm::BasicBlock &block, const llvm::DominatorTree &dominators);

  std::optional<bool> of(const llvm::Value *condition) const;
  /// In the order in which they were found.
  llvm::ArrayRef<std::pair<const llvm::Value *, bool>> all() const { return known.getArrayRef(); }

private:
  void add(const llvm::Value *condition, bool isTrue);

  llvm::MapVector<const llvm::Value *, bool> known;
};

/// Whether there is a way from the end of one block to the start of another one that does not come
/// through a third one (null: any way).
bool leadsTo(const llvm::BasicBlock &from, const llvm::BasicBlock &to,
             const llvm::BasicBlock *without);

/// Whether one block has run wherever the other runs, which no way leads back from: what leads to
/// the one leads to the other, and there is no way round it.
bool runsBefore(const llvm::BasicBlock &first, const llvm::BasicBlock &then,
                const llvm::DominatorTree &dominators,
                const llvm::PostDominatorTree &postDominators);

} // namespace acis
