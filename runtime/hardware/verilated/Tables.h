// What the host writes into the overlay before a handler runs: the context words of the
// binary as they are, and beside them what hardware would otherwise have to work out.
#pragma once

#include "backend/overlay/Overlay.h"
#include "backend/support/Result.h"
#include "runtime/engine/loader/Image.h"

#include <array>
#include <cstdint>
#include <vector>

namespace acis::rtl {

/// One write of the configuration port; the address is laid out in
/// runtime/hardware/rtl/top/acis_core.sv.
struct TableWrite {
  uint32_t address = 0;
  std::array<uint32_t, 16> data{};
};

/// Code and contexts of `handler`. Fails if its contexts do not fit the machine: an interlock that
/// it cannot hold.
Result<std::vector<TableWrite>> deviceTables(const Image &image, const Handler &handler,
                                             const Overlay &overlay);

} // namespace acis::rtl
