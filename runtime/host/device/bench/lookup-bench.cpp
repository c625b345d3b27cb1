// device-lookup-bench: what an MPI call pays for the question whether its buffer is device memory.
//
// usage: device-lookup-bench [RANGES...]    (default: 0 1 100 10000)
// One line each: ranges, nanoseconds of a lookup of an ordinary address, and of one within a range.
#include "runtime/host/device/Ranges.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace acis::device;

namespace {

constexpr size_t Lookups = 2'000'000;

double nanosecondsEach(const Ranges &ranges, const std::vector<const char *> &addresses,
                       bool expected) {
  size_t wrong = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (size_t i = 0; i < Lookups; ++i)
    wrong += ranges.contains(addresses[i % addresses.size()]) != expected;
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  if (wrong) {
    std::fprintf(stderr, "device-lookup-bench: error: %zu lookups were wrong\n", wrong);
    std::exit(1);
  }
  return taken.count() / double(Lookups);
}

void measure(size_t count) {
  constexpr uintptr_t Stride = 1 << 20, First = uintptr_t(1) << 40;
  std::vector<Range> some;
  std::vector<const char *> inside, outside;
  for (size_t i = 0; i < count; ++i)
    some.push_back({First + i * Stride, First + i * Stride + Stride / 2});
  for (size_t i = 0; i < 1024; ++i) {
    const uintptr_t at = First + (count ? i * 7919 % count : i) * Stride + 64 * i;
    inside.push_back(reinterpret_cast<const char *>(at));
    outside.push_back(reinterpret_cast<const char *>(at + Stride / 2));
  }
  Ranges ranges;
  ranges.assign(some);
  std::printf("%zu ranges: ordinary %.1f ns", count, nanosecondsEach(ranges, outside, false));
  if (count)
    std::printf(", device %.1f ns", nanosecondsEach(ranges, inside, true));
  std::printf("\n");
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2)
    for (size_t count : {0, 1, 100, 10000})
      measure(count);
  for (int i = 1; i < argc; ++i)
    measure(std::strtoul(argv[i], nullptr, 10));
  return 0;
}
