// Recorded events.
#include "runtime/engine/programs/TestDevice.h"

namespace acis::model {
namespace {

TestDevice streamDevice(bool trace) {
  TestDevice test(cts::testOverlay(), trace);
  test.binary.code = packetLoop();
  test.binary.contexts = {addConstant(test.overlay)};
  test.binary.lines = {{0, 0, 7}, {0xffffffff, 0, 3}};
  test.load();
  test.run(2, 640);
  return test;
}

std::vector<Event> eventsOf(const TestDevice &test, EventKind kind) {
  std::vector<Event> found;
  for (const Event &event : test.device->events())
    if (event.kind == kind)
      found.push_back(event);
  return found;
}

TEST(TraceTest, OffRecordsNothing) {
  EXPECT_TRUE(streamDevice(/*trace=*/false).device->events().empty());
}

TEST(TraceTest, EventsOfTwoPackets) {
  const TestDevice test = streamDevice(/*trace=*/true);
  EXPECT_EQ(eventsOf(test, EventKind::PacketIn).size(), 2u);
  EXPECT_EQ(eventsOf(test, EventKind::PacketOut).size(), 2u);
  EXPECT_EQ(eventsOf(test, EventKind::Invocation).size(), 2u);
  EXPECT_EQ(eventsOf(test, EventKind::Launch).size(), 2u);
  const std::vector<Event> loops = eventsOf(test, EventKind::Loop);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].detail, 10u) << "iterations";
  EXPECT_EQ(loops[0].context, 0u);
  EXPECT_EQ(loops[0].pc, 28u) << "of the launch";
  EXPECT_EQ(test.device->lineOf(loops[0]), "test.c:7");
  EXPECT_GE(loops[1].begin, loops[0].begin + 10);
  // Stall intervals add up to the counters.
  uint64_t sum = 0;
  for (const Event &event : eventsOf(test, EventKind::Stall))
    sum += event.end - event.begin;
  EXPECT_EQ(sum, test.stalls());
}

TEST(TraceTest, TrapIsTheLastEvent) {
  TestDevice test(cts::testOverlay(), /*trace=*/true);
  test.binary.code = {as::lw(as::t0, as::zero, 0), as::wfi};
  test.load();
  test.device->push(Bytes(64));
  EXPECT_FALSE(bool(test.device->run()));
  ASSERT_FALSE(test.device->events().empty());
  EXPECT_EQ(test.device->events().back().kind, EventKind::Trap);
}

} // namespace
} // namespace acis::model
