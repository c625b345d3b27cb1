// What the interposition asks its system for, as a simulation has it: time, sleep, and the file
// that the program came from. These names are seen inside of libacis-sim only; the interposition's
// sources are the same as on metal.
#include <simgrid/s4u.hpp>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <sched.h>
#include <string_view>
#include <unistd.h>

extern "C" {
void smpi_bench_begin();
void smpi_bench_end();
}

namespace {

/// Who gives its core to others does so for a while.
constexpr double YieldTime = 1e-6;

void sleepFor(double seconds) {
  smpi_bench_end();
  simgrid::s4u::this_actor::sleep_for(seconds);
  smpi_bench_begin();
}

} // namespace

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  return time_point(duration(std::llround(simgrid::s4u::Engine::get_clock() * 1e9)));
}

extern "C" {

int usleep(useconds_t time) {
  sleepFor(double(time) * 1e-6);
  return 0;
}

int sched_yield() noexcept {
  sleepFor(YieldTime);
  return 0;
}

/// SMPI runs each rank from a copy of the program with a name of its own; a place in any of them is
/// a place in the program.
int dladdr(const void *address, Dl_info *info) noexcept {
  static const auto real =
      reinterpret_cast<int (*)(const void *, Dl_info *)>(dlsym(RTLD_NEXT, "dladdr"));
  static const char *const program = std::getenv("ACIS_SIMULATED_PROGRAM");
  const int found = real(address, info);
  if (!found || !program || !info->dli_fname)
    return found;
  const auto baseOf = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
  const std::string_view copy = baseOf(info->dli_fname), name = baseOf(program);
  if (copy.starts_with(name) && copy.substr(name.size()).starts_with("_"))
    info->dli_fname = program;
  return found;
}

} // extern "C"
