// Long graphs on units of several cycles: values wait for as long as the schedule gets, and what
// is placed has to move apart to make room.
#include "passes/mapper/TestProblems.h"
#include "passes/mapper/suite/GraphBuilder.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::map;
using namespace acis::map::test;

/// One level after the other of a trie: the next bit of the key beside the node picks the next one.
/// The key is shifted by itself, so each of its values could be there long before it is of use.
static Problem walk(unsigned levels) {
  suite::GraphBuilder b;
  unsigned key = b.streamIn(), at = b.op("lshr", {key}), best = at;
  for (unsigned level = 0; level < levels; ++level) {
    const unsigned entry = b.load("child", at);
    const unsigned next = b.op("and", {entry});
    best = b.op("select", {b.op("slt", {entry}), next, best});
    key = b.op("shl", {key});
    at = b.op("or", {b.op("shl", {next}), b.op("lshr", {key})});
  }
  b.streamOut(best);
  return b.problem;
}

/// The first attempts have to do it: at the bound, and at no other interval.
static void expectAtBound(const Problem &problem, const char *name) {
  const Overlay overlay = overlayNamed(name);
  Options options;
  options.patience = Patience::Brief;
  options.maxIi = bounds(problem, overlay).mii();
  auto mapping = map::map(problem, overlay, options);
  ASSERT_TRUE(mapping) << name << ": " << mapping.error().str();
  EXPECT_TRUE(verify(problem, overlay, *mapping)) << name;
}

TEST(Stretch, ValuesAreMadeWhenTheyAreOfUse) {
  for (const char *name : {"mesh4x4", "mesh4x4-left", "king4x4", "onehop4x4", "torus4x4"})
    expectAtBound(walk(16), name);
}
