// Handlers on worker threads: all of them get packets, a replacement loses none and is seen by
// all at once, counters are the sum, and a handler that keeps state has one.
#include "runtime/engine/programs/ContextBuilder.h"
#include "runtime/engine/programs/TestElf.h"
#include "runtime/io/Bytes.h"
#include "runtime/switch/acisd/HandlerService.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace acis;
using namespace acis::acisd;
using namespace acis::cts;
using namespace acis::wire;

namespace {

constexpr unsigned Threads = 3, Flows = 48;

sw::HandlerLoad loadOf(const Overlay &overlay, Words code) {
  TestBinary binary(overlay);
  binary.code = std::move(code);
  binary.code.push_back(as::wfi);
  sw::HandlerLoad what;
  what.elf = binary.elf();
  return what;
}

/// Answers with the packet's first word and `n` added to it.
sw::HandlerLoad adder(const Overlay &overlay, int n) {
  return loadOf(overlay, {as::streamin(as::a4, as::zero, 2), as::addi(as::a4, as::a4, n),
                          as::streamout(as::a4, as::zero, 2)});
}

/// Answers with how many packets it has seen.
sw::HandlerLoad counter(const Overlay &overlay) {
  return loadOf(overlay,
                {as::lui(as::a5, 0x80000), as::lw(as::a4, as::a5, 0), as::addi(as::a4, as::a4, 1),
                 as::sw(as::a4, as::a5, 0), as::streamout(as::a4, as::zero, 2)});
}

/// Senders of their own, which the system spreads over the workers.
struct Senders {
  explicit Senders(const Address &to) {
    for (unsigned i = 0; i < Flows; ++i)
      sockets.push_back(std::move(*UdpSocket::connect(to, 1 << 20)));
  }
  void send(unsigned flow, uint32_t word) {
    uint8_t bytes[4];
    io::store(bytes, word);
    sockets[flow].send({}, bytes);
    sockets[flow].flush();
  }
  /// The next answer; ~0 if there is none in ten seconds.
  uint32_t answer(unsigned flow) {
    const Time end = systemTime() + 10 * Second;
    while (waiting[flow].empty() && systemTime() < end) {
      sockets[flow].sleep(100 * Millisecond);
      sockets[flow].receive([&](std::span<const UdpSocket::Arrived> all) {
        for (const UdpSocket::Arrived &one : all)
          waiting[flow].push_back(one.bytes.size() == 4 ? io::load<uint32_t>(one.bytes.data())
                                                        : ~1u);
      });
    }
    if (waiting[flow].empty())
      return ~0u;
    const uint32_t first = waiting[flow].front();
    waiting[flow].erase(waiting[flow].begin());
    return first;
  }
  std::vector<UdpSocket> sockets;
  std::vector<uint32_t> waiting[Flows];
};

const Address anyPort = *parseAddress("127.0.0.1:0");

struct Workers : testing::Test {
  const Overlay overlay = testOverlay();
  HandlerService::Config config;
  std::optional<HandlerService> service;

