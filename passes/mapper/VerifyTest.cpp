// Every change that breaks a valid mapping must be found, and named.
#include "passes/mapper/TestProblems.h"

#include <functional>
#include <gtest/gtest.h>

using namespace acis;
using namespace acis::map;
using namespace acis::map::test;

namespace {

/// Made by hand, II = 4: a read on PE 0 in cycle 0; `far` on PE 2 takes the value in
/// cycle 3, over two links; `late` on PE 0 takes it in cycle 7, from a register that
/// holds it for a whole period and a delay line.
class VerifyTest : public testing::Test {
protected:
  void SetUp() override {
    overlay = overlayNamed("mesh4x4");
    overlay.operandDelay = 4;
    Builder b;
    read = b.vrfRead("x", 0);
    far = b.op(UnitClass::Integer, "far", {read}, 2);
    late = b.op(UnitClass::Integer, "late", {read}, 0);
    b.order(far, late, 4);
    problem = b.problem;
    mapping.ii = 4;
    mapping.places = {{0, 0, 0}, {2, 3, 0}, {0, 7, 0}};
    using Place = Step::Place;
    mapping.routes = {{{0, 0, Place::Bus, 0}, arrival(0, 1, 1), arrival(1, 2, 2)},
                      {{0, 0, Place::Bus, 0},
                       {0, 1, Place::Reg, 5},
                       {0, 2, Place::Reg, 5},
                       {0, 3, Place::Reg, 5},
                       {0, 4, Place::Reg, 5}},
                      {}};
    mapping.delays = {1, 3, 0};
    Status status = verify(problem, overlay, mapping);
    ASSERT_TRUE(status) << status.error().str();
  }

  Step arrival(unsigned from, unsigned to, unsigned time) const {
    for (const Link &link : overlay.links)
      if (link.from == from && link.to == to)
        return {to, time, Step::Place::Link, link.inPort};
    ADD_FAILURE() << "no link";
    return {};
  }

  /// The reason why the changed mapping is refused; "" if it is accepted.
  std::string refusal(const std::function<void(Mapping &)> &change) {
    Mapping changed = mapping;
    change(changed);
    Status status = verify(problem, overlay, changed);
    return status ? "" : status.error().what;
  }
  void expect(const std::string &part, const std::function<void(Mapping &)> &change) {
    std::string text = refusal(change);
    EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "' does not say " << part;
  }

  Overlay overlay;
  Problem problem;
  Mapping mapping;
  unsigned read = 0, far = 0, late = 0;
};

} // namespace

TEST_F(VerifyTest, Sizes) {
  expect("initiation interval 0", [](Mapping &m) { m.ii = 0; });
  expect("initiation interval 65", [](Mapping &m) { m.ii = 65; });
  expect("2 places for 3 nodes", [](Mapping &m) { m.places.pop_back(); });
  expect("2 routes and 3 delays", [](Mapping &m) { m.routes.pop_back(); });
  expect("3 routes and 4 delays", [](Mapping &m) { m.delays.push_back(0); });
}

TEST_F(VerifyTest, Places) {
  expect("the overlay has 16 PEs", [&](Mapping &m) { m.places[far].pe = 16; });
  expect("pinned to PE 2", [&](Mapping &m) { m.places[far].pe = 3; });
  expect("port 2 does not exist", [&](Mapping &m) { m.places[read].port = 2; });
  expect("port 1 does not exist", [&](Mapping &m) { m.places[far].port = 1; });
  expect("stage 256 is too large", [&](Mapping &m) { m.places[late].time = 256 * 4; });
  overlay.stages = 64;
  expect("stage 64 is too large; the overlay has 64",
         [&](Mapping &m) { m.places[late].time = 64 * 4; });
  overlay.pes[0].vrf = false;
  expect("has not what it needs", [](Mapping &) {});
  overlay.pes[0] = {{true, true, true, true}, true, true, 0};
  problem.nodes[late].extras = extra::Moves;
  expect("has not what it needs", [](Mapping &) {});
}

