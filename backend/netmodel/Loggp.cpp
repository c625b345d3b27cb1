#include "backend/netmodel/Loggp.h"

#include <bit>

namespace acis::netmodel {

unsigned log2Floor(unsigned ranks) { return ranks < 2 ? 0 : unsigned(std::bit_width(ranks)) - 1; }

unsigned log2Ceil(unsigned ranks) { return ranks < 2 ? 0 : unsigned(std::bit_width(ranks - 1)); }

double Loggp::lastAmongHosts(unsigned ranks, double bytes) const {
  return log2Floor(ranks) * lastInSwitch(bytes);
}

double Loggp::lastInSwitch(double bytes) const {
  return sendOverhead + bytes * gapPerByte + latency + receiveOverhead;
}

double Loggp::rootAmongHosts(unsigned ranks, double bytes) const {
  const unsigned rounds = log2Ceil(ranks);
  if (rounds == 0)
    return 0;
  return sendOverhead + (rounds - 1) * std::max(gap, sendOverhead) + rounds * bytes * gapPerByte;
}

double Loggp::rootInSwitch(double bytes) const { return sendOverhead + bytes * gapPerByte; }

} // namespace acis::netmodel