  HandlerService &start(unsigned threads = Threads) {
    config.threads = threads;
    config.spin = 20 * Microsecond;
    return service.emplace(overlay, config);
  }
  Address loaded(sw::HandlerLoad what, const Address &at = anyPort,
                 StateUse state = StateUse::One) {
    Result<Address> address = service->load(at, std::move(what), state);
    EXPECT_TRUE(bool(address)) << address.error().str();
    return *address;
  }
};

TEST_F(Workers, AllGetPacketsAndCountersAddUp) {
  HandlerService &handlers = start();
  const Address at = loaded(adder(overlay, 7));
  Senders senders(at);
  for (uint32_t round = 0; round < 20; ++round)
    for (unsigned flow = 0; flow < Flows; ++flow)
      senders.send(flow, round * 1000 + flow);
  for (uint32_t round = 0; round < 20; ++round)
    for (unsigned flow = 0; flow < Flows; ++flow)
      ASSERT_EQ(senders.answer(flow), round * 1000 + flow + 7); // one flow stays in order
  const HandlerService::PortStatus status = handlers.ports().at(0);
  EXPECT_TRUE(status.onAllWorkers);
  EXPECT_EQ(status.whyKeepsState, "");
  ASSERT_EQ(status.workerReceived.size(), Threads);
  // 48 senders by a hash: that a worker has none is one chance in 10^8.
  for (const uint64_t received : status.workerReceived)
    EXPECT_GT(received, 0u);
  EXPECT_EQ(std::accumulate(status.workerReceived.begin(), status.workerReceived.end(), 0ull),
            20u * Flows);
  EXPECT_EQ(status.counters.received, 20u * Flows);
  EXPECT_EQ(status.counters.sent, 20u * Flows);
  EXPECT_EQ(status.counters.bytesSent, 80u * Flows);
  sw::Statistics all = handlers.statistics();
  for (const auto &[name, value] : all)
    if (name == "packets_received" || name == "packets_sent" || name == "handler_packets_sent")
      EXPECT_EQ(value, 20u * Flows) << name;
}

TEST_F(Workers, ReplacementsLoseNothingAndAreSeenByAllAtOnce) {
  HandlerService &handlers = start();
  const Address at = loaded(adder(overlay, 0));
  Senders senders(at);
  constexpr uint32_t Rounds = 40;
  for (uint32_t round = 0; round < Rounds; ++round) {
    for (unsigned flow = 0; flow < Flows; ++flow)
      senders.send(flow, 100);
    // While they are on their way; every other handler keeps state and runs on one worker.
    if (round % 2)
      loaded(adder(overlay, int(round)), at);
    else
      loaded(counter(overlay), at);
    for (unsigned flow = 0; flow < Flows; ++flow)
      senders.send(flow, 200);
    uint32_t counted = 0, before = 0;
    for (unsigned flow = 0; flow < Flows; ++flow) {
      before += senders.answer(flow) != ~0u;
      // Sent after load() has returned: no worker has the old one any more.
      const uint32_t answer = senders.answer(flow);
      if (round % 2)
        ASSERT_EQ(answer, 200 + round);
      else
        counted += answer <= 2 * Flows;
    }
    ASSERT_EQ(before, Flows);
    if (round % 2 == 0)
      ASSERT_EQ(counted, Flows);
  }
  const HandlerService::PortStatus status = handlers.ports().at(0);
  EXPECT_EQ(status.counters.received, Rounds * 2 * Flows);
  EXPECT_EQ(status.counters.sent, Rounds * 2 * Flows);
  EXPECT_EQ(status.counters.replaced, Rounds);
  EXPECT_EQ(
      std::accumulate(status.workerReceived.begin(), status.workerReceived.end(), uint64_t(0)),
      Rounds * 2 * Flows);
}

TEST_F(Workers, StateIsOneUnlessToldOtherwise) {
  HandlerService &handlers = start();
  const Address at = loaded(counter(overlay));
  Senders senders(at);
  // One state, and packets of different senders in the order in which they came.
  for (uint32_t n = 0; n < 4 * Flows; ++n) {
    senders.send(n % Flows, 0);
    if (n % 8 == 7)
      for (uint32_t k = n - 7; k <= n; ++k)
        ASSERT_EQ(senders.answer(k % Flows), k + 1);
  }
  HandlerService::PortStatus status = handlers.ports().at(0);
  EXPECT_FALSE(status.onAllWorkers);
  EXPECT_EQ(status.whyKeepsState, "memory is written");
  EXPECT_EQ(std::count(status.workerReceived.begin(), status.workerReceived.end(), 0u),
            Threads - 1);

  loaded(counter(overlay), at, StateUse::Each);
  for (unsigned flow = 0; flow < Flows; ++flow)
    senders.send(flow, 0);
  std::vector<uint32_t> answers;
  for (unsigned flow = 0; flow < Flows; ++flow)
    answers.push_back(senders.answer(flow));
  status = handlers.ports().at(0);
  EXPECT_TRUE(status.onAllWorkers);
  EXPECT_EQ(std::count(answers.begin(), answers.end(), 1u), Threads); // each began
  EXPECT_EQ(std::count(answers.begin(), answers.end(), Flows), 0);
}

TEST_F(Workers, RatesAreOfASourceOnAllPorts) {
  config.rates = std::make_shared<sw::SourceRates>(10);
  HandlerService &handlers = start();
  const Address first = loaded(adder(overlay, 1)), second = loaded(adder(overlay, 2));
  UdpSocket client = std::move(*UdpSocket::bind(anyPort, 1 << 20));
  const uint8_t word[4] = {};
  for (unsigned n = 0; n < 20; ++n) {
    client.send(first, word);
    client.send(second, word);
  }
  client.flush();
  uint64_t seen = 0;
  for (unsigned wait = 0; wait < 1000 && seen < 40; ++wait) {
    usleep(1000);
    seen = 0;
    for (const auto &[name, value] : handlers.statistics())
      if (name == "packets_received")
        seen = value;
  }
  EXPECT_EQ(seen, 40u);
  uint64_t processed = 0;
  for (const HandlerService::PortStatus &port : handlers.ports())
    processed += port.counters.processed;
  // A second may have begun between two packets.
  EXPECT_TRUE(processed == 10 || processed == 20) << processed;
}

TEST_F(Workers, CapturesHoldAllPackets) {
  const std::string path = testing::TempDir() + "acis-workers.pcapng";
  auto file = CaptureFile::create(path, 1 << 20);
  ASSERT_TRUE(bool(file));
  config.capture = file->get();
  HandlerService &handlers = start();
  const Address at = loaded(adder(overlay, 1));
  Senders senders(at);
  for (unsigned flow = 0; flow < Flows; ++flow)
    senders.send(flow, flow);
  for (unsigned flow = 0; flow < Flows; ++flow)
    ASSERT_EQ(senders.answer(flow), flow + 1);
  ASSERT_TRUE(bool(handlers.unload(at)));
  service.reset();
  sw::Statistics counts;
  (*file)->statistics(counts);
  EXPECT_EQ(counts.at(0), std::pair(std::string("capture_packets"), uint64_t(2 * Flows)));
  unlink(path.c_str());
}

TEST_F(Workers, AddressesInUseAreRefused) {
  HandlerService &handlers = start();
  const Address at = loaded(adder(overlay, 1));
  HandlerService other(overlay, config); // shares addresses, but not with others
  Result<Address> refused = other.load(at, adder(overlay, 1));
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(refused.error().str(), at.str() + ": cannot listen: Address already in use");
  EXPECT_FALSE(bool(other.unload(at)));
  sw::HandlerLoad damaged = adder(overlay, 1);
  damaged.elf.resize(100);
  EXPECT_FALSE(bool(handlers.load(at, std::move(damaged))));
  Senders senders(at); // what was there goes on
  senders.send(0, 4);
  EXPECT_EQ(senders.answer(0), 5u);
  ASSERT_TRUE(bool(handlers.unload(at)));
  EXPECT_EQ(loaded(adder(overlay, 3), at), at); // free again
}

TEST_F(Workers, WithoutThreadsTheOwnerServes) {
  HandlerService &handlers = start(0);
  Senders senders(loaded(counter(overlay)));
  for (unsigned flow = 0; flow < Flows; ++flow)
    senders.send(flow, 0);
  for (unsigned got = 0; got < Flows;)
    got += unsigned(handlers.receive());
  for (unsigned flow = 0; flow < Flows; ++flow)
    EXPECT_EQ(senders.answer(flow), flow + 1);
  EXPECT_EQ(handlers.ports().at(0).workerReceived, std::vector<uint64_t>{Flows});
}

} // namespace
