// Mutants of good binaries: no crash, and the engines agree. The same property is what
// the libFuzzer target in test/Fuzz checks for as long as it is let run.
#include "runtime/hardware/cts/SeedImages.h"

#include "runtime/hardware/cts/Harness.h"

#include <cstdlib>

using namespace acis;
using namespace acis::cts;

namespace {

TEST(Mutation, SeedsRun) {
  for (const Bytes &seed : seedImages()) {
    const MutantResult result = runMutant(seed, /*racesDiffer=*/false);
    EXPECT_EQ(result.refusal, "");
    EXPECT_TRUE(result.loaded);
    EXPECT_FALSE(result.trapped);
    EXPECT_EQ(result.difference, "");
  }
}

TEST(Mutation, MutantsAreRefusedOrRunAlike) {
  const std::vector<Bytes> seeds = seedImages();
  std::mt19937 random(2026);
  const char *wanted = std::getenv("ACIS_MUTANTS");
  const unsigned mutants = wanted ? unsigned(std::atoi(wanted)) : 20000;
  unsigned loaded = 0, ran = 0;
  for (unsigned m = 0; m < mutants; ++m) {
    const size_t seed = random() % seeds.size();
    Bytes mutant = seeds[seed];
    const unsigned changes = 1 + random() % 3;
    for (unsigned c = 0; c < changes; ++c) {
      uint8_t &byte = mutant[random() % mutant.size()];
      byte = random() % 2 ? uint8_t(byte ^ (1u << random() % 8)) : uint8_t(random());
    }
    if (random() % 50 == 0)
      mutant.resize(random() % mutant.size());
    const MutantResult result = runMutant(mutant);
    loaded += result.loaded;
    ran += result.loaded && !result.trapped;
    EXPECT_EQ(result.difference, "") << "mutant " << m << " of seed " << seed;
  }
  // The property is empty if nothing loads and runs.
  EXPECT_GT(loaded, mutants / 20);
  EXPECT_GT(ran, mutants / 50);
}

} // namespace
