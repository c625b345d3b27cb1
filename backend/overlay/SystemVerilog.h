// The overlay description as a SystemVerilog package, so that the RTL takes every size
// from where the compiler and the engines take it.
#pragma once

#include "backend/overlay/Overlay.h"

#include <string>

namespace acis {

/// The text of package `acis_overlay_pkg`: sizes as `int unsigned` parameters, equipment
/// of the PEs as bit vectors by PE, links as (from, port) by receiving PE and in-port.
std::string emitSystemVerilog(const Overlay &overlay);

} // namespace acis
