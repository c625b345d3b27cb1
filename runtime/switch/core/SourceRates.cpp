#include "runtime/switch/core/SourceRates.h"

namespace acis::sw {

bool SourceRates::admit(const wire::Address &from, wire::Time now) {
  if (!limits())
    return true;
  const std::lock_guard guard(lock);
  if (rates.size() > 65'536)
    rates.clear(); // forged sources; the limit starts anew for all
  Rate &rate = rates[from];
  // Another core's clock may be a little ahead.
  if (now >= rate.since + wire::Second)
    rate = {now, 0};
  return ++rate.packets <= limit;
}

} // namespace acis::sw
