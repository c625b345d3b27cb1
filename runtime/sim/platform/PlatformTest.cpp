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

/// A direct network; engines have as many neighbours as its form says.
Graph direct(const std::string &kind, const std::string &sizes) {
  const Result<Platform> platform = Platform::read(
      R"({"topology": {"kind": ")" + kind + R"(", "role": "engine", "sizes": )" + sizes + "}}");
  EXPECT_TRUE(platform) << platform.error().str();
  return platform ? platform->graph : Graph();
}

TEST(GraphTest, DirectNetworksLinkEnginesToTheirNeighbours) {
  EXPECT_EQ(direct("ring", "[5]").links.size(), 5u + 5);
  EXPECT_EQ(direct("ring", "[2]").links.size(), 2u + 1);
  EXPECT_EQ(direct("torus", "[4, 2]").links.size(), 8u + 8 + 4);
  EXPECT_EQ(direct("torus", "[3, 3, 3]").links.size(), 27u + 81);
  EXPECT_EQ(direct("hypercube", "[8]").links.size(), 8u + 12);
  const Graph tree = direct("tree", "[7, 2]");
  EXPECT_EQ(tree.links.size(), 7u + 6);
  EXPECT_EQ(hops(tree, 3, 6), 2u + 4);
  EXPECT_EQ(tree.fabric->str(), "tree of 7");
}

TEST(PlacementTest, EachHostHasItsEngineAndNoneHasOneAbove) {
  const Result<Placement> placement = place(direct("torus", "[4, 2]"), 3);
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->leafOfRank, (std::vector<uint16_t>{0, 1, 2}));
  EXPECT_EQ(placement->parentOfSwitch, std::vector<uint16_t>(8, 0xfffe));
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
            "links, or of engines ring, torus, hypercube or tree; did you mean 'fat-tree'?");
  EXPECT_EQ(errorOf(R"({"topology": {"kind": "torus", "sizes": [4, 4]}})"),
            "topology/sizes: found [4,4]; expected three whole numbers, as in [4, 4, 2]");
  EXPECT_EQ(errorOf(R"({"topology": {"kind": "fat-tree", "radix": 4, "hosts": 17}})"),
            "topology/hosts: found 17; expected a whole number from 1 to 16");
  EXPECT_EQ(errorOf(R"({"topology": {"kind": "ring", "sizes": [4]}})"),
            "topology/role: is missing; a ring is a network of engines: say \"role\": \"engine\"");
  EXPECT_EQ(errorOf(R"({"topology": {"kind": "star", "hosts": 4, "role": "engine"}})"),
            "topology/role: engines are linked as a ring, torus, hypercube or tree; found star");
  EXPECT_EQ(errorOf(R"({"topology": {"kind": "torus", "sizes": [2, 2, 2], "role": "leaf"}})"),
            "topology/role: found \"leaf\"; expected \"engine\" or \"switch\"");
  EXPECT_NE(errorOf(R"({"topology": {"kind": "hypercube", "sizes": [6], "role": "engine"}})")
                .find("topology/sizes: a hypercube has 2, 4, 8, ... engines; there are 6"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"topology": {"kind": "ring", "sizes": [4, 4], "role": "engine"}})")
                .find("topology/sizes: a ring has 1 size"),
            std::string::npos);
  EXPECT_EQ(errorOf(R"({"topology": {"kind": "torus", "sizes": [3, 3], "role": "engine"},
                        "engine": {"ports": 2}})"),
            "engine/ports: found 2; in a 3 x 3 torus an engine has up to 4 neighbours: give as "
            "many, or another topology");
  EXPECT_NE(errorOf(R"({"topology": {"kind": "star", "hosts": 4}, "engine": {"ports": 2}})")
                .find("engine: the topology has no engines"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"topology": {"kind": "ring", "sizes": [4], "role": "engine"},
                        "engine": {"packetNs": -1}})")
                .find("engine/packetNs: found -1; expected a number from 0"),
            std::string::npos);
  EXPECT_NE(errorOf("{").find("is no JSON: parse error at line 1"), std::string::npos);
  EXPECT_NE(errorOf(R"({"topology": {"kind": "star", "hosts": 2}, "links": {"bandwidthGbps": 0}})"),
            "");
}

} // namespace
