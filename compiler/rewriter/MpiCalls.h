// MPI functions by name, from MpiCalls.def; predefined datatypes and operations.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace acis::rewriter {

enum class MpiClass : uint8_t {
  None,        ///< not MPI
  Collective,  ///< may be fused
  Unsupported, ///< a collective that may not
  Quiet,       ///< asks the library something; no communication
  Communication
};

/// Positions of arguments; -1: the call has none.
struct MpiCall {
  const char *name; ///< without MPI_
  int send, sendCount, sendType, recv, recvCount, recvType, op, root, comm;
  bool isRooted() const { return root >= 0; }
};

/// `function` is the name in the source; PMPI_ is taken as MPI_.
MpiClass classOf(llvm::StringRef function);
/// Null unless classOf(function) is Collective.
const MpiCall *findCollective(llvm::StringRef function);
/// The name without MPI_ or PMPI_.
llvm::StringRef shortName(llvm::StringRef function);

/// A predefined type that is one C number.
struct MpiType {
  const char *name;
  unsigned bytes;
  char kind; ///< 'i' integer, 'f' floating, 'b' bytes that fit anything
};
/// Null: not predefined, or not one number.
const MpiType *findType(llvm::StringRef name);

bool isPredefinedOp(llvm::StringRef name);

} // namespace acis::rewriter