// Two divisions that nothing joins, on a divider that is busy for three slots.
TEST_F(VerifyTest, UnitsThatLanesShareAreBusy) {
  overlay.pes[1].units[unsigned(UnitClass::Divide)] = true;
  overlay.pes[1].every[unsigned(UnitClass::Divide)] = 3;
  Builder b;
  b.op(UnitClass::Divide, "first", {}, 1);
  b.op(UnitClass::Divide, "second", {}, 1);
  problem = b.problem;
  mapping = {7, {{1, 0, 0}, {1, 3, 0}}, {}, {}};
  EXPECT_EQ(refusal([](Mapping &) {}), "");
  EXPECT_EQ(refusal([](Mapping &m) { m.places[1].time = 4; }), "");
  expect("still busy with another operation in slot 2", [](Mapping &m) { m.places[1].time = 2; });
  expect("still busy", [](Mapping &m) { m.places[1].time = 5; }); // until the next iteration's
  expect("takes an operation in 3 slots, the interval is 2", [](Mapping &m) { m.ii = 2; });
}

TEST_F(VerifyTest, EveryTimeMatters) {
  for (unsigned node : {read, far, late})
    for (int by : {-1, 1})
      EXPECT_NE(refusal([&](Mapping &m) { m.places[node].time += unsigned(by); }), "")
          << node << " moved by " << by;
}

TEST_F(VerifyTest, EveryStepMatters) {
  for (unsigned e : {0u, 1u})
    for (size_t at = 0; at < mapping.routes[e].size(); ++at) {
      EXPECT_NE(refusal([&](Mapping &m) { m.routes[e].erase(m.routes[e].begin() + at); }), "");
      EXPECT_NE(refusal([&](Mapping &m) { ++m.routes[e][at].time; }), "");
      EXPECT_NE(refusal([&](Mapping &m) { ++m.routes[e][at].pe; }), "");
      EXPECT_NE(refusal([&](Mapping &m) { m.routes[e][at].index += 16; }), "");
      if (at > 0)
        EXPECT_NE(refusal([&](Mapping &m) { m.routes[e][at].place = Step::Place::Bus; }), "");
      EXPECT_NE(refusal([&](Mapping &m) {
                  Step &step = m.routes[e][at];
                  step.place =
                      step.place == Step::Place::Reg ? Step::Place::Link : Step::Place::Reg;
                  step.index = 9;
                }),
                "");
    }
}

TEST_F(VerifyTest, DelaysAndOrder) {
  expect("not at its consumer", [](Mapping &m) { ++m.delays[0]; });
  expect("delay lines have 4 cycles", [](Mapping &m) { m.delays[1] = 4; });
  expect("has no route", [](Mapping &m) { m.routes[0].clear(); });
  expect("carries no value", [](Mapping &m) { m.delays[2] = 1; });
  expect("carries no value", [](Mapping &m) { m.routes[2] = m.routes[0]; });
  problem.edges[2].latency = 1000;
  expect("is out of order", [](Mapping &) {});
}

TEST_F(VerifyTest, UnitUsedTwice) {
  problem.nodes.push_back({NodeKind::Compute, UnitClass::Integer, 0, "other"});
  unsigned time = mapping.places[late].time;
  EXPECT_EQ(refusal([&](Mapping &m) { m.places.push_back({0, time + 1, 0}); }), "");
  expect("used twice", [&](Mapping &m) { m.places.push_back({0, time + 4, 0}); });
}

TEST_F(VerifyTest, TwoResultsAtOnce) {
  problem.nodes.push_back({NodeKind::Compute, UnitClass::Convert, 0, "other"});
  unsigned finish = mapping.places[late].time + overlay.latencyOf(UnitClass::Integer);
  unsigned time = finish + 4 - overlay.latencyOf(UnitClass::Convert);
  ASSERT_NE(time % 4, mapping.places[late].time % 4);
  EXPECT_EQ(refusal([&](Mapping &m) { m.places.push_back({0, time + 1, 0}); }), "");
  expect("two results on the bus", [&](Mapping &m) { m.places.push_back({0, time, 0}); });
}

/// A second value on PE 0 that is led by hand over what the first one uses.
class VerifyConflictTest : public VerifyTest {
protected:
  void SetUp() override {
    VerifyTest::SetUp();
    problem.nodes.push_back({NodeKind::VrfRead, UnitClass::Integer, 0, "y"});
    problem.nodes.push_back({NodeKind::Compute, UnitClass::Integer, {}, "user"});
    problem.edges.push_back({3, 4, 0});
    start = mapping.places[read].time;
    mapping.places.push_back({0, start, 1 - mapping.places[read].port});
    mapping.places.push_back({0, 0, 0});
    mapping.routes.push_back({{0, start, Step::Place::Bus, 0}});
    mapping.delays.push_back(0);
  }
  unsigned start = 0;
};

