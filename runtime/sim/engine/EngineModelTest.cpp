// The hardware of an engine against cycles counted by hand, the figures of 003 and of the
// dissertation's chapter 3, and a FIFO that is stepped cycle by cycle.
#include "runtime/sim/engine/EngineModel.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <fstream>

using namespace acis;
using namespace acis::cluster;

namespace {

using Use = EngineModel::Use;

nlohmann::json fileOf(const std::string &name) {
  const char *root = std::getenv("ACIS_SRC_ROOT");
  std::ifstream file(std::string(root ? root : ".") + "/runtime/sim/engine/descriptions/" + name);
  return nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
}

EngineDescription shipped(const std::string &name) {
  const Result<EngineDescription> read = EngineDescription::read(fileOf(name), "");
  EXPECT_TRUE(read) << name << ": " << (read ? "" : read.error().str());
  return read ? *read : EngineDescription();
}

std::string errorOf(const char *json) {
  const Result<EngineDescription> read =
      EngineDescription::read(nlohmann::json::parse(json), "engine");
  return read ? "" : read.error().str();
}

EngineModel::Packet packet(uint32_t port, uint64_t bytes, Use use, uint64_t first,
                           uint64_t row = 1) {
  return {port, bytes, use, row, first, first};
}

// 003: 125 ns, 25 cycles, for a packet through both of its modules. The dissertation: 52 ns from
// port to port at 250 MHz, 13 cycles.
TEST(EngineDescription, HasThePublishedTimes) {
  const EngineDescription netfpga = shipped("netfpga-sume.json");
  EXPECT_EQ(netfpga.packetCycles(), 25u);
  EXPECT_DOUBLE_EQ(double(netfpga.packetCycles()) * netfpga.cycleNs(), 125);
  const EngineDescription torus = shipped("u280-torus.json");
  EXPECT_EQ(torus.passCycles(), 13u);
  EXPECT_EQ(torus.packetCycles(), 32u); // 31.25, rounded up
  EXPECT_EQ(torus.json(), EngineDescription().json());
}

// Table 3.3: reductions x R x 4 units of 64 bits.
TEST(EngineDescription, HasTheUnitsOfTable33) {
  EngineDescription of;
  EXPECT_EQ(of.units(), 144u);
  const std::pair<uint32_t, uint32_t> indirect[] = {{8, 8}, {16, 8}, {28, 4}};
  const uint64_t printed[] = {256, 512, 448};
  for (int i = 0; i < 3; ++i) {
    std::tie(of.ports, of.reductions) = indirect[i];
    EXPECT_EQ(of.units(), printed[i]);
  }
}

// Section 3.4.1: m = 16, d = 7, q = 2, 440 ns, 4 ns, 32 bytes give 32.2 KB.
TEST(EngineDescription, SizesItsBuffersByEquation31) {
  EngineDescription of;
  EXPECT_EQ(of.buffer(7, 440), 32'192u);
  of.bufferBytes = 4096;
  EXPECT_EQ(of.buffer(7, 440), 4096u);
}

TEST(EngineDescription, FoldsInTwoChainsThatMeet) {
  EngineDescription of;
  of.unitCycles = 10;
  const uint64_t one = of.packetCycles();
  EXPECT_EQ(of.foldCycles(2), one);
  EXPECT_EQ(of.foldCycles(3), one + 10);
  EXPECT_EQ(of.foldCycles(4), one + 10); // two pairs side by side, and their fold
  EXPECT_EQ(of.foldCycles(7), one + 30); // 4 and 3 operands: three and two units, and one
  // The eighth goes with the fold of seven through one unit more.
  EXPECT_EQ(of.foldCycles(8), one + 40);
}

TEST(EngineDescription, ColumnsOfFewerUnitsTakeMoreCycles) {
  EngineDescription of;
  EXPECT_EQ(of.cyclesPerPhit(), 1u);
  of.unitsPerColumn = 1;
  EXPECT_EQ(of.cyclesPerPhit(), 4u);
}

TEST(EngineDescription, NamesWhatIsWrong) {
  EXPECT_EQ(errorOf(R"({"ports": 0})"),
            "engine/ports: found 0; expected a whole number from 1 to 64");
  EXPECT_EQ(errorOf(R"({"ports": 2.5})"),
            "engine/ports: found 2.5; expected a whole number from 1 to 64");
  EXPECT_EQ(errorOf(R"({"packetNs": "125"})"),
            "engine/packetNs: found \"125\"; expected a number from 0 to 1000000");
  EXPECT_NE(errorOf(R"({"portz": 6})").find("did you mean 'ports'?"), std::string::npos);
  EXPECT_NE(errorOf(R"({"unitsPerColumn": 8})").find("8 units of 64 bits fold more than a phit"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"bufferBytes": 512})").find("the margin alone is 512 bytes"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"phitBits": 260})").find("a multiple of 8"), std::string::npos);
  EXPECT_NE(errorOf(R"({"messageBytes": 1024})").find("at least packetBytes, 1392"),
            std::string::npos);
  EXPECT_EQ(errorOf("[]"), "engine: found []; expected an object");
}

