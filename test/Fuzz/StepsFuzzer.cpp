// Files of supersteps with any content: refused, or whole, and then they can be analysed.
#include "runtime/tools/acis-steps/Report.h"
#include "runtime/tools/acis-steps/Trace.h"

#include <cstdlib>

using namespace acis;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const Result<steps::Trace> trace =
      steps::parseTrace({reinterpret_cast<const char *>(data), size});
  if (!trace)
    return 0;
  const control::Samples samples = trace->samples();
  if (samples.iterations() != trace->steps())
    std::abort();
  const steps::Report report = steps::analyse(samples, 8);
  if (steps::toSvg(report, samples).empty() || steps::timelineOf(*trace).empty() ||
      toText(report).empty() || steps::toJson(report).empty())
    std::abort();
  return 0;
}
