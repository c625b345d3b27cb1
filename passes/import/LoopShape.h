// A loop nest as a tree: what runs in each loop, in order, under which condition.
//
// Built from a function with rotated loops in simplified, closed form. The tree says
// nothing about what the instructions mean.
#pragma once

#include "backend/support/Result.h"
#include "passes/llvm/Diagnostic.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace llvm {
class BasicBlock;
class Instruction;
class Constant;
class DominatorTree;
class Loop;
class LoopInfo;
class PHINode;
class PostDominatorTree;
class SCEV;
class ScalarEvolution;
class Type;
class Value;
} // namespace llvm

namespace acis::import {

/// True where `condition` is `value`, and `outer` (if any) holds too.
struct Predicate {
  llvm::Value *condition;
  bool value;
  const Predicate *outer;
};

struct Item {
  enum class Kind {
    Inst,  ///< `inst`
    Merge, ///< the phi `inst` is `condition ? ifTrue : ifFalse`
    Alias, ///< the phi `inst` is `ifTrue`
    Loop,  ///< loop number `loop` of the nest
  };
  Kind kind;
  llvm::Instruction *inst = nullptr;
  unsigned loop = 0;
  llvm::Value *condition = nullptr, *ifTrue = nullptr, *ifFalse = nullptr;
  const Predicate *predicate = nullptr; ///< null: always
};

struct LoopShape {
  llvm::Loop *loop = nullptr;
  /// Iterations, 32 bits, does not change in the nest. Does not count the guard.
  const llvm::SCEV *trip = nullptr;
  std::optional<uint64_t> constantTrip;
  std::optional<uint64_t> mostTrip; ///< iterations at most, of one without a constant number
  /// The loop runs only if this condition holds; null if it always does, or if `trip`
  /// is 0 anyway when it does not.
  llvm::Value *guard = nullptr;
  bool guardValue = true;
  std::vector<Item> body;
};

struct NestShape {
  std::vector<LoopShape> loops; ///< outer ones before inner ones; 0 is the root
  std::deque<Predicate> predicates;

  const LoopShape &root() const { return loops.front(); }
  /// The number of a loop of the nest; that of none is the number of loops.
  unsigned numberOf(const llvm::Loop *loop) const;
};

/// The analyses of one function.
struct FunctionAnalyses {
  llvm::DominatorTree &dominators;
  llvm::PostDominatorTree &postDominators;
  llvm::LoopInfo &loops;
  llvm::ScalarEvolution &evolution;
};

/// The shape of the nest with outermost loop `root`, or why it has none.
Result<NestShape, Diagnostic> shapeOf(llvm::Loop &root, const FunctionAnalyses &analyses);

} // namespace acis::import
