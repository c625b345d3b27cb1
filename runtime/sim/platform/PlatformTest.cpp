// Shapes, routes, placements and errors of platform files.
#include "runtime/sim/platform/Platform.h"
#include "runtime/sim/platform/Placement.h"
#include "runtime/sim/platform/Routing.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::cluster;

namespace {

size_t hops(const Graph &graph, uint32_t from, uint32_t to) {
  std::vector<Routing::Hop> way;
  const Routing routing(graph);
  routing.route(from, to, way);
  for (Routing::Hop hop : way) {
    const auto [a, b] = graph.links[hop / 2];
    EXPECT_EQ(hop % 2 ? b : a, from);
    from = routing.target(hop);
  }
  EXPECT_EQ(from, to);
  return way.size();
}

std::string errorOf(const std::string &json) {
  const Result<Platform> platform = Platform::read(json);
  return platform ? "" : platform.error().str();
}

/// Switches above that of a rank, itself included; the same for all.
size_t levels(const Placement &placement) {
  size_t all = 0;
  for (uint16_t leaf : placement.leafOfRank) {
    size_t depth = 0;
    for (uint16_t s = leaf; s != 0xffff; s = placement.parentOfSwitch[s])
      ++depth;
    EXPECT_TRUE(all == 0 || all == depth);
    all = depth;
  }
  return all;
}

TEST(GraphTest, TorusWrapsAndMeshDoesNot) {
  const Graph torus = makeGrid({4, 4, 2}, true), mesh = makeGrid({8, 4}, false);
  EXPECT_EQ(torus.hosts.size(), 32u);
  EXPECT_EQ(torus.links.size(), 32u + 32 + 32 + 16);
  EXPECT_EQ(hops(torus, 0, 3), 3u);      // one step back in x
  EXPECT_EQ(hops(torus, 0, 31), 2u + 3); // a step in each of x, y and z
  EXPECT_EQ(mesh.links.size(), 32u + 28 + 24);
  EXPECT_EQ(hops(mesh, 0, 7), 2u + 7);
  EXPECT_EQ(hops(mesh, 0, 31), 2u + 7 + 3);
}

TEST(GraphTest, SpineLeafDividesPortsByOverSubscription) {
  EXPECT_EQ(downPorts(8, 3), 6u);
  EXPECT_EQ(downPorts(16, 3), 12u);
  EXPECT_EQ(downPorts(28, 3), 21u);
  EXPECT_EQ(downPorts(16, 1), 8u);
  const Graph graph = makeSpineLeaf(128, 16, 3);
  EXPECT_EQ(graph.switches.size(), 11u + 4);
  EXPECT_EQ(graph.links.size(), 128u + 44);
  EXPECT_EQ(hops(graph, 0, 11), 2u);
  EXPECT_EQ(hops(graph, 0, 12), 4u);
}

TEST(GraphTest, FatTreeHasThreeLevels) {
  const Graph graph = makeFatTree(128, 8);
  EXPECT_EQ(graph.switches.size(), 32u + 32 + 16);
  EXPECT_EQ(graph.links.size(), 128u * 3);
  EXPECT_EQ(hops(graph, 0, 3), 2u);
  EXPECT_EQ(hops(graph, 0, 15), 4u);
  EXPECT_EQ(hops(graph, 0, 127), 6u);
}

TEST(RoutingTest, SpinesTakeTurnsByDestination) {
  const Graph graph = makeSpineLeaf(24, 16, 3);
  const Routing routing(graph);
  std::vector<uint32_t> spines;
  for (uint32_t to = 12; to < 24; ++to) {
    std::vector<Routing::Hop> way;
    routing.route(0, to, way);
    spines.push_back(routing.target(way[1]));
  }
  EXPECT_EQ(std::count(spines.begin(), spines.end(), spines[0]), 3);
}

TEST(PlacementTest, TreesEndInOneTop) {
  for (const Graph &graph : {makeStar(5), makeSpineLeaf(128, 8, 3), makeFatTree(128, 8),
                             makeGrid({4, 4, 2}, true), makeGrid({8, 4}, false)}) {
    const auto ranks = uint32_t(graph.hosts.size());
    const Result<Placement> placement = place(graph, ranks);
    ASSERT_TRUE(placement) << placement.error().str();
    EXPECT_EQ(placement->leafOfRank.size(), ranks);
    EXPECT_EQ(
        std::count(placement->parentOfSwitch.begin(), placement->parentOfSwitch.end(), 0xffff), 1);
  }
  EXPECT_EQ(levels(*place(makeStar(5), 5)), 1u);
  EXPECT_EQ(levels(*place(makeSpineLeaf(128, 8, 3), 128)), 2u);
  EXPECT_EQ(levels(*place(makeFatTree(128, 8), 128)), 3u);
  EXPECT_EQ(levels(*place(makeFatTree(128, 8), 4)), 1u);
  EXPECT_EQ(levels(*place(makeGrid({4, 4, 2}, true), 32)), 4u);
  EXPECT_EQ(levels(*place(makeGrid({8, 4}, false), 32)), 3u);
}

TEST(PlatformTest, SaysWhatIsNotSaidAsPublished) {
  const Result<Platform> platform =
      Platform::read(R"({"topology": {"kind": "star", "hosts": 2}, "links": {"latencyNs": 500}})");
  ASSERT_TRUE(platform);
  EXPECT_DOUBLE_EQ(platform->link.latency, 500e-9);
  EXPECT_DOUBLE_EQ(platform->link.bandwidth, 95.9e9 / 8);
  EXPECT_DOUBLE_EQ(platform->device.portTime(33), 8e-9);
}

TEST(PlatformTest, ReadsLinks) {
  const Result<Platform> platform = Platform::read(
      R"({"topology": {"kind": "links", "hosts": ["a", "b"], "switches": ["s", "t"],
          "links": [["a", "s"], ["t", "b"], ["s", "t"]]}})");
  ASSERT_TRUE(platform) << platform.error().str();
  EXPECT_EQ(hops(platform->graph, 0, 1), 3u);
}

