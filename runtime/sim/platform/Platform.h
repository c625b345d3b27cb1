// A simulated cluster: its network, and what its parts cost. Read from one JSON file, which
// docs/simulation.md describes; what a file does not say is as the publications have it.
#pragma once

#include "backend/support/Result.h"
#include "runtime/sim/engine/EngineDescription.h"
#include "runtime/sim/platform/Graph.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace acis::cluster {

/// Seconds, bytes and bytes per second; sources of the defaults are in docs/simulation.md.
struct LinkCosts {
  double latency = 440e-9;       ///< dissertation, table 3.2
  double bandwidth = 95.9e9 / 8; ///< the same
  uint32_t framingBytes = 42;    ///< Ethernet, IPv4 and UDP headers of a datagram
};

struct HostCosts {
  double overhead = 14.8e-6;   ///< of one call at its begin, and at its end: table 5.2
  double pcieLatency = 0.9e-6; ///< between memory and wire: table 5.2
  double flops = 1e9;          ///< of one process; for programs whose computation is simulated
  /// What a host can do at most; 0: without limit.
  double bus = 0;    ///< bytes per second to and from the network together
  double copy = 0;   ///< bytes per second that MPI copies from buffer to buffer of a rank
  double reduce = 0; ///< bytes per second of results that MPI folds two buffers to
};

/// A switch takes in a phit of each port in each cycle, and folds as fast: it has as many units for
/// a port as a phit has words (dissertation, 3.4).
struct SwitchCosts {
  double cycle = 4e-9;       ///< 250 MHz
  uint32_t phitBytes = 32;   ///< 256 bits: 3.4
  double portToPort = 52e-9; ///< at least: table 5.2
  double packetTime = 0;     ///< for which a packet holds the whole switch; software has this

  /// For which a packet of so many bytes holds its port.
  double portTime(uint64_t bytes) const {
    return double((bytes + phitBytes - 1) / phitBytes) * cycle;
  }
};

/// What an MPI without switches costs a host for each message (SMPI's smpi/os and smpi/or). Up to
/// `eager` bytes a message goes through a buffer at each end; a longer one waits for its receive,
/// and costs no host more than the start.
struct MessageCosts {
  double send = 0, receive = 0;
  double buffer = 0; ///< bytes per second through the buffer of one end; 0: without limit
  uint32_t eager = 65'536;
};

/// Memory nodes stand on the last hosts, and have no ranks there (docs/near-data.md).
struct MemoryNodes {
  uint32_t count = 0;
  uint64_t bytes = uint64_t(64) << 20; ///< of the region of each
};

struct Platform {
  std::string name;
  Graph graph;
  LinkCosts link;
  HostCosts host;
  SwitchCosts device;
  MessageCosts message;
  MemoryNodes memory;
  EngineDescription engine; ///< of the switches, if graph.fabric says that they are engines

  /// Whether there is a host for each rank and each memory node.
  Status holds(uint32_t ranks) const;
  /// Of the FIFO of an engine's port: trees have log2 of the engines as many levels.
  uint64_t engineBuffer() const;
  /// The node of a memory node.
  uint32_t nodeOfMemory(uint32_t number) const {
    return uint32_t(graph.hosts.size()) - memory.count + number;
  }

  /// Parses and checks: every host has one link and reaches every other. Errors name the JSON path.
  static Result<Platform> read(std::string_view json);
  /// The same from a file, which errors name first.
  static Result<Platform> readFile(const std::string &path);
};

} // namespace acis::cluster
