// What the switches and the memory nodes of a cluster have in common.
#pragma once

#include "runtime/sim/world/World.h"
#include "runtime/switch/core/Switch.h"

namespace acis::cluster {

/// Numbers of memory nodes among all devices; those below are of switches.
constexpr uint32_t FirstMemory = 1 << 16;

/// By the run's seed and the device's number.
sw::SwitchConfig configOf(const World &world, uint32_t number);
wire::FaultRates faultsOf(const World &world, uint32_t number);
/// Datagrams that were refused.
uint64_t droppedBy(const sw::Switch &device);

} // namespace acis::cluster
