// What hosts derive: trees, positions, and rows of the table whose size does not grow
// with the group. The topology file they read.
#include "runtime/switch/collective/Tree.h"
#include "runtime/switch/core/Communicator.h"
#include "runtime/switch/core/Topology.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

using namespace acis;
using namespace acis::collective;

namespace {

constexpr uint16_t None = 0xffff;

std::vector<uint32_t> group(std::initializer_list<uint32_t> ranks) { return ranks; }

TEST(Tree, OneSwitchIsInRankOrder) {
  const auto ranks = group({4, 2, 9});
  Result<Tree> tree = makeTree(ranks, 1, {});
  ASSERT_TRUE(tree);
  EXPECT_TRUE(tree->rankOrder);
  ASSERT_EQ(tree->join.levels.size(), 1u);
  EXPECT_EQ(tree->join.levels[0], (wire::Level{1, 3, 1, 1}));
}

TEST(Tree, RanksInTurnsAreNumberedByLeaf) {
  const Placement placement{{0, 1, 0, 1}, {2, 2, None}};
  const auto ranks = group({0, 1, 2, 3});
  Result<Tree> tree = makeTree(ranks, 1, placement);
  ASSERT_TRUE(tree);
  EXPECT_FALSE(tree->rankOrder);
  EXPECT_EQ(tree->rankAt, (std::vector<uint32_t>{0, 2, 1, 3}));
  ASSERT_EQ(tree->join.levels.size(), 2u);
  EXPECT_EQ(tree->join.levels[0], (wire::Level{0, 2, 2, 1}));
  EXPECT_EQ(tree->join.levels[1], (wire::Level{1, 2, 2, 2}));
}

TEST(Tree, EndsAtTheLowestCommonSwitch) {
  const Placement placement{{0, 1, 0, 1}, {2, 2, None}};
  const auto ranks = group({1, 3});
  Result<Tree> tree = makeTree(ranks, 0, placement);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->join.levels.size(), 1u);
}

