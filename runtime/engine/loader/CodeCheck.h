// Static checks of a handler's code words. Private to the loader.
#pragma once

#include "runtime/engine/loader/Image.h"

namespace acis {

/// Every word of the handler is an instruction; branches and jumps stay inside it;
/// contexts, arguments, results and CSRs exist.
Status checkCode(std::span<const uint32_t> code, const Handler &handler, const Overlay &overlay);

} // namespace acis
