// A memory node and its hosts, with faults on the network, launches that take as long as the test
// wants, and jobs that end in the middle.
#include "runtime/switch/core/Memory.h"
#include "runtime/switch/core/test/FoldAlone.h"
#include "runtime/switch/core/test/SimNetwork.h"

#include "gtest/gtest.h"

#include <random>

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;
using Op = Access::Op;
using Why = Outcome::Failure;

namespace {

/// Adds 1 to each byte of its memory, or gives its input; ends when the test says so.
struct Held final : memory::Runner {
  std::vector<memory::Launch> waiting;
  std::vector<End> ends;
  bool holds = false;
  uint64_t runs = 0;

  void start(memory::Launch launch) override {
    waiting.push_back(std::move(launch));
    if (!holds)
      release();
  }
  void release() {
    for (memory::Launch &launch : waiting) {
      ++runs;
      for (uint8_t &byte : launch.memory)
        ++byte;
      Outcome out;
      out.data = launch.head;
      out.data.insert(out.data.end(), launch.input.begin(), launch.input.end());
      out.value = out.data.size();
      out.cycles = 5;
      if (launch.output) {
        std::copy(out.data.begin(), out.data.end(), launch.output->begin());
        out.data.clear();
      }
      ends.push_back({launch.id, std::move(out)});
    }
    waiting.clear();
  }
  std::optional<End> ended() override {
    if (ends.empty())
      return std::nullopt;
    End end = std::move(ends.front());
    ends.erase(ends.begin());
    return end;
  }
  void finish() override { release(); }
};

/// Functions are known without being loaded.
struct Node {
  std::vector<uint8_t> region;
  memory::Blocks blocks;
  memory::Functions functions;
  Held runner;
  FoldAlone folder;
  Network network;

  explicit Node(const Cluster &cluster, uint64_t bytes = 1 << 20, bool keeps = false,
                bool folds = true)
      : region(bytes), blocks(*memory::Blocks::make(region, 1)), functions(nullptr),
        network(cluster) {
    functions.adopt(cluster.job, 1, std::make_shared<memory::Function>());
    sw::Memory::Limits limits;
    limits.keeps = keeps;
    network.device(0).add(std::make_unique<sw::Memory>(
        network.device(0).services(),
        sw::Memory::Parts{blocks, functions, runner, folds ? &folder : nullptr}, limits));
    network.attach();
  }
  uint64_t start(uint32_t rank, const Access &access, bool polled = false) {
    return network.host(rank).memory().start(access, polled);
  }
  Outcome wait(uint32_t rank, uint64_t slot) {
    EXPECT_TRUE(network.run([&] { return network.host(rank).memory().isDone(slot); }));
    return network.host(rank).memory().take(slot);
  }
  Outcome run(uint32_t rank, const Access &access) { return wait(rank, start(rank, access)); }
  uint64_t alloc(uint32_t rank, uint64_t bytes) {
    const Outcome out = run(rank, of(Op::Alloc, {0, 0, bytes}));
    EXPECT_EQ(out.failure, Why::None) << out.what;
    return out.value;
  }
  static Access of(Op op, const Place &place) {
    Access access;
    access.op = op;
    access.place = place;
    return access;
  }
  static Access put(const Place &place, std::span<const uint8_t> data) {
    Access access = of(Op::Put, place);
    access.data = data;
    return access;
  }
  static Access fold(const Place &place, ElementType type = ElementType::Uint8) {
    Access access = of(Op::Fold, place);
    access.nodes = 1;
    access.reduce = ReduceOp::Sum;
    access.type = type;
    return access;
  }
  static Access add(uint64_t handle, uint64_t bytes) {
    Access access = of(Op::Launch, {});
    access.memory = {handle, 0, bytes};
    access.stages = {1};
    return access;
  }
};

Cluster shape(uint32_t ranks = 1) {
  Cluster cluster;
  cluster.ranks = ranks;
  cluster.keys = true;
  return cluster;
}

} // namespace