TEST(PlatformTest, NamesWhatIsWrong) {
  EXPECT_EQ(errorOf(R"({"topology": {"kind": "links", "hosts": ["a", "b"], "switches": ["s"],
                        "links": [["a", "s"]]}})"),
            "topology/hosts: host 'b' has no link; add [\"b\", \"<switch>\"] to topology/links");
  EXPECT_EQ(errorOf(R"({"topology": {"kind": "links", "hosts": ["a", "b"], "switches": ["s", "t"],
                        "links": [["a", "s"], ["b", "t"]]}})"),
            "topology/links: host 'b' does not reach host 'a'; link their switches");
  EXPECT_EQ(errorOf(R"({"topology": {"kind": "star", "hosts": 2}, "links": {"latencyNz": 5}})"),
            "links/latencyNz: unknown field; allowed are latencyNs, bandwidthGbps, framingBytes; "
            "did you mean 'latencyNs'?");
  EXPECT_EQ(errorOf(R"({"topology": {"kind": "fat-tre"}})"),
            "topology/kind: found 'fat-tre'; expected star, spine-leaf, fat-tree, torus, mesh or "
            "links; did you mean 'fat-tree'?");
  EXPECT_EQ(errorOf(R"({"topology": {"kind": "torus", "sizes": [4, 4]}})"),
            "topology/sizes: found [4,4]; expected three whole numbers, as in [4, 4, 2]");
  EXPECT_EQ(errorOf(R"({"topology": {"kind": "fat-tree", "radix": 4, "hosts": 17}})"),
            "topology/hosts: found 17; expected a whole number from 1 to 16");
  EXPECT_NE(errorOf("{").find("is no JSON: parse error at line 1"), std::string::npos);
  EXPECT_NE(errorOf(R"({"topology": {"kind": "star", "hosts": 2}, "links": {"bandwidthGbps": 0}})"),
            "");
}

} // namespace
