// Neighbours and ways of every form of network.
#include "runtime/switch/direct/Fabric.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace acis;
using namespace acis::direct;

namespace {

std::vector<Fabric> fabrics() {
  std::vector<Fabric> out;
  auto add = [&](Form form, std::vector<uint32_t> sizes) {
    Result<Fabric> made = Fabric::make(form, std::move(sizes));
    ASSERT_TRUE(made) << made.error().str();
    out.push_back(*made);
  };
  for (uint32_t n : {1u, 2u, 3u, 8u, 13u})
    add(Form::Ring, {n});
  add(Form::Torus, {1, 5});
  add(Form::Torus, {4, 4});
  add(Form::Torus, {3, 2});
  add(Form::Torus, {2, 3, 4});
  add(Form::Hypercube, {16});
  for (uint32_t children : {1u, 2u, 3u})
    add(Form::Tree, {11, children});
  return out;
}

/// Links between two engines by the shortest way, without next().
uint32_t distance(const Fabric &fabric, uint32_t from, uint32_t to) {
  std::vector<uint32_t> reached = {from};
  for (uint32_t links = 0;; ++links) {
    if (std::find(reached.begin(), reached.end(), to) != reached.end())
      return links;
    const std::vector<uint32_t> last = reached;
    for (const uint32_t engine : last)
      for (const uint32_t neighbour : fabric.neighbours(engine))
        if (std::find(reached.begin(), reached.end(), neighbour) == reached.end())
          reached.push_back(neighbour);
  }
}

TEST(Fabric, WaysGoAlongLinksAndAreShortest) {
  for (const Fabric &fabric : fabrics())
    for (uint32_t from = 0; from < fabric.engines(); ++from)
      for (uint32_t to = 0; to < fabric.engines(); ++to) {
        const std::vector<uint32_t> way = fabric.way(from, to);
        ASSERT_EQ(way.size(), distance(fabric, from, to)) << fabric.str();
        uint32_t at = from;
        for (const uint32_t next : way) {
          const std::vector<uint32_t> near = fabric.neighbours(at);
          ASSERT_NE(std::find(near.begin(), near.end(), next), near.end())
              << fabric.str() << ": " << at << " to " << next;
          at = next;
        }
      }
}

TEST(Fabric, NeighboursAreMutual) {
  for (const Fabric &fabric : fabrics())
    for (uint32_t engine = 0; engine < fabric.engines(); ++engine)
      for (const uint32_t other : fabric.neighbours(engine)) {
        const std::vector<uint32_t> back = fabric.neighbours(other);
        EXPECT_NE(std::find(back.begin(), back.end(), engine), back.end()) << fabric.str();
      }
}

std::string refusal(Form form, std::vector<uint32_t> sizes) {
  Result<Fabric> made = Fabric::make(form, std::move(sizes));
  return made ? "" : made.error().str();
}

TEST(Fabric, SizesMustFitTheForm) {
  EXPECT_EQ(refusal(Form::Hypercube, {6}),
            "a hypercube has 2, 4, 8, ... engines; there are 6; say ring, torus or tree");
  EXPECT_EQ(refusal(Form::Torus, {4}),
            "a torus has 2 or 3 sizes, one for each direction; there are 1");
  EXPECT_EQ(refusal(Form::Ring, {0}), "a size of 0; allowed are 1 to 65536");
  EXPECT_EQ(refusal(Form::Torus, {300, 300}), "more than 65536 engines");
  EXPECT_EQ(refusal(Form::Tree, {70'000, 2}), "a size of 70000; allowed are 1 to 65536");
  EXPECT_EQ(refusal(Form::Torus, {256, 256}), "");
}

} // namespace