// The published schema and the reader have the same fields and limits.
TEST(EngineDescription, IsWhatTheSchemaSays) {
  const nlohmann::json schema = fileOf("engine.schema.json");
  ASSERT_TRUE(schema.is_object());
  EXPECT_EQ(schema.at("additionalProperties"), false);
  nlohmann::json properties = schema.at("properties");
  EXPECT_EQ(properties.erase("name") + properties.erase("$schema"), 2u);
  const nlohmann::ordered_json defaults = EngineDescription().json();
  for (const EngineField &field : engineFields()) {
    const std::string name(field.name);
    ASSERT_TRUE(properties.contains(name)) << name;
    const nlohmann::json &property = properties[name];
    EXPECT_EQ(property.at("type"), field.isWhole() ? "integer" : "number") << name;
    EXPECT_EQ(property.at("minimum").get<double>(), field.least) << name;
    EXPECT_EQ(property.at("maximum").get<double>(), field.most) << name;
    EXPECT_EQ(property.at("default").get<double>(), defaults.at(name).get<double>()) << name;
    EXPECT_EQ(property.at("description"), std::string(field.meaning)) << name;
    properties.erase(name);
  }
  EXPECT_TRUE(properties.empty()) << properties.dump();
}

// 8 bytes and their headers: five phits. The last comes in cycle 4.
TEST(EngineModel, APacketTakesItsPhitsAndTheLatency) {
  const EngineDescription of = shipped("netfpga-sume.json");
  EngineModel model(of, 1 << 20);
  EXPECT_EQ(of.phits(130), 5u);
  EXPECT_EQ(model.take(packet(1, 130, Use::Fold, 0)), 4 + of.passCycles() + 25);
  EngineModel other(of, 1 << 20);
  EXPECT_EQ(other.take(packet(1, 130, Use::Pass, 0)), 4 + of.passCycles());
}

// A link that is slower than the port brings phits with gaps.
TEST(EngineModel, TheLastPhitCountsWhereTheLinkIsSlow) {
  EngineModel model(EngineDescription(), 1 << 20);
  EXPECT_EQ(model.take({1, 320, Use::Pass, 0, 100, 150}), 150u + 13);
}

TEST(EngineModel, PortsWorkSideBySideAndPacketsOfOneBehindEachOther) {
  EngineModel model(EngineDescription(), 1 << 20);
  const uint64_t alone = 9 + 13;
  EXPECT_EQ(model.take(packet(1, 320, Use::Pass, 0)), alone);
  EXPECT_EQ(model.take(packet(2, 320, Use::Pass, 0)), alone);
  EXPECT_EQ(model.take(packet(1, 320, Use::Pass, 0)), alone + 10);
}

// 003 has one datapath for all ports.
TEST(EngineModel, OneDatapathTakesOnePacketAtATime) {
  EngineDescription of;
  of.datapaths = 1;
  EngineModel model(of, 1 << 20);
  EXPECT_EQ(model.take(packet(1, 320, Use::Pass, 0)), 9u + 13);
  EXPECT_EQ(model.take(packet(2, 320, Use::Pass, 0)), 19u + 13);
}

// What is folded together streams through the columns at once; gathered, it goes one after another.
TEST(EngineModel, AFoldTakesAllPortsAtOnceAndAGatherOne) {
  EngineDescription of;
  const uint64_t latency = 45; // 13 + 32
  EngineModel folds(of, 1 << 20), gathers(of, 1 << 20);
  for (uint32_t port = 1; port <= 6; ++port) {
    EXPECT_EQ(folds.take(packet(port, 3200, Use::Fold, 0)), 99 + latency);
    EXPECT_EQ(gathers.take(packet(port, 3200, Use::Gather, 0)), port * 100 - 1 + latency);
  }
  EXPECT_EQ(folds.counters().foldCycles, 600u);
  EXPECT_EQ(gathers.counters().gathered, 6u);
}

