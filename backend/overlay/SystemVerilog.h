// The overlay description as a SystemVerilog package, so that the RTL takes every size
// from where the compiler and the engines take it.
#pragma once

#include "backend/overlay/Overlay.h"

#include <string>

namespace acis {

/// The text of package `acis_overlay_pkg`: sizes as `int unsigned` parameters, equipment
/// of the PEs as bit vectors by PE, links as (from, port) by receiving PE and in-port.
std::string emitSystemVerilog(const Overlay &overlay);

/// A 64-bit hash of everything that the package says: two overlays with the same one are the
/// same hardware (Overlay::fingerprint leaves out what a binary does not depend on). The package
/// holds it as `Hardware`.
uint64_t hardwareFingerprint(const Overlay &overlay);

} // namespace acis
