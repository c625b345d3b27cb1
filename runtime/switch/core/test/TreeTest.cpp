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

TEST(Topology, SaysWhatIsWrong) {
  auto why = [](const char *json) {
    Result<sw::Topology> topology = sw::Topology::read(json);
    return topology ? "" : topology.error().str();
  };
  EXPECT_EQ(why("{"), "is not JSON");
  EXPECT_EQ(why("{}"), "switches: expected a list with at least one switch");
  EXPECT_EQ(why(R"({"switch": []})"), "found key 'switch'; allowed are switches, hosts");
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
