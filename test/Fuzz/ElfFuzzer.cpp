// libFuzzer target for everything that reads a binary: whatever the bytes, the loader
// refuses them or both engines run them, to the same end. acis-fuzz-elf-seeds writes a
// corpus to start from.
#include "runtime/hardware/cts/SeedImages.h"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const acis::cts::MutantResult result = acis::cts::runMutant({data, data + size});
  if (!result.difference.empty()) {
    std::fprintf(stderr, "engines differ: %s\n", result.difference.c_str());
    std::abort();
  }
  return 0;
}
