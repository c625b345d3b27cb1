// Writes a capture of one job on simulated switches, for the test of the dissector:
// attaching, an allreduce, one that the path to a rank takes in two parts only, a broadcast, and
// the death of a rank; and of one on engines of a direct network.
//
// usage: acis-wire-sample FILE.pcap
#include "runtime/io/Pcap.h"
#include "runtime/io/UdpFrame.h"
#include "runtime/switch/core/Memory.h"
#include "runtime/switch/core/test/Reference.h"

#include <fstream>
#include <iostream>

using namespace acis;
using namespace acis::sim;

namespace {

io::Flow flowOf(const wire::Address &from, const wire::Address &to) {
  auto v4 = [](const wire::Address &address) {
    const auto &ip = address.ip;
    return uint32_t(ip[12]) << 24 | uint32_t(ip[13]) << 16 | uint32_t(ip[14]) << 8 | ip[15];
  };
  io::Flow flow;
  flow.fromIp = v4(from);
  flow.toIp = v4(to);
  flow.fromPort = from.port;
  flow.toPort = to.port;
  return flow;
}

/// Rank 0 leaves the second of two collectives to the switch, which has no such program; rank 1
/// calls them one by one.
void chain(Network &network, Trial &first, Trial &second) {
  Collective call = first.call(0);
  const Collective next = second.call(0);
  SwitchTask task;
  task.program = 77;
  task.given.resize(24);
  task.next = &next;
  task.run = [] {};
  call.task = &task;
  const Result<Request> request = network.host(0).start(call, network.now);
  network.run([] { return false; }, wire::Millisecond);
  for (Trial *trial : {&first, &second}) {
    (void)trial->start(network, 1);
    network.run([&] { return trial->done(network, 1); });
  }
  network.run([&] { return network.host(0).isDone(*request); });
}

/// Rank 0 has a task too many, and both give to a sum that is made of the first.
void steer(Network &network) {
  auto at = [&](uint32_t rank) -> client::HostControl & { return *network.host(rank).control(4); };
  std::vector<uint8_t> task;
  for (unsigned i = 0; i < 4; ++i)
    at(0).tasks().put({1, 2, 3}, network.now);
  (void)at(0).tasks().next(task, network.now);
  (void)at(1).tasks().next(task, network.now);
  network.run([] { return false; }, 5 * wire::Millisecond);
  for (uint32_t r = 0; r < 2; ++r) {
    at(r).sum().give(std::vector<uint8_t>(8), network.now);
    network.run([&] { return at(r).sum().isMade(); });
  }
}

/// Both ranks do an iteration under control.
void pace(Network &network) {
  wire::Policy policy;
  policy.extra = wire::Policy::Extra::LastArrival;
  policy.imbalance = wire::Policy::Whole / 10;
  policy.quorum = 1;
  for (uint32_t r = 0; r < 2; ++r)
    (void)network.host(r).openControl(4, std::vector<uint32_t>{0, 1}, policy, network.now);
  auto both = [&](auto what) {
    network.run(
        [&] { return what(*network.host(0).control(4)) && what(*network.host(1).control(4)); });
  };
  both([](client::HostControl &group) { return group.mayBegin(0); });
  for (uint32_t r = 0; r < 2; ++r)
    network.host(r).control(4)->done(1, network.now);
  both([](client::HostControl &group) { return group.mayBegin(1); });
  steer(network);
}

/// Rank 0 has a block of a node that has one, and asks for one that is not there.
void access(Network &network) {
  for (wire::Access::Op op :
       {wire::Access::Op::Alloc, wire::Access::Op::Free, wire::Access::Op::Fold}) {
    wire::Access access;
    access.op = op;
    access.place = {op == wire::Access::Op::Alloc ? 0 : uint64_t(9), 0, 100};
    access.nodes = 2; // of the fold, which this node cannot do
    access.reduce = ReduceOp::Sum;
    const uint64_t slot = network.host(0).memory().start(access, false);
    network.run([&] { return network.host(0).memory().isDone(slot); });
  }
}

void play(Network &network) {
  network.attach();
  network.add(3, {0, 1});
  std::mt19937 random(1);
  for (Kind kind : {Kind::Allreduce, Kind::Bcast}) {
    Trial trial(kind, 3, {0, 1}, ReduceOp::Sum, ElementType::Float32, 4, 1, false, random);
    for (uint32_t r = 0; r < 2; ++r)
      (void)trial.start(network, r);
    network.run([&] { return trial.done(network); });
  }
  Trial trial(Kind::Allreduce, 3, {0, 1}, ReduceOp::Max, ElementType::Float32, 4, 0, false, random);
  Trial next(Kind::Allreduce, 3, {0, 1}, ReduceOp::Sum, ElementType::Int32, 2, 0, false, random);
  chain(network, trial, next);
  Trial longer(Kind::Allreduce, 3, {0, 1}, ReduceOp::Sum, ElementType::Int32, 400, 0, false,
               random);
  for (uint32_t r = 0; r < 2; ++r)
    (void)longer.start(network, r);
  network.run([&] { return longer.done(network); });
  pace(network);
  access(network);
  network.kill(1);
  network.run([&] { return !network.host(0).failure().empty(); });
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "acis-wire-sample: error: " << argc - 1
              << " arguments; usage: acis-wire-sample FILE.pcap\n";
    return 1;
  }
  Cluster cluster;
  cluster.ranks = 2;
  cluster.keys = true;
  cluster.pathBytes = {{1, 1200}};
  Network network(cluster);
  std::vector<uint8_t> region(memory::Blocks::Least);
  Result<memory::Blocks> blocks = memory::Blocks::make(region, 1);
  memory::Functions functions(nullptr);
  memory::RunHere runner(nullptr);
  network.device(0).add(std::make_unique<sw::Memory>(network.device(0).services(),
                                                     sw::Memory::Parts{*blocks, functions, runner},
                                                     sw::Memory::Limits{}));
  std::vector<std::vector<uint8_t>> frames;
  network.tap = [&](const wire::Address &from, const wire::Address &to,
                    std::span<const uint8_t> bytes) {
    frames.push_back(io::makeUdpFrame(flowOf(from, to), bytes));
  };
  play(network);
  Cluster engines = Network::engines(direct::Fabric{direct::Form::Ring, {3}}, 1);
  engines.keys = true;
  Network across(engines);
  across.tap = network.tap;
  across.attach();
  across.add(5, {0, 1, 2});
  std::mt19937 random(1);
  Trial sum(Kind::Allreduce, 5, {0, 1, 2}, ReduceOp::Sum, ElementType::Int32, 8, 0, false, random);
  for (uint32_t r = 0; r < 3; ++r)
    (void)sum.start(across, r);
  across.run([&] { return sum.done(across); });
  across.run([] { return false; }, 10 * wire::Millisecond);
  std::vector<uint8_t> old(wire::HeaderBytes);
  wire::encode({}, old);
  old[1] = 1;
  network.tap(Network::hostAddress(0), Network::switchAddress(0), old);
  Result<std::vector<uint8_t>> file = io::makePcap(frames);
  if (!file) {
    std::cerr << "acis-wire-sample: error: " << file.error().str() << "\n";
    return 1;
  }
  std::ofstream out(argv[1], std::ios::binary);
  out.write(reinterpret_cast<const char *>(file->data()), long(file->size()));
  if (!out.flush()) {
    std::cerr << "acis-wire-sample: error: " << argv[1] << ": cannot be written\n";
    return 1;
  }
  return 0;
}
