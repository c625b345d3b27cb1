// Assembly text to an ELF object, through LLVM MC in this process.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace acis::assembler {

/// The bytes that `llvm-mc -triple riscv32 -mattr=+m,+v -filetype=obj` writes. `name`
/// is what messages call the text.
llvm::Expected<llvm::SmallVector<char, 0>> assemble(llvm::StringRef text,
                                                    llvm::StringRef name = "<assembly>");

} // namespace acis::assembler
