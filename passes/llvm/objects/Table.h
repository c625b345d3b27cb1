// The table that a class of objects becomes, and all that its pointers are used
// for.
#pragma once

#include "passes/llvm/objects/Classes.h"
#include "passes/llvm/objects/Places.h"

#include "llvm/ADT/SetVector.h"

namespace llvm {
class GlobalVariable;
class ICmpInst;
class MemIntrinsic;
class PtrToIntOperator;
} // namespace llvm

namespace acis {

class Table {
public:
  /// Null if the objects have not all the same records, or if a pointer is used
  /// in a way that an element of a table cannot be: then they stay as they are.
  /// Parts of a table start at a multiple of `lanes` elements, as they would do
  /// alone. Uses in other functions than those of `functions` are of no
  /// account; there are some only of variables that stay as they are.
  /// With `word` all objects are arrays of integers of so many bytes, whatever they have, and are
  /// accessed by whole ones; none of that is a pointer.
  static std::unique_ptr<Table> of(ObjectClass objects, llvm::ArrayRef<llvm::Function *> functions,
                                   unsigned lanes, uint64_t word = 0);
  /// The largest word of which all numbers of some objects are whole ones.
  static uint64_t wordOf(const ObjectClass &objects);

  const ObjectClass &objects() const { return all; }
  llvm::ArrayRef<Column> columns() const { return layout->columns; }
  bool hasRecords() const { return layout->columns.size() > 1; }
  /// Whether the object is its only column: addresses that say their element
  /// themselves may stay.
  bool isAlone() const { return all.objects.size() == 1 && !hasRecords() && word == 0; }
  /// Whether data says which element is accessed.
  bool isIndexed() const { return indexed; }
  /// Whether an address is a number of bytes that was found to be whole
  /// elements.
  bool isDivided() const { return divided; }

  /// The first element that is an object's.
  uint64_t startOf(size_t object) const { return starts[object]; }
  const Layout &layoutOf(size_t object) const { return *layouts[object]; }

  /// Pointers to elements that have to go, behind what they are made of.
  llvm::ArrayRef<llvm::Value *> pointers() const { return found.getArrayRef(); }
  /// What uses one of them and is no pointer itself.
  llvm::ArrayRef<llvm::Instruction *> users() const { return uses.getArrayRef(); }
  Places &places() { return *where; }

  /// Whether two pointers are compared, or subtracted, that are both in the
  /// table.
  bool comparesElements(const llvm::ICmpInst &compare);
  bool measuresElements(const llvm::PtrToIntOperator &address);
  /// How many records from one of its pointers on a fill or copy of any length is of; none if it is
  /// of something else.
  std::optional<Number> recordsOf(llvm::MemIntrinsic &call, const Place &place) const;

private:
  Table(ObjectClass objects, llvm::ArrayRef<llvm::Function *> functions, uint64_t word);
  std::unique_ptr<Layout> layoutOf(llvm::Value &object) const;
  bool lay(unsigned lanes);
  bool follow();
  bool follow(llvm::Value &pointer, const Place &place, llvm::Instruction &user);
  bool isOfNumbers(llvm::Value &pointer, const Place &place, llvm::Instruction &user);
  bool isOfWords(llvm::Value &pointer, const Place &place, llvm::Instruction &user);
  bool isOfWholeNumbers(llvm::MemIntrinsic &call, const Place &place);
  bool isOfWholeRecords(llvm::MemIntrinsic &call, const Place &place);
  bool isOfOneArray(const Place &place) const;
  bool isOfColumns(llvm::Value &pointer, const Place &place, llvm::Instruction &user);

  ObjectClass all;
  llvm::ArrayRef<llvm::Function *> functions;
  const llvm::DataLayout &data;
  uint64_t word;
  std::unique_ptr<Layout> layout;
  std::vector<std::unique_ptr<Layout>> layouts;
  llvm::SmallVector<uint64_t, 2> starts;
  std::unique_ptr<Places> where;
  bool indexed = false, divided = false;
  llvm::SetVector<llvm::Value *> found;
  llvm::SetVector<llvm::Instruction *> uses;
};

/// The type by which the source knows a variable; the one of its initial value
/// may be another of the same bytes.
llvm::Type *sourceTypeOf(const llvm::Value &object);

/// Where a use of a variable's memory is a fill or copy of a known length, that
/// length, else 0.
uint64_t lengthOf(const llvm::MemIntrinsic &call);

/// Whether it is known when it runs. Then it is of whole records from the one that the pointer
/// points to on, or of the array of numbers that begins there, and does not leave that.
bool isOfAnyLength(const llvm::MemIntrinsic &call);

} // namespace acis
