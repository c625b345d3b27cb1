// Control code: calls of acis.* become our instructions, the end becomes wfi.
#pragma once

#include "backend/codegen/MProgram.h"

#include "llvm/Support/Error.h"

namespace llvm {
class CallInst;
class Function;
} // namespace llvm

namespace acis::codegen {

/// Lowers one handler. Afterwards it calls nothing of acis.*, does not return, and
/// waits (acis.sync) wherever it or a loop needs memory that an earlier loop may still
/// be working on.
llvm::Error lowerControl(llvm::Function &function, const MHandler &handler);

/// True for functions that are handlers: attribute "acis.handler".
bool isHandler(const llvm::Function &function);

/// The instructions of one nest call; the call is replaced and erased.
void lowerNest(llvm::CallInst &call, const MNest &nest);

} // namespace acis::codegen
