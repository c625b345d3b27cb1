// Items of a datatype as a user operator's handler gets them.
//
// A handler sees what C makes of a structure of the type's members, in the order of its signature:
// each at the next multiple of its own alignment, the item as long as a multiple of the greatest.
// Gaps and order in memory may differ between ranks, the signature may not, so the form is the same
// on all of them. Bytes between members are 0.
#pragma once

#include "runtime/switch/wire/Types.h"

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace acis::mpi {

struct ItemForm {
  /// Bytes that lie together in memory and in the form.
  struct Run {
    int64_t memory = 0; ///< from the address of the item
    uint64_t form = 0, bytes = 0;
  };
  std::vector<Run> runs;
  ElementType type = ElementType::Uint8; ///< of all members; bytes where they differ
  uint64_t elements = 0;                 ///< of that type
  int64_t extent = 0;                    ///< from one item in memory to the next
  bool isDense = false;                  ///< items lie in memory as in the form

  uint64_t bytes() const { return elements * bytesOf(type); }
  /// So many items from memory to forms, and back; nothing between members is touched in memory.
  void gather(const void *memory, uint64_t items, uint8_t *forms) const;
  void scatter(const uint8_t *forms, uint64_t items, void *memory) const;
};

/// Of types that are made of predefined ones of fixed size; nothing for others, of more than
/// 65,536 members, or distributed arrays.
std::optional<ItemForm> formOf(MPI_Datatype type);

} // namespace acis::mpi
