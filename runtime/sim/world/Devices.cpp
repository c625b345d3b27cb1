// See Devices.h.
#include "runtime/sim/world/Devices.h"

namespace acis::cluster {
namespace {

/// Nobody dies here, and who computes for long says nothing meanwhile.
constexpr wire::Time DeadAfter = 1'000'000 * wire::Second;

} // namespace

sw::SwitchConfig configOf(const World &world, uint32_t number) {
  sw::SwitchConfig config;
  config.id = number;
  config.secret = world.options().faults.seed * 65'536 + number + 1;
  config.deadAfter = DeadAfter;
  return config;
}

wire::FaultRates faultsOf(const World &world, uint32_t number) {
  wire::FaultRates rates = world.options().faults;
  rates.seed = rates.seed * 1'000'003 + number;
  return rates;
}

uint64_t droppedBy(const sw::Switch &device) {
  const sw::SwitchCounters &count = device.counters();
  return count.malformed + count.otherVersion + count.unauthenticated + count.foreign +
         count.rateLimited + count.failedJob + count.outOfOrder;
}

} // namespace acis::cluster
