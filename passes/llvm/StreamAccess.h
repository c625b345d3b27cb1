// Analysis: which object an access of a handler touches, and at which position.
//
// Objects are the handler's streams, its memory, the packet length and its arrays. A
// position is a byte offset: a start that does not change in the nest, a step per loop
// of the nest, and at most one index, an expression that is not affine in the loops.
#pragma once

#include "passes/llvm/Diagnostic.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Constant;
class Instruction;
class Loop;
class SCEV;
class ScalarEvolution;
class Type;
class Value;
} // namespace llvm

namespace acis {

enum class ObjectKind { In, Out, Mem, Len, Array };

struct Object {
  ObjectKind kind = ObjectKind::Array;
  llvm::Value *base = nullptr; ///< argument, alloca or global variable
  std::string name;
  // Arrays only
  llvm::Type *element = nullptr;
  llvm::SmallVector<int64_t, 4> shape; ///< elements per dimension, outermost first
  bool perVpe = false;                 ///< first dimension: the VPE
  bool persistent = false;             ///< keeps its content between invocations
  llvm::Constant *initial = nullptr;   ///< content at load, null: zeros

  int64_t elementBytes() const;
  /// Bytes from one VPE's part to the next one's; 0 unless perVpe.
  int64_t vpeBytes() const;
  int64_t bytes() const;
};

/// A load or a store, or what stands for one.
struct Access {
  llvm::Instruction *inst = nullptr;
  const Object *object = nullptr;
  llvm::Value *pointer = nullptr;
  llvm::Type *type = nullptr;
  llvm::Value *stored = nullptr; ///< null: a load

  bool isWrite() const { return stored != nullptr; }
};

/// Bytes: start + sum of step * (iteration of loop) + scale * index.
struct Position {
  struct Step {
    const llvm::Loop *loop;
    const llvm::SCEV *bytes; ///< invariant in the nest
  };
  const llvm::SCEV *start = nullptr;
  llvm::SmallVector<Step, 4> steps; ///< non-zero ones, outermost loop first
  const llvm::SCEV *index = nullptr;
  int64_t scale = 0; ///< bytes per unit of index

  /// The constant step of a loop, 0 if it has none, nullopt if it is not a constant.
  std::optional<int64_t> constantStep(const llvm::Loop *loop) const;
};

/// All objects and accesses of one handler. Valid while loads, stores and their
/// address computations stay as they are.
class StreamAccess {
public:
  /// Classifies every load and store; each that cannot be is added to `diagnostics`.
  StreamAccess(llvm::Function &handler, llvm::ScalarEvolution &evolution, Diagnostics &diagnostics);

  const std::vector<std::unique_ptr<Object>> &objects() const { return all; }
  const std::vector<Access> &accesses() const { return list; }
  /// The access of an instruction, or null.
  const Access *find(const llvm::Instruction *inst) const;

  /// Position of an access in the nest with outermost loop `root` (null: control code,
  /// everything is start). For memory the start is an address of the overlay, else an
  /// offset from the object's beginning.
  Position position(const Access &access, const llvm::Loop *root);

  /// Before a loop is deleted: drops its accesses, and what is known about positions.
  void forget(const llvm::Loop &loop);

private:
  const Object *objectOf(llvm::Value *pointer, const llvm::Instruction &user);
  void addOnce(Diagnostic diagnostic);
  const Object *addArray(llvm::Value *base, const llvm::Instruction &user);
  const llvm::SCEV *offset(const Access &access);

  llvm::ScalarEvolution &evolution;
  Diagnostics &diagnostics;
  std::vector<std::unique_ptr<Object>> all;
  std::vector<Access> list;
  llvm::DenseMap<llvm::Value *, const Object *> byBase;
  llvm::DenseMap<const llvm::Instruction *, unsigned> byInst;
  llvm::DenseMap<const llvm::Value *, const llvm::SCEV *> offsets; ///< by pointer
};

/// `expression` / `divisor` if that is exact for every value, else null.
const llvm::SCEV *divideExactly(const llvm::SCEV *expression, int64_t divisor,
                                llvm::ScalarEvolution &evolution);

} // namespace acis