TEST(Memory, EachRequestTakesEffectOnceAndInOrderOnAnyNetwork) {
  for (const double rate : {0.0, 0.1, 0.3}) {
    Cluster cluster = shape();
    cluster.faults = {rate, rate, rate, rate / 3, rate, 5 * Millisecond, 7};
    Node node(cluster);
    const uint64_t handle = node.alloc(0, 64);
    std::mt19937 random(5);
    std::vector<uint8_t> expected(64);
    std::vector<std::pair<uint64_t, std::vector<uint8_t>>> reads;
    std::vector<uint64_t> all;
    uint64_t launches = 0;
    for (int i = 0; i < 600; ++i) {
      const uint64_t at = random() % 60, bytes = 1 + random() % (64 - at);
      switch (random() % 3) {
      case 0: {
        std::vector<uint8_t> data(bytes, uint8_t(random()));
        std::copy(data.begin(), data.end(), expected.begin() + long(at));
        all.push_back(node.start(0, Node::put({handle, at, bytes}, data)));
        break;
      }
      case 1:
        reads.push_back({node.start(0, Node::of(Op::Get, {handle, at, bytes})),
                         {expected.begin() + long(at), expected.begin() + long(at + bytes)}});
        break;
      default: // not idempotent: twice or never is seen
        for (uint8_t &byte : expected)
          ++byte;
        ++launches;
        all.push_back(node.start(0, Node::add(handle, 64), random() % 2));
      }
    }
    for (const auto &[slot, data] : reads) {
      const Outcome out = node.wait(0, slot);
      EXPECT_EQ(out.failure, Why::None) << out.what;
      EXPECT_EQ(out.data, data) << "request " << slot << " at " << rate;
    }
    for (uint64_t slot : all)
      EXPECT_EQ(node.wait(0, slot).failure, Why::None);
    EXPECT_EQ(node.runner.runs, launches);
  }
}

TEST(Memory, WhatTouchesABlockOfALaunchWaitsForIt) {
  Node node(shape(2));
  const uint64_t a = node.alloc(0, 16), b = node.alloc(1, 16);
  node.runner.holds = true;
  const uint64_t launch = node.start(0, Node::add(a, 16));
  const uint64_t read = node.start(0, Node::of(Op::Get, {a, 0, 4}));
  const uint64_t other = node.start(1, Node::of(Op::Get, {a, 0, 4}));
  client::HostMemory &first = node.network.host(0).memory();
  client::HostMemory &second = node.network.host(1).memory();
  EXPECT_FALSE(node.network.run(
      [&] { return first.isDone(launch) || first.isDone(read) || second.isDone(other); }, Second));
  node.runner.release();
  EXPECT_EQ(node.wait(0, launch).cycles, 5u);
  EXPECT_EQ(node.wait(0, read).data, std::vector<uint8_t>(4, 1));
  EXPECT_EQ(node.wait(1, other).data, std::vector<uint8_t>(4, 1));
  // Of two ranks that read and free a block none is first, so this one comes by itself.
  const uint64_t last = node.start(0, Node::add(a, 16));
  EXPECT_FALSE(node.network.run([&] { return first.isDone(last); }, Millisecond));
  const uint64_t release = node.start(1, Node::of(Op::Free, {a, 0, 0}));
  EXPECT_FALSE(
      node.network.run([&] { return first.isDone(last) || second.isDone(release); }, Second));
  node.runner.release();
  EXPECT_EQ(node.wait(0, last).cycles, 5u);
  EXPECT_EQ(node.wait(1, release).failure, Why::None);
  // A launch that only reads does not hold up who reads; a block of another is free.
  Access reading = Node::of(Op::Launch, {b, 0, 16});
  reading.stages = {1};
  const uint64_t long_ = node.start(0, reading);
  const uint8_t byte[1] = {3};
  EXPECT_EQ(node.run(1, Node::of(Op::Get, {b, 0, 4})).failure, Why::None);
  const uint64_t blocked = node.start(1, Node::put({b, 0, 1}, byte));
  EXPECT_FALSE(node.network.run([&] { return second.isDone(blocked); }, Second));
  node.runner.release();
  EXPECT_EQ(node.wait(0, long_).data, std::vector<uint8_t>(16));
  EXPECT_EQ(node.wait(1, blocked).failure, Why::None);
}

TEST(Memory, RowsWithDistances) {
  Node node(shape());
  const uint64_t handle = node.alloc(0, 30);
  const std::vector<uint8_t> data = {1, 2, 3, 4, 5, 6};
  Access put = Node::put({handle, 2, 2}, data);
  put.rows = 3;
  put.stride = 10;
  EXPECT_EQ(node.run(0, put).failure, Why::None);
  const Outcome all = node.run(0, Node::of(Op::Get, {handle, 0, 30}));
  std::vector<uint8_t> expected(30);
  for (size_t i = 0; i < 6; ++i)
    expected[2 + i / 2 * 10 + i % 2] = data[i];
  EXPECT_EQ(all.data, expected);
  Access get = Node::of(Op::Get, {handle, 3, 1});
  get.rows = 3;
  get.stride = 10;
  EXPECT_EQ(node.run(0, get).data, (std::vector<uint8_t>{2, 4, 6}));
  get.rows = 4; // the last one begins behind the end
  EXPECT_EQ(node.run(0, get).failure, Why::Bounds);
  get.rows = ~0u;
  get.stride = ~uint64_t(0);
  EXPECT_EQ(node.run(0, get).failure, Why::Malformed);
  get.rows = 0;
  EXPECT_TRUE(node.run(0, get).data.empty());
}

