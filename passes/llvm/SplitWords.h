// Accesses of arrays with another type than their elements have, as a header that is looked at as
// bytes and as fields: a word is made of its elements, or taken apart into them.
#pragma once

namespace llvm {
class Function;
}

namespace acis {

/// What is copied from a stream or the memory is read by elements, too, since it lies at a multiple
/// of an element there. False if nothing was changed. An access of less than an element stays, and
/// is refused later.
bool splitWords(llvm::Function &function);

} // namespace acis
