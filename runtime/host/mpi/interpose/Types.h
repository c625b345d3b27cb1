// What the switch needs to know of MPI's datatypes and operations.
//
// A decision that all ranks must take alike may use only what MPI makes equal on all
// ranks: for collectives that move data the signature of a message, hence its bytes, but
// not its layout; for reductions the predefined type and the operation.
#pragma once

#include "runtime/switch/wire/Types.h"

#include <mpi.h>

#include <cstdint>
#include <optional>

namespace acis::mpi {

/// How one item of a datatype lies in memory.
struct TypeLayout {
  uint64_t size = 0;   ///< bytes of the signature, what a message carries
  int64_t extent = 0;  ///< bytes from one item to the next
  bool packed = false; ///< items are `size` bytes in signature order without holes

  /// Of item `item` in a buffer, which may be MPI_BOTTOM (0).
  void *address(const void *buffer, int64_t item) const {
    return reinterpret_cast<void *>(reinterpret_cast<intptr_t>(buffer) + item * extent);
  }
};

TypeLayout layoutOf(MPI_Datatype type);

/// Whether messages may use the type: named or committed. MPI answers this only by refusing
/// to pack nothing; its error handlers are not called for that.
bool isCommitted(MPI_Datatype type);

/// What MPI lets a reduction do with a type.
enum class OpClass : uint8_t { Arithmetic = 1, Logical = 2, Bitwise = 4, Location = 8 };

/// A predefined type as an element of the switch.
struct NamedElement {
  ElementType type;
  unsigned classes; ///< of OpClass: what predefined operations take
};

/// Of predefined types of fixed size; nothing for others, and for derived ones.
std::optional<NamedElement> namedElement(MPI_Datatype type);

/// None for user-defined operations and those that only one-sided calls have.
ReduceOp reduceOpOf(MPI_Op op);
/// Whether MPI defines the operation on types of these classes.
bool takes(ReduceOp op, unsigned classes);
/// Whether `op` is one of MPI's own, of which reduceOpOf() may know nothing.
bool isPredefined(MPI_Op op);

} // namespace acis::mpi
