// An image as one assembly text: what -S prints, and what is assembled.
#pragma once

#include "backend/object/Image.h"

#include <string>

namespace acis::assembler {

/// Text that llvm-mc (-triple riscv32 -mattr=+m,+v) assembles without relocations. The
/// tables are data directives with the meaning in comments.
std::string print(const object::Image &image);

} // namespace acis::assembler
