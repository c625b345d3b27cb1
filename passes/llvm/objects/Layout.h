// What an object of the register file is made of, as the source sees it: a tree
// of records and numbers; and as the machine has it: a table with a column for
// each number of a record.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

#include <memory>
#include <string>
#include <vector>

namespace acis {

/// A number or a record, or an array of them. Arrays of arrays are one, and a
/// structure with one member, as std::array is, is that member.
struct Part {
  llvm::Type *number = nullptr;           ///< null: a record
  uint64_t offset = 0;                    ///< bytes from the start of the record it is in
  uint64_t stride = 0;                    ///< bytes from one element to the next
  uint64_t count = 1;                     ///< elements
  llvm::SmallVector<uint64_t, 2> extents; ///< of its dimensions, outermost first; none: no array
  unsigned column = 0;                    ///< of a number
  std::vector<std::unique_ptr<Part>> members; ///< of a record

  /// The member with this byte of a record; null in the space between members.
  const Part *memberAt(uint64_t byte) const;
  /// Whether all is the same but how many there are.
  bool hasSameElements(const Part &other) const;
};

/// All numbers of an object that are at one place of its record.
struct Column {
  llvm::SmallVector<const Part *, 3> path; ///< from the object to the number
  std::string name;                        ///< "" or ".0.1": numbers of the members on the way

  const Part &number() const { return *path.back(); }
  uint64_t offset() const; ///< of the first one, in bytes
  /// Numbers in an element of path[depth].
  uint64_t weight(size_t depth) const;
  /// The array that a column is in the register file, of the dimensions on the
  /// way.
  llvm::Type *type() const;
};

/// A part of a range of bytes: some numbers of one column, one behind the
/// other.
struct Run {
  unsigned column;
  uint64_t element; ///< the first one, from the element that the range starts in
  uint64_t count;
  uint64_t byte;        ///< of the range that it starts at
  uint64_t skipped = 0; ///< bytes of its first number that are in front of the range
  bool isWhole = true;  ///< no number is only there in part
};

struct Layout {
  Part root;
  std::vector<Column> columns;

  /// Null if there is anything in the type that is neither a number nor a
  /// record of the source: vectors, structures of different members that Clang
  /// made. A member may be a pointer, which must be a value before anything is
  /// in the register file.
  static std::unique_ptr<Layout> of(llvm::Type *type, const llvm::DataLayout &data);
};

/// What `length` bytes at `from` of an element of a part are, in the order of
/// bytes.
llvm::SmallVector<Run, 8> runsOf(const Part &part, uint64_t from, uint64_t length);

/// The type of the numbers that a type is, or is an array of; null for records
/// and others.
llvm::Type *numberIn(llvm::Type *type, const llvm::DataLayout &data);

} // namespace acis