TEST_F(VerifyConflictTest, Link) {
  // The first hop of x, at the same cycle.
  Step hop = mapping.routes[0][1];
  EXPECT_EQ(refusal([&](Mapping &m) { // over the other link of PE 0 it works
              m.routes[3].push_back(arrival(0, 4, 1));
              m.places[4] = {4, 1, 0};
            }),
            "");
  expect("the link is used twice", [&](Mapping &m) {
    m.routes[3].push_back(hop);
    m.places[4] = {hop.pe, hop.time, 0};
  });
}

TEST_F(VerifyConflictTest, Register) {
  Step held = mapping.routes[1][1];
  expect("overwritten while it is needed", [&](Mapping &m) {
    m.routes[3].push_back(held);
    m.places[4] = {0, held.time, 0};
  });
  expect("writes two registers at once", [&](Mapping &m) {
    held.index = (held.index + 1) % overlay.routeRegs;
    m.routes[3].push_back(held);
    m.places[4] = {0, held.time, 0};
  });
}

TEST_F(VerifyConflictTest, OperandInput) {
  // `late` and `user` use input a of PE 0; `late` samples its register in slot 0.
  auto sampleAt = [&](unsigned time) {
    return [=](Mapping &m) {
      m.places[3].time = time;
      m.routes[3][0].time = time;
      m.places[4] = {0, time + 2, 0};
      m.delays[3] = 2;
    };
  };
  EXPECT_EQ(refusal(sampleAt(6)), "");
  expect("two sources", sampleAt(8));
}

TEST_F(VerifyConflictTest, RegisterHeldPastAPeriod) {
  expect("overwritten while it is needed", [&](Mapping &m) {
    m.routes[1].push_back({0, 5, Step::Place::Reg, 5});
    m.delays[1] = 2;
  });
}

// With a register behind what is read, no route may begin in the cycle of the read.
TEST_F(VerifyTest, ReadsAreOnTheBusAfterTheInputLatency) {
  overlay.inputLatency = 1;
  const std::string early = "does not begin on its producer's bus in cycle 1";
  expect(early, [](Mapping &) {});
  auto later = [](Mapping &m) {
    for (std::vector<Step> &route : m.routes)
      for (Step &step : route)
        ++step.time;
    for (unsigned node : {1, 2})
      ++m.places[node].time;
  };
  EXPECT_EQ(refusal(later), "");
  expect(early, [&](Mapping &m) {
    later(m);
    for (Step &step : m.routes[0])
      --step.time;
  });
}

// With a register behind addresses, an index has to be there a cycle before its access.
TEST(Verify, IndicesAreTakenTheIndexLatencyEarlier) {
  Overlay overlay = overlayNamed("tiny");
  overlay.inputLatency = 1;
  for (bool writes : {false, true}) {
    Builder b;
    unsigned from = b.vrfRead("index", 0);
    unsigned to = writes ? b.node(NodeKind::VrfWrite, "written", 0) : b.vrfRead("read", 0);
    b.value(from, to, writes ? 1 : 0);
    Mapping mapping;
    mapping.ii = 8;
    mapping.places = {{0, 0, 0}, {0, 1, 0}};
    mapping.routes = {{{0, 1, Step::Place::Bus, 0}}};
    mapping.delays = {0};
    overlay.indexLatency = 0;
    EXPECT_TRUE(verify(b.problem, overlay, mapping));
    overlay.indexLatency = 1;
    Status early = verify(b.problem, overlay, mapping);
    ASSERT_FALSE(early);
    EXPECT_NE(early.error().what.find("not at its consumer in cycle 0"), std::string::npos)
        << early.error().str();
    mapping.places[1].time = 2;
    EXPECT_TRUE(verify(b.problem, overlay, mapping));
    mapping.delays = {1}; // a cycle that the access does not have
    EXPECT_FALSE(verify(b.problem, overlay, mapping));
    mapping.places[1].time = 1 + overlay.operandDelay; // the longest delay, and that cycle
    mapping.delays = {uint8_t(overlay.operandDelay - 1)};
    EXPECT_TRUE(verify(b.problem, overlay, mapping));
  }
}
