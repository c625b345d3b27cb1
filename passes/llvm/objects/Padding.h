// Padding of records that a handler sends.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace acis {

/// Who writes a member of a record to the output, or of one that is copied there, writes the
/// padding behind it, too, as C allows: 0. A stream has no gaps, and the length that a handler sets
/// counts the padding (sizeof); what is behind a constant length is not written. Whether the
/// function was changed.
bool writePadding(llvm::Function &handler);

} // namespace acis