// Rows 1 and 7 share a unit of six; rows 1 and 2 do not.
TEST(EngineModel, RowsOfOneUnitWaitForEachOther) {
  EngineModel model(EngineDescription(), 1 << 20);
  EXPECT_EQ(model.take(packet(1, 3200, Use::Fold, 0, 1)), 99u + 45);
  EXPECT_EQ(model.take(packet(2, 3200, Use::Fold, 0, 2)), 99u + 45);
  EXPECT_EQ(model.take(packet(3, 3200, Use::Fold, 0, 7)), 199u + 45);
}

TEST(EngineModel, NarrowColumnsFoldAPhitInSeveralCycles) {
  EngineDescription of;
  of.unitsPerColumn = 2;
  EngineModel model(of, 1 << 20);
  EXPECT_EQ(model.take(packet(1, 320, Use::Fold, 0)), 19u + 45);
}

// Copies leave at once, through as many ports; what is for one port leaves one after the other.
TEST(EngineModel, MulticastLeavesByAllPortsInOneCycle) {
  EngineModel model(EngineDescription(), 1 << 20);
  for (uint32_t port = 1; port <= 6; ++port)
    EXPECT_EQ(model.leave(port, 320, 50), 50u);
  EXPECT_EQ(model.leave(3, 320, 50), 60u);
  EXPECT_EQ(model.leave(3, 320, 50), 70u);
  EXPECT_EQ(model.leave(3, 320, 100), 100u);
}

// 40 phits wait for a unit that is busy for 100 cycles: a FIFO of 48 phits, less the margin of 16,
// has room for 32 of them, and the others come when as many have left.
TEST(EngineModel, AFullBufferStopsTheOtherEnd) {
  EngineDescription of;
  of.reductions = 1;
  EngineModel wide(of, 64 * 32), narrow(of, 48 * 32);
  for (EngineModel *model : {&wide, &narrow}) {
    model->take(packet(1, 3200, Use::Gather, 0));
    EXPECT_EQ(model->take(packet(2, 1280, Use::Gather, 0)), 139u + 45);
  }
  EXPECT_EQ(wide.counters().stops, 0u);
  EXPECT_EQ(wide.counters().peakBytes, 40u * 32);
  EXPECT_EQ(narrow.counters().stops, 1u);
  EXPECT_EQ(narrow.counters().peakBytes, 32u * 32);
  // Without a stop the last came in cycle 39; 32 are left when the eighth goes, in cycle 107.
  EXPECT_EQ(narrow.counters().stopCycles, 107u - 39);
}

/// The host at the root of a tree, cycle by cycle: it gives a phit whenever it may, and each leaves
/// the FIFO with one from below, of which the first comes by `depth` levels. Cycles that it had to
/// stop for until `total` have left.
uint64_t stepped(const EngineDescription &of, uint64_t bufferBytes, uint32_t depth, double linkNs,
                 uint64_t total) {
  const uint64_t room = bufferBytes / (of.phitBits / 8) - of.marginPhits;
  const uint64_t first = depth * (of.cycles(linkNs) + of.passCycles() + of.packetCycles());
  uint64_t inFifo = 0, given = 0, left = 0, stopped = 0;
  for (uint64_t cycle = 0; left < total; ++cycle) {
    if (cycle >= first && inFifo > 0) {
      --inFifo;
      ++left;
    }
    if (given == total)
      continue;
    if (inFifo < room) {
      ++inFifo;
      ++given;
    } else {
      ++stopped;
    }
  }
  return stopped;
}

// Equation 3.1 has one latency for a level, that of the link, and the slack for the rest: it is
// enough for switches of 52 ns, and with the 125 ns of 003 on top for a slack of 3.
TEST(EngineDescription, BuffersOfEquation31StreamWhereTheSlackCoversTheEngines) {
  constexpr uint32_t depth = 7;
  EngineDescription of;
  const uint64_t enough = of.streamingBuffer(depth, 440);
  EXPECT_EQ(enough, (16u + 7 * (110 + 13 + 32)) * 32);
  EXPECT_EQ(stepped(of, enough, depth, 440, 5000), 0u);
  EXPECT_GT(stepped(of, enough - 32, depth, 440, 5000), 0u);
  EXPECT_GT(stepped(of, of.buffer(depth, 440), depth, 440, 5000), 0u);
  of.slackLevels = 3;
  EXPECT_EQ(stepped(of, of.buffer(depth, 440), depth, 440, 5000), 0u);
  of.slackLevels = 2;
  of.packetNs = 0;
  EXPECT_EQ(stepped(of, of.buffer(depth, 440), depth, 440, 5000), 0u);
}

} // namespace
