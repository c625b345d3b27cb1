// Gives the arrays of a handler their place in the vector register files.
//
// An array gets a run of whole vector registers. A per-VPE array has the same run in
// every PE; any other array lives in one PE, which was chosen before mapping.
// Arrays that are never live at the same time may share registers. Plain data, no LLVM.
#pragma once

#include "backend/overlay/Overlay.h"
#include "backend/support/Refusal.h"
#include "backend/support/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acis::regalloc {

/// The part of a handler's run, in any unit that only grows along it, in which an
/// array holds something: [first, last]. Nothing: always (static arrays, arrays that
/// are live around a loop of the control code).
struct Lifetime {
  unsigned first = 0, last = 0;
};

struct Array {
  std::string name;
  std::string where;  ///< "file:line", for messages
  unsigned beats = 0; ///< in one PE
  bool perVpe = false;
  unsigned vpes = 0; ///< perVpe: it lives in PE 0 .. vpes - 1; 0: in all
  unsigned pe = 0;   ///< else: where it lives
  std::optional<Lifetime> lifetime;
  std::optional<unsigned> vreg; ///< it is there already: arrays that handlers share
};

/// The array that does not fit, and why.
struct NoRoom {
  Refusal refusal;
  unsigned array = 0; ///< its number
};

/// First register of each array.
struct Assignment {
  std::vector<unsigned> vreg;
};

unsigned vregsOf(unsigned beats, const Overlay &overlay);

/// Packs the arrays. Registers of an array of R registers start at a multiple of the
/// largest power of two <= min(R, 16), so that vector instructions can name them as a
/// group, when there is room for that; else anywhere. Fails with the array that does
/// not fit, its size and what is free.
Result<Assignment, NoRoom> allocate(const std::vector<Array> &arrays, const Overlay &overlay);

/// Independent of allocate(): runs lie in the file, and arrays whose lifetimes and PEs
/// meet do not overlap.
Status verify(const std::vector<Array> &arrays, const Assignment &assignment,
              const Overlay &overlay);

} // namespace acis::regalloc