TEST(Memory, WhatCannotBeIsSaidAndTheNextRequestGoesOn) {
  Node node(shape(), 65'536);
  const uint64_t handle = node.alloc(0, 100);
  const auto fails = [&](const Access &access, Why failure, const char *text) {
    const Outcome out = node.run(0, access);
    EXPECT_EQ(out.failure, failure) << text;
    EXPECT_NE(out.what.find(text), std::string::npos) << out.what;
  };
  fails(Node::of(Op::Alloc, {0, 0, 65'536}), Why::Full, "no block of 65536 bytes: 100 of");
  fails(Node::of(Op::Alloc, {0, 0, 0}), Why::Full, "no block of 0 bytes");
  fails(Node::of(Op::Get, {handle, 90, 11}), Why::Bounds, "has 100 bytes; 11 from 90");
  fails(Node::of(Op::Get, {handle, ~uint64_t(0), 1}), Why::Bounds, "has 100 bytes");
  fails(Node::of(Op::Get, {handle + 1, 0, 1}), Why::NoHandle, "is not one of this job's");
  const uint8_t byte[3] = {};
  fails(Node::put({handle, 0, 2}, byte), Why::Malformed, "but 3 bytes of data");
  Access launch = Node::add(handle, 101);
  fails(launch, Why::Bounds, "101 from 0");
  launch = Node::add(handle, 100);
  launch.stages = {2};
  fails(launch, Why::NoFunction, "was not loaded");
  Access load = Node::of(Op::Load, {});
  load.function = 5;
  load.total = 3;
  load.data = byte;
  fails(load, Why::BadFunction, "no overlay");
  EXPECT_EQ(node.run(0, Node::of(Op::Free, {handle, 0, 0})).failure, Why::None);
  fails(Node::of(Op::Free, {handle, 0, 0}), Why::NoHandle, "it was freed");
  EXPECT_EQ(node.blocks.count(), 0u);
}

TEST(Memory, FoldsReadWhenTheyBeginAndNothingWaitsForThem) {
  Node node(shape(2));
  const uint64_t handle = node.alloc(0, 8);
  const std::vector<uint8_t> first(8, 1), second(8, 2);
  node.folder.holds = true;
  (void)node.start(0, Node::put({handle, 0, 8}, first));
  const uint64_t folded = node.start(0, Node::fold({handle, 0, 8}));
  EXPECT_EQ(node.run(0, Node::put({handle, 0, 8}, second)).failure, Why::None);
  EXPECT_EQ(node.run(1, Node::of(Op::Get, {handle, 0, 8})).data, second);
  EXPECT_FALSE(node.network.host(0).memory().isDone(folded));
  node.folder.release();
  EXPECT_EQ(node.wait(0, folded).data, first);
  // One that waits for a launch has what that leaves.
  node.runner.holds = true;
  node.folder.holds = false;
  const uint64_t launched = node.start(0, Node::add(handle, 8));
  const uint64_t behind = node.start(1, Node::fold({handle, 0, 8}));
  node.network.run([] { return false; }, 10 * Millisecond);
  EXPECT_FALSE(node.network.host(1).memory().isDone(behind));
  node.runner.release();
  EXPECT_EQ(node.wait(0, launched).failure, Why::None);
  EXPECT_EQ(node.wait(1, behind).data, std::vector<uint8_t>(8, 3));
  // Who ends is forgotten by the folder, also in the middle of one.
  node.folder.holds = true;
  (void)node.start(1, Node::fold({handle, 0, 8}));
  node.network.run([&] { return !node.folder.waiting.empty(); });
  node.network.kill(1);
  EXPECT_TRUE(node.network.run([&] { return !node.folder.forgotten.empty(); }, 30 * Second));
  node.folder.release();
  node.network.run([] { return false; }, Second);
}

TEST(Memory, FoldsThatCannotBe) {
  Node node(shape());
  const uint64_t handle = node.alloc(0, 1 << 16);
  const auto why = [&](const Access &access) { return node.run(0, access).failure; };
  EXPECT_EQ(why(Node::fold({handle, 0, 0})), Why::None) << "asks whether it can be done";
  EXPECT_EQ(why(Node::fold({handle, 0, 7}, ElementType::Int32)), Why::Malformed);
  EXPECT_EQ(why(Node::fold({handle, 0, 1 << 16})), Why::Malformed) << "more than an answer";
  EXPECT_EQ(why(Node::fold({handle, 65530, 8})), Why::Bounds);
  EXPECT_EQ(why(Node::fold({handle + 1, 0, 8})), Why::NoHandle);
  Access wrong = Node::fold({handle, 0, 8});
  wrong.position = 1;
  EXPECT_EQ(why(wrong), Why::Malformed) << "not one of the nodes";
  wrong = Node::fold({handle, 0, 8});
  wrong.reduce = ReduceOp::User;
  EXPECT_EQ(why(wrong), Why::Malformed);
  wrong = Node::fold({handle, 0, 8}, ElementType::Float64);
  wrong.reduce = ReduceOp::BitXor;
  EXPECT_EQ(why(wrong), Why::Malformed) << "not defined on the type";
  Node without(shape(), 1 << 20, false, /*folds=*/false);
  EXPECT_EQ(without.run(0, Node::fold({1, 0, 8})).failure, Why::NoFold);
}

TEST(Memory, BlocksEndWithTheJobUnlessTheRegionKeepsThem) {
  for (const bool keeps : {false, true}) {
    Node node(shape(2), 1 << 20, keeps);
    const uint64_t a = node.alloc(0, 100);
    (void)node.alloc(0, 100);
    node.runner.holds = true;
    (void)node.start(0, Node::add(a, 100));
    node.network.run([&] { return !node.runner.waiting.empty(); });
    node.network.kill(0); // the job dies with it, in the middle of a launch
    EXPECT_TRUE(
        node.network.run([&] { return !node.network.host(1).failure().empty(); }, 30 * Second));
    EXPECT_EQ(node.blocks.count(), keeps ? 2u : 1u) << "only the launch has its block yet";
    node.runner.release();
    node.network.run([] { return false; }, Second);
    EXPECT_EQ(node.blocks.count(), keeps ? 2u : 0u);
  }
}

TEST(Memory, ListsTheBlocksOfTheJob) {
  Node node(shape(), 1 << 20, true);
  const uint64_t a = node.alloc(0, 100), b = node.alloc(0, 7);
  (void)node.blocks.allocate(99, 50); // another job's
  const Outcome out = node.run(0, Node::of(Op::List, {}));
  ASSERT_EQ(out.data.size(), 32u);
  EXPECT_EQ(io::load<uint64_t>(out.data.data()), a);
  EXPECT_EQ(io::load<uint64_t>(out.data.data() + 24), 7u);
  EXPECT_EQ(node.run(0, Node::of(Op::List, {a, 0, 0})).value, 1u);
  EXPECT_EQ(node.run(0, Node::of(Op::List, {b, 0, 0})).value, 0u);
  EXPECT_EQ(node.run(0, Node::of(Op::Get, {b + 1, 0, 1})).failure, Why::NoHandle);
}

// A path that takes less than a request or an answer has, and loses some.
TEST(Memory, LongRequestsGoInPartsOfThePath) {
  for (const double rate : {0.0, 0.05}) {
    Cluster cluster = shape(2);
    cluster.faults = {rate, rate, rate, rate / 3, rate, 5 * Millisecond, 7};
    cluster.pathBytes = {{0, 1392}};
    Node node(cluster);
    size_t longest = 0;
    unsigned long0 = 0, all0 = 0;
    node.network.tap = [&](const Address &from, const Address &to, std::span<const uint8_t> bytes) {
      if (from != Network::hostAddress(0) && to != Network::hostAddress(0))
        return;
      longest = std::max(longest, bytes.size());
      long0 += bytes.size() == HeaderBytes + 1392;
      ++all0;
    };
    std::mt19937 random(5);
    for (uint32_t rank = 0; rank < 2; ++rank) {
      const uint64_t handle = node.alloc(rank, 30'000);
      for (int i = 0; i < 20; ++i) {
        const uint64_t bytes = 1 + random() % 15'000;
        std::vector<uint8_t> data(bytes);
        for (uint8_t &byte : data)
          byte = uint8_t(random());
        node.start(rank, Node::put({handle, 10, bytes}, data));
        const Outcome got = node.run(rank, Node::of(Op::Get, {handle, 10, bytes}));
        ASSERT_EQ(got.failure, Why::None) << got.what;
        EXPECT_EQ(got.data, data);
      }
    }
    EXPECT_EQ(longest, HeaderBytes + 1392);
    EXPECT_GT(long0, 20u);
    EXPECT_LT(long0, all0);
  }
}
