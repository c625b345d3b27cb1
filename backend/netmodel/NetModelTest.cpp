// The models against numbers worked out by hand from the equations and tables.
#include "backend/netmodel/Buffers.h"
#include "backend/netmodel/Evaluate.h"
#include "backend/netmodel/GemmTile.h"
#include "backend/netmodel/Logcn.h"

#include <gtest/gtest.h>

namespace acis::netmodel {
namespace {

TEST(Loggp, Equations) {
  Loggp model{1, 2, 10, 3, 0.5};
  EXPECT_DOUBLE_EQ(model.lastInSwitch(8), 1 + 4 + 10 + 2);
  EXPECT_DOUBLE_EQ(model.lastAmongHosts(8, 8), 3 * 17);
  EXPECT_DOUBLE_EQ(model.lastAmongHosts(9, 8), 3 * 17) << "the floor of log2";
  EXPECT_DOUBLE_EQ(model.rootAmongHosts(9, 8), 1 + 3 * 3 + 4 * 4) << "the ceiling, and g above O_s";
  EXPECT_DOUBLE_EQ(model.rootInSwitch(8), 1 + 4);
  model.gap = 0;
  EXPECT_DOUBLE_EQ(model.rootAmongHosts(8, 0), 1 + 2 * 1) << "O_s where it is above g";
}

TEST(Loggp, RoundsOfATree) {
  const unsigned floors[] = {0, 0, 1, 1, 2, 2, 2, 2, 3}, ceilings[] = {0, 0, 1, 2, 2, 3, 3, 3, 3};
  for (unsigned p = 0; p <= 8; ++p) {
    EXPECT_EQ(log2Floor(p), floors[p]) << p;
    EXPECT_EQ(log2Ceil(p), ceilings[p]) << p;
  }
  EXPECT_EQ(log2Ceil(1u << 30), 30u);
}

TEST(Logcn, TermsOfTheEquation) {
  Logcn model;
  const LogcnTime time =
      fusedTime(model, {.bytes = 95.9e3 / 8, .interval = 3}, {.hops = 6, .switches = 4});
  EXPECT_DOUBLE_EQ(time.overhead, 29.6);
  EXPECT_NEAR(time.latency, 1.8 + 6 * 0.492, 1e-12);
  EXPECT_NEAR(time.transfer, 1, 1e-12);
  EXPECT_NEAR(time.compute, 0.4 + 2, 1e-12);
  EXPECT_EQ(time.inbound, 0);
  const LogcnTime gather = fusedTime(model, {.bytes = 95.9e3 / 8, .isGather = true}, {});
  EXPECT_NEAR(gather.transfer, 2, 1e-12) << "half of the bandwidth";
}

TEST(Logcn, Networks) {
  EXPECT_EQ(torus3d(64).hops, 6);
  EXPECT_EQ(torus3d(64).switches, 4);
  EXPECT_EQ(torus3d(512).hops, 12);
  EXPECT_EQ(torus3d(1).hops, 1);
  EXPECT_EQ(tree(8, 8).switches, 1);
  EXPECT_EQ(tree(9, 8).switches, 3);
  EXPECT_EQ(tree(9, 8).hops, 4);
}

TEST(Buffers, TheExampleOfTheDissertation) {
  EXPECT_DOUBLE_EQ(Buffer().bytes(), (16 + 9 * 110) * 32);
}

Result<nlohmann::json> ask(const char *model, nlohmann::json request) {
  return evaluate(*findModel(model), request);
}

TEST(GemmTile, IsThePublicationsForFloat) {
  const GemmMachine machine;
  const std::optional<GemmTile> tile = tune(machine, {});
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->tm, 192);
  EXPECT_EQ(tile->tn, 160);
  EXPECT_EQ(tile->tk, 64);
  EXPECT_DOUBLE_EQ(tile->compute(machine), 5.12);
  EXPECT_NEAR(tile->communicate(machine), 192 * 64 * 4 / 11987.5 + 0.44, 1e-9);
  EXPECT_EQ(tile->bufferBytes(machine), 122880);
  EXPECT_EQ(tile->registerBytes(machine), 1280);
}

/// Every tile of the array within the limits, and whether one with a smaller register file reaches
/// the ratio that was found at first.
TEST(GemmTile, NoSmallerRegisterFileReachesTheRatio) {
  for (double link : {0.1, 0.44, 3.0})
    for (double bytes : {4.0, 8.0}) {
      const GemmMachine machine = {.link = link, .elementBytes = bytes};
      const GemmLimits limits = {.ratio = 1, .inner = 4096, .bufferBytes = 1e7};
      const std::optional<GemmTile> tile = tune(machine, limits);
      ASSERT_TRUE(tile);
      EXPECT_GE(tile->ratio(machine), 1);
      EXPECT_LE(tile->tk, limits.inner);
      EXPECT_LE(tile->bufferBytes(machine), limits.bufferBytes);
      GemmTile less = *tile;
      less.tk -= limits.step;
      EXPECT_LT(less.tk > 0 ? less.ratio(machine) : 0, 1);
      for (GemmTile other = {48, 32, 4096}; other.tm < tile->tm && other.tn < tile->tn;
           other.tm <= other.tn ? other.tm += 48 : other.tn += 32)
        EXPECT_LT(other.ratio(machine), 1) << other.tm << " x " << other.tn;
    }
}

TEST(GemmTile, NothingWithoutRoom) {
  EXPECT_FALSE(tune({}, {.bufferBytes = 100}));
  EXPECT_TRUE(tune({}, {.bufferBytes = 48 * 48 * 4}));
}

TEST(Evaluate, ARowForEachCombination) {
  const auto rows = ask("logcn", {{"bytes", {8, 512}}, {"ranks", {64, 128}}, {"interval", {1, 2}}});
  ASSERT_TRUE(bool(rows)) << rows.error().str();
  EXPECT_EQ(rows->size(), 8u);
}

TEST(Evaluate, RowsHaveTheColumns) {
  for (const ModelInfo &model : models()) {
    const auto rows = evaluate(model, nlohmann::json::object());
    ASSERT_TRUE(bool(rows)) << rows.error().str();
    for (const nlohmann::json &row : *rows)
      for (const std::string &column : model.columns)
        EXPECT_TRUE(row.contains(column)) << model.name << " " << column;
  }
}

TEST(Evaluate, SaysWhatIsWrong) {
  auto problem = [](const char *model, nlohmann::json request) {
    const auto rows = ask(model, std::move(request));
    return rows ? "" : rows.error().str();
  };
  EXPECT_EQ(problem("loggp", {{"ranks", 1}}),
            "ranks: found 1, allowed is a number from 2.0 to 1073741824.0");
  EXPECT_EQ(problem("loggp", {{"rank", 8}}),
            "rank: is no parameter of loggp; did you mean 'ranks'?");
  EXPECT_EQ(problem("logcn", {{"network", "ring"}}),
            "network: found \"ring\", allowed is [\"torus3d\",\"tree\"]");
  EXPECT_EQ(problem("buffers", {{"clock_period_ns", 0}}).substr(0, 26),
            "clock_period_ns: found 0, ");
  EXPECT_EQ(problem("buffers", {{"depth", nlohmann::json::array()}}),
            "depth: found [], allowed is at least one number");
  EXPECT_NE(problem("logcn", {{"gather", 1}}), "");
  EXPECT_NE(problem("logcn", 3), "");
  EXPECT_NE(problem("loggp", {{"latency_us", "x"}}), "");
  EXPECT_NE(problem("loggp", {{"bytes", -1}}), "");
}

} // namespace
} // namespace acis::netmodel
