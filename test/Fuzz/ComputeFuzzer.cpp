// Files of what ranks compute with any content: refused, or each row counts where nothing follows
// it.
#include "runtime/sim/platform/ComputeTimes.h"

#include <cstdlib>

using namespace acis::cluster;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const acis::Result<ComputeTimes> times =
      ComputeTimes::parse({reinterpret_cast<const char *>(data), size}, {"allreduce", "barrier"});
  if (!times)
    return 0;
  const ComputeTimes::Row &last = times->rows().back();
  const std::optional<double> found = times->of(
      last.step.value_or(7), uint32_t(last.rank.value_or(7)), last.call.empty() ? "x" : last.call);
  if (!found || *found != last.seconds || !(*found >= 0 && *found <= 1e6))
    std::abort();
  return 0;
}
