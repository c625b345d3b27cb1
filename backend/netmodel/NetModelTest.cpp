// The models against numbers worked out by hand from the equations and tables.
#include "backend/netmodel/Buffers.h"
#include "backend/netmodel/Evaluate.h"
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
