#include "backend/netmodel/Logcn.h"

#include <cmath>

namespace acis::netmodel {

Loggp Logcn::hosts() const {
  Loggp loggp;
  loggp.sendOverhead = loggp.receiveOverhead = overhead / 2;
  loggp.latency = latency(1);
  loggp.gapPerByte = 1 / bandwidth;
  return loggp;
}

LogcnTime fusedTime(const Logcn &model, const FusedCall &call, const Way &way) {
  const double perByte = 1 / (model.bandwidth * (call.isGather ? model.gatherAttenuation : 1));
  LogcnTime time;
  time.overhead = 2 * model.overhead;
  time.latency = model.latency(way.hops);
  time.transfer = call.bytes * perByte;
  time.compute = way.switches * model.unitLatency + (call.interval - 1) * call.bytes * perByte;
  time.inbound = call.inboundBytes / model.pcieBandwidth;
  return time;
}

Way torus3d(unsigned ranks) {
  // The root of a cube of integers is one; 64 must not become 3.999.
  const double side = std::cbrt(double(std::max(1u, ranks)));
  const double whole = std::round(side);
  const double exact = whole * whole * whole == double(ranks) ? whole : side;
  return {std::max(1.0, 3 * std::floor(exact / 2)), std::max(1.0, std::ceil(exact))};
}

Way tree(unsigned ranks, unsigned radix) {
  // Every switch below the top has one port up. Levels until one switch sees all ranks.
  const double down = std::max(2u, radix) - 1;
  double levels = 1;
  for (double seen = std::max(2u, radix); seen < ranks; seen *= down)
    ++levels;
  return {2 * levels, 2 * levels - 1};
}

} // namespace acis::netmodel