TEST(Tree, SaysWhatIsWrong) {
  const auto ranks = group({0, 1});
  Result<Tree> apart = makeTree(ranks, 0, {{0, 1}, {None, None}});
  ASSERT_FALSE(apart);
  EXPECT_EQ(apart.error().str(),
            "topology: the leaves 0 and 1 have no common switch above them at equal height");
  Result<Tree> missing = makeTree(ranks, 0, {{0}, {}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().str(), "topology: world rank 1 has no leaf; there are 1 ranks");
  Result<Tree> cycle = makeTree(ranks, 0, {{0, 0}, {0}});
  ASSERT_FALSE(cycle);
  EXPECT_EQ(cycle.error().str(),
            "topology: switch 0 has more than 3 switches above it, or is above itself");
}

struct NoServices final : sw::Services {
  wire::Time now() const override { return 0; }
  void send(sw::SessionId, const wire::Header &, std::span<const uint8_t>) override {}
  void sendEach(std::span<const Recipient>, const wire::Header &, std::span<const uint8_t>,
                const wire::Digest *) override {}
  wire::Cast openCast(sw::JobId) override { return {}; }
  void closeCast(uint32_t) override {}
  void sendCast(uint32_t, const wire::Header &, std::span<const uint8_t>,
                const wire::Digest *) override {}
  const sw::SessionInfo *session(sw::SessionId) const override { return nullptr; }
  bool hasParent() const override { return true; }
  void sendAbove(sw::JobId, const wire::Header &, std::span<const uint8_t>) override {}
  void requestAbove(sw::JobId, wire::PacketType, uint32_t, std::vector<uint8_t>) override {}
  uint32_t packetBytesAbove(sw::JobId) const override { return 0; }
  const direct::Network *network() const override { return nullptr; }
  bool reach(sw::JobId, uint16_t) override { return false; }
  void sendAcross(sw::JobId, uint16_t, const wire::Header &, std::span<const uint8_t>) override {}
  bool charge(sw::JobId, int64_t) override { return true; }
  void fail(sw::JobId, const std::string &) override {}
  void sendRaw(unsigned, const wire::Address &, std::span<const uint8_t>) override {}
};

// Table construction only: three levels of switches with 64 ports. Printed for the docs.
TEST(Table, MemoryOfAnEntryIsBoundByTheRadix) {
  constexpr uint32_t radix = 64;
  uint64_t most = 0;
  for (uint32_t size = 2; size <= 65'536; size *= 2) {
    // Leaves 0..1023, then 16 middle switches, then the top.
    Placement placement;
    for (uint32_t r = 0; r < size; ++r)
      placement.leafOfRank.push_back(uint16_t(r / radix));
    for (uint32_t s = 0; s < 1024; ++s)
      placement.parentOfSwitch.push_back(uint16_t(1024 + s / radix));
    placement.parentOfSwitch.resize(1040, 1040);
    placement.parentOfSwitch.push_back(None);
    std::vector<uint32_t> ranks(size);
    std::iota(ranks.begin(), ranks.end(), 0);
    Result<Tree> tree = makeTree(ranks, size - 1, placement);
    ASSERT_TRUE(tree) << tree.error().str();
    NoServices services;
    sw::EngineClock engine;
    sw::Kept kept(services, 0);
    sw::CommunicatorCounters count;
    sw::Communicator leaf(services, {.job = 1, .context = 1, .slots = 1}, tree->join, {}, {},
                          engine, kept, count);
    const uint64_t bytes = leaf.entryBytes();
    RecordProperty("bytes_" + std::to_string(size), int(bytes));
    most = std::max(most, bytes);
    if (size == radix)
      EXPECT_EQ(most, bytes);
    if (size > radix)
      EXPECT_LE(bytes, most + 64) << "an entry must not grow past the radix: " << size;
  }
}

TEST(Topology, ReadsLeavesSpinesAndHosts) {
  Result<sw::Topology> topology = sw::Topology::read(R"({
    "switches": [{"name": "leaf0", "address": "127.0.0.1:9000", "parents": ["s0", "s1"]},
                 {"name": "leaf1", "address": "127.0.0.1:9001", "parents": ["s0", "s1"]},
                 {"name": "s0", "address": "127.0.0.1:9002", "ports": 8},
                 {"name": "s1", "address": "127.0.0.1:9003"}],
    "hosts": [{"name": "a", "switch": "leaf0"}, {"name": "b", "switch": "leaf1"}]})");
  ASSERT_TRUE(topology) << topology.error().str();
  EXPECT_EQ(*topology->leafOf("b"), 1);
  EXPECT_EQ(topology->parentsFor(4), (std::vector<uint16_t>{2, 2, None, None}));
  EXPECT_EQ(topology->parentsFor(5), (std::vector<uint16_t>{3, 3, None, None}));
  EXPECT_EQ(topology->switches[2].ports, 8u);
}

TEST(Topology, EnginesHaveThePlacesThatTheFileGives) {
  Result<sw::Topology> topology = sw::Topology::read(R"({
    "network": {"form": "torus", "sizes": [2, 2]},
    "switches": [{"name": "a", "address": "127.0.0.1:9000", "place": [1, 1]},
                 {"name": "b", "address": "127.0.0.1:9001", "place": [0, 1]},
                 {"name": "c", "address": "127.0.0.1:9002", "place": [1, 0]},
                 {"name": "d", "address": "127.0.0.1:9003", "place": [0, 0]}],
    "hosts": [{"name": "h", "switch": "c"}]})");
  ASSERT_TRUE(topology) << topology.error().str();
  EXPECT_EQ(topology->switches[0].name, "d");
  EXPECT_EQ(topology->switches[2].name, "b");
  EXPECT_EQ(*topology->leafOf("h"), 1);
  EXPECT_EQ(topology->parentsFor(4), (std::vector<uint16_t>(4, collective::DirectNetwork)));
  Result<direct::Network> network = topology->networkOf(3);
  ASSERT_TRUE(network);
  EXPECT_EQ(network->nameOf(1), "engine 1 (c, 127.0.0.1:9002)");
  EXPECT_EQ(network->wayTo(0), " by way of engine 2 (b, 127.0.0.1:9001)");
  EXPECT_EQ(network->wayTo(1), "");
}

