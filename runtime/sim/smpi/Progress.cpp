// See Progress.h.
#include "runtime/sim/smpi/Progress.h"

#include <simgrid/s4u/Engine.hpp>

#include <cstdio>
#include <ctime>

namespace acis::cluster {
namespace {

/// Of this machine: std::chrono's clock may be the simulation's.
double machineTime() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

} // namespace

void reportProgress(double every) {
  simgrid::s4u::Engine::on_time_advance_cb([every, begin = machineTime(),
                                            next = machineTime() + every,
                                            calls = unsigned(0)](double) mutable {
    constexpr unsigned LookAfter = 256; // steps of the simulation, which are microseconds
    if (++calls % LookAfter)
      return;
    const double now = machineTime();
    if (now < next)
      return;
    next = now + every;
    std::fprintf(stderr, "acis-simrun: %.6f s of simulated time after %.0f s\n",
                 simgrid::s4u::Engine::get_clock(), now - begin);
  });
}

} // namespace acis::cluster
