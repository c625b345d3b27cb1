// What a pointer into the register file is: a place in the table that its
// object is.
//
// A place is the elements that it is in, of the object and of the arrays in its
// records, and some bytes of the innermost one. Each element's number is a sum
// of products, so that a place is known as exactly as the program says it, and
// two of them can be compared.
#pragma once

#include "passes/llvm/objects/Layout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Operator.h"

#include <map>
#include <optional>

namespace llvm {
class Instruction;
class PHINode;
class SelectInst;
} // namespace llvm

namespace acis {

/// factor * value, where the value is
///   an integer, divided by `of` without a rest, or
///   a choice of pointers: the number of the element at depth `of` of its
///   place.
struct Term {
  llvm::Value *value;
  uint64_t of;
  int64_t factor;
};

/// constant + the sum of the terms.
struct Number {
  int64_t constant = 0;
  llvm::SmallVector<Term, 2> terms;

  void add(const Term &term);
  void add(const Number &other, int64_t factor);
  bool isZero() const { return constant == 0 && terms.empty(); }
};

/// Which element of each array on the way from the object, and how far into the
/// last.
struct Place {
  llvm::SmallVector<const Part *, 2> path;
  llvm::SmallVector<Number, 2> numbers; ///< one for each of the path
  uint64_t rest = 0;                    ///< bytes
  bool isChosen = false;                ///< from those of several pointers
  bool isDivided = false;               ///< an index is a number of bytes, not of elements

  const Part &part() const { return *path.back(); }
  /// Whether the address says it itself.
  bool isPlain() const { return !isChosen && !isDivided; }
  bool isIn(const Place &other) const { return path == other.path && rest == other.rest; }
  /// To the member of a record that it points to; false if there is none.
  bool descend();
  /// Bytes from the start of the object.
  Number bytes() const;
};

/// Selects and phis of pointers.
bool isPointerChoice(const llvm::Value &value);
/// What a select or phi chooses from.
llvm::SmallVector<llvm::Value *, 4> optionsOf(const llvm::Instruction &choice);
/// What a pointer is a distance from: an object, a choice, or something else.
llvm::Value *leafOf(llvm::Value &pointer);

/// Whether value * scale is `size` times a number, which is added to `sum`:
/// products, and sums and choices of such, modulo 2^32 as addresses are. `sum` is of no use if it
/// is not.
bool divide(llvm::Value &value, int64_t scale, int64_t size, Number &sum);

/// The places of pointers into objects with one record.
class Places {
public:
  Places(const Part &root, const llvm::DataLayout &data) : root(&root), data(data) {}

  /// Says that an object is in the table from an element on.
  void start(llvm::Value &object, uint64_t element) { starts[&object] = element; }

  /// Finds the places of choices, a class that is closed. False if one of them
  /// may be in more than one column, or is not a whole number of elements.
  bool settle(llvm::ArrayRef<llvm::Instruction *> choices);

  /// nullopt if it is not known, or is nowhere in a record.
  std::optional<Place> of(llvm::Value &pointer);
  /// The same, as deep as the place of the choice.
  Place optionOf(llvm::Instruction &choice, llvm::Value &pointer);

  /// Between two of which the places are known.
  Number bytesFrom(llvm::Value &from, llvm::Value &to);

private:
  bool move(Place &place, const llvm::GEPOperator &step) const;
  std::optional<Place> join(llvm::Instruction &choice);

  const Part *root;
  const llvm::DataLayout &data;
  llvm::DenseMap<llvm::Value *, uint64_t> starts;
  llvm::DenseMap<llvm::Value *, Place> known; ///< of choices
  bool failed = false;
};

/// The element in front of the first is null.
inline constexpr int64_t NullElement = -1;

} // namespace acis
