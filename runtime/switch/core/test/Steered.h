// A control group of a simulated network: what the tests of its parts share.
#pragma once

#include "runtime/switch/core/test/SimNetwork.h"

#include <gtest/gtest.h>

namespace acis::sim {

using namespace wire;

constexpr uint32_t controlContext = 9;

inline Policy stale(uint32_t s, uint32_t most = 0) {
  Policy policy;
  policy.staleness = s;
  policy.mostStaleness = std::max(s, most);
  return policy;
}

struct Steered {
  Network network;
  std::vector<uint32_t> ranks;

  explicit Steered(const Cluster &cluster) : network(cluster) {
    for (uint32_t r = 0; r < cluster.ranks; ++r)
      ranks.push_back(r);
    network.attach();
  }
  client::HostControl &at(uint32_t rank) { return *network.host(rank).control(controlContext); }
  void open(uint32_t rank, const Policy &policy) {
    Status status = network.host(rank).openControl(controlContext, ranks, policy, network.now);
    ASSERT_TRUE(status) << status.error().str();
  }
  void openAll(const Policy &policy) {
    for (uint32_t rank : ranks)
      open(rank, policy);
  }
  bool run(const std::function<bool()> &done, Time limit = 20 * Second) {
    return network.run(done, limit);
  }
  bool all(const std::function<bool(client::HostControl &)> &what) {
    for (uint32_t rank : ranks)
      if (!what(at(rank)))
        return false;
    return true;
  }
  /// All leave; the switches hold nothing afterwards.
  void leave() {
    for (uint32_t rank : ranks)
      at(rank).leave(network.now);
    EXPECT_TRUE(run([&] { return all([](auto &group) { return group.hasLeft(); }); }));
    for (uint32_t rank : ranks)
      network.host(rank).closeControl(controlContext);
  }
};

inline Cluster flat(uint32_t ranks) {
  Cluster cluster;
  cluster.ranks = ranks;
  return cluster;
}

inline Cluster tree(const std::vector<uint16_t> &leaves) {
  Cluster cluster = flat(uint32_t(leaves.size()));
  cluster.leafOfRank = leaves;
  cluster.parentOfSwitch = {2, 2, SessionOptions::NoSwitch};
  return cluster;
}

/// With keys, on a network that loses, doubles, damages and delays datagrams.
inline Cluster faulty(Cluster cluster, uint64_t seed) {
  cluster.keys = true;
  cluster.faults.loss = 0.15;
  cluster.faults.duplicate = 0.1;
  cluster.faults.reorder = 0.1;
  cluster.faults.corrupt = 0.02;
  cluster.faults.seed = seed;
  return cluster;
}

} // namespace acis::sim
