// See Endpoints.h.
#include "runtime/hardware/verilated/Endpoints.h"

#include <algorithm>

namespace acis::rtl {

MemoryPort::Arrival MemoryPort::arrive(uint64_t now, Disturbance &disturbance) {
  if (flights.empty() || flights.front().firstArrival > now || disturbance.holds())
    return {};
  Flight &flight = flights.front();
  const Arrival arrival = {true, flight.count == 1, flight.beat};
  ++flight.beat;
  if (--flight.count == 0)
    flights.pop_front();
  else
    flight.firstArrival = now + 1;
  return arrival;
}

bool MemoryPort::acknowledge(uint64_t now) {
  if (acks.empty() || acks.front() > now)
    return false;
  acks.pop_front();
  return true;
}

void MemoryPort::grantRead(const model::Burst &burst, uint64_t now, Disturbance &disturbance) {
  const uint64_t first = std::max(now + readLatency + disturbance.extra(), portFree);
  portFree = first + burst.count;
  flights.push_back({burst.beat, first, burst.count});
}

bool MemoryPort::takeWriteBeat(uint64_t now, uint64_t &beat, Disturbance &disturbance) {
  model::Burst &burst = writes.front();
  beat = burst.beat++;
  if (--burst.count != 0)
    return false;
  writes.pop_front();
  const uint64_t ack = now + writeLatency + disturbance.extra();
  acks.push_back(std::max(ack, acks.empty() ? 0 : acks.back() + 1));
  return true;
}

} // namespace acis::rtl