TEST(Topology, SaysWhatIsWrongWithANetwork) {
  auto why = [](const std::string &network, const std::string &engines) {
    Result<sw::Topology> topology =
        sw::Topology::read(R"({"network": )" + network + R"(, "switches": [)" + engines + "]}");
    return topology ? "" : topology.error().str();
  };
  auto engine = [](const std::string &name, const std::string &more = "") {
    return R"({"name": ")" + name + R"(", "address": ")" + name + R"(:1")" + more + "}";
  };
  const std::string two = engine("a") + "," + engine("b");
  EXPECT_EQ(why(R"({"form": "ring", "sizes": [2]})", two), "");
  EXPECT_EQ(why("3", two), "network: found 3; expected an object");
  EXPECT_EQ(why(R"({"form": "star", "sizes": [2]})", two),
            "network/form: found \"star\"; expected ring, torus, hypercube or tree");
  EXPECT_EQ(why(R"({"form": "ring"})", two),
            "network/sizes: expected a list of numbers, such as [4] or [4, 2]");
  EXPECT_EQ(why(R"({"form": "ring", "sizes": [-1]})", two),
            "network/sizes: found [-1]; expected a list of numbers, such as [4] or [4, 2]");
  EXPECT_EQ(why(R"({"form": "ring", "sizes": [3]})", two),
            "switches: 2 engines; a ring of 3 has 3");
  EXPECT_EQ(why(R"({"form": "torus", "sizes": [2, 2]})", two),
            "switches: 2 engines; a 2 x 2 torus has 4");
  EXPECT_EQ(why(R"({"form": "hypercube", "sizes": [3]})", two),
            "network/sizes: a hypercube has 2, 4, 8, ... engines; there are 3; say ring, torus or "
            "tree");
  EXPECT_EQ(why(R"({"form": "ring", "sizes": [2]})",
                engine("a") + "," + engine("b", R"(, "parents": ["a"])")),
            "switches/1: found key 'parents'; allowed are name, address, place, ports");
  EXPECT_EQ(why(R"({"form": "ring", "sizes": [2]})", R"({"name": "a", "address": "x:1"},)"
                                                     R"({"name": "b", "address": "x:1"})"),
            "switches/1/address: x:1 is that of 'a'; each engine has its own");
  const std::string zero = R"(, "place": [0])", one = R"(, "place": [1])",
                    far = R"(, "place": [2])";
  EXPECT_EQ(why(R"({"form": "ring", "sizes": [2]})", engine("a", one) + "," + engine("b", zero)),
            "");
  EXPECT_EQ(why(R"({"form": "ring", "sizes": [2]})", engine("a", zero) + "," + engine("b", zero)),
            "switches/1/place: [0] is the place of 'a'; each engine has its own");
  EXPECT_EQ(why(R"({"form": "ring", "sizes": [2]})", engine("a", zero) + "," + engine("b", far)),
            "switches/1/place: [2] is no place of a ring of 2, whose last one is [1]");
  EXPECT_EQ(why(R"({"form": "ring", "sizes": [2]})", engine("a", zero) + "," + engine("b")),
            "switches/1/place: all engines have a place in the file, or none, and they are in "
            "order");
}

TEST(Topology, SaysWhatIsWrong) {
  auto why = [](const char *json) {
    Result<sw::Topology> topology = sw::Topology::read(json);
    return topology ? "" : topology.error().str();
  };
  EXPECT_EQ(why("{"), "is not JSON");
  EXPECT_EQ(why("{}"), "switches: expected a list with at least one switch");
  EXPECT_EQ(why(R"({"switch": []})"), "found key 'switch'; allowed are switches, hosts, network");
  EXPECT_EQ(why(R"({"switches": [{"name": "a"}]})"),
            "switches/0/address: expected a text that is not empty");
  EXPECT_EQ(why(R"({"switches": [{"name": "a", "address": "x:1", "parents": ["b"]}]})"),
            "switches/0/parents: there is no switch 'b'");
  EXPECT_EQ(why(R"({"switches": [{"name": "a", "address": "x:1", "parents": ["a"]}]})"),
            "switches/0/parents: 'a' is above itself, or has more than 3 switches above it");
  EXPECT_EQ(why(R"({"switches": [{"name": "a", "address": "x:1", "parents": ["b"]},
                                 {"name": "b", "address": "x:2"}],
                    "hosts": [{"name": "h", "switch": "b"}]})"),
            "hosts/0/switch: 'b' is above other switches; hosts are on leaves");
  EXPECT_EQ(why(R"({"switches": [{"name": "a", "address": "x:1", "ports": 0}]})"),
            "switches/0/ports: found 0; expected a number from 1 to 65535");
}

} // namespace
