// Links of each topology and their numbers.
#include "backend/overlay/Fields.h"

#include <gtest/gtest.h>

#include <set>

using namespace acis;
using namespace acis::overlay;

namespace {

bool has(const std::vector<Link> &links, unsigned from, unsigned to, unsigned port,
         unsigned inPort) {
  for (const Link &l : links)
    if (l.from == from && l.to == to && l.port == port && l.inPort == inPort)
      return true;
  return false;
}

TEST(Topology, ChainRunsThroughTheRows) {
  std::vector<Link> links = deriveLinks(2, 2, Topology::Chain);
  EXPECT_EQ(links.size(), 6u);
  EXPECT_TRUE(has(links, 1, 2, 0, 1)); // end of the first row to the second
  EXPECT_TRUE(has(links, 2, 1, 1, 0));
}

TEST(Topology, MeshHasFourDirections) {
  std::vector<Link> links = deriveLinks(3, 3, Topology::Mesh);
  EXPECT_EQ(links.size(), 24u);
  EXPECT_TRUE(has(links, 4, 5, 0, 1));
  EXPECT_TRUE(has(links, 4, 3, 1, 0));
  EXPECT_TRUE(has(links, 4, 7, 2, 3));
  EXPECT_TRUE(has(links, 4, 1, 3, 2));
}

TEST(Topology, TorusWrapsButNeverToItself) {
  std::vector<Link> links = deriveLinks(3, 3, Topology::Torus);
  EXPECT_EQ(links.size(), 36u);
  EXPECT_TRUE(has(links, 2, 0, 0, 1));
  EXPECT_TRUE(has(links, 0, 6, 3, 2));
  EXPECT_EQ(deriveLinks(1, 3, Topology::Torus).size(), 6u);
  EXPECT_TRUE(deriveLinks(1, 1, Topology::Torus).empty());
}

TEST(Topology, KingAddsTheDiagonals) {
  std::vector<Link> links = deriveLinks(3, 3, Topology::King);
  EXPECT_EQ(links.size(), 40u);
  EXPECT_TRUE(has(links, 4, 8, 4, 5));
  EXPECT_TRUE(has(links, 4, 0, 5, 4));
  EXPECT_TRUE(has(links, 4, 6, 6, 7));
  EXPECT_TRUE(has(links, 4, 2, 7, 6));
}

TEST(Topology, OneHopSkipsOnePeInEachDirection) {
  std::vector<Link> links = deriveLinks(3, 3, Topology::OneHop);
  EXPECT_EQ(links.size(), 24u + 12u);
  EXPECT_TRUE(has(links, 4, 5, 0, 1)); // the mesh is part of it
  EXPECT_TRUE(has(links, 0, 2, 4, 5));
  EXPECT_TRUE(has(links, 2, 0, 5, 4));
  EXPECT_TRUE(has(links, 1, 7, 6, 7));
  EXPECT_TRUE(has(links, 7, 1, 7, 6));
  EXPECT_EQ(deriveLinks(2, 2, Topology::OneHop).size(), 8u); // nothing to skip
}

TEST(Topology, EveryPortIsUsedOnceAndTheWayBackPairsWithIt) {
  for (Topology t :
       {Topology::Chain, Topology::Mesh, Topology::Torus, Topology::King, Topology::OneHop})
    for (unsigned rows : {1u, 2u, 4u})
      for (unsigned cols : {1u, 2u, 5u}) {
        std::set<std::pair<unsigned, unsigned>> outs, ins;
        std::vector<Link> links = deriveLinks(rows, cols, t);
        for (const Link &l : links) {
          EXPECT_NE(l.from, l.to);
          EXPECT_LT(l.port, Overlay::MaxLinks);
          EXPECT_LT(l.inPort, Overlay::MaxLinks);
          EXPECT_TRUE(outs.insert({l.from, l.port}).second);
          EXPECT_TRUE(ins.insert({l.to, l.inPort}).second);
          EXPECT_TRUE(has(links, l.to, l.from, l.inPort, l.port));
        }
      }
}

} // namespace
