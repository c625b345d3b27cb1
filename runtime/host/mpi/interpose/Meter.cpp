// See Meter.h.
#include "runtime/host/mpi/interpose/Meter.h"

#include "runtime/host/mpi/interpose/Process.h"

namespace acis::mpi {
namespace {

SessionCounters counters() {
  const Process &state = process();
  return state.attached ? state.session->counters() : SessionCounters();
}

} // namespace

Meter::Meter() : isOn(!process().settings.why.empty()) {
  if (!isOn)
    return;
  before = counters();
  start = std::chrono::steady_clock::now();
}

void Meter::compare(const algorithms::Shape &collective, int rank, int size) {
  if (isOn)
    plain += algorithms::volumeAmongHosts(collective, {.size = uint32_t(size)}, uint32_t(rank))
                 .value_or(algorithms::Volume());
}

int Meter::stop(const char *name, const void *site, Reason reason, int code) {
  if (!isOn)
    return code;
  const auto time = std::chrono::steady_clock::now() - start;
  const SessionCounters after = counters();
  const algorithms::Volume moved{
      after.packetsSent + after.packetsReceived - before.packetsSent - before.packetsReceived,
      after.bytesSent + after.bytesReceived - before.bytesSent - before.bytesReceived};
  process().summary.spend(name, site, reason,
                          {moved, plain, time, after.opCycles - before.opCycles});
  return code;
}

} // namespace acis::mpi
