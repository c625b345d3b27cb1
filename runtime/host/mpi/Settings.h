// What the environment tells libacis-mpi (docs/mpi.md lists the variables). Read once at
// MPI_Init on every rank; what decides whether a collective is offloaded is then taken
// from rank 0, so that all ranks decide alike.
#pragma once

#include "backend/support/Result.h"
#include "runtime/host/algorithms/Algorithm.h"
#include "runtime/host/client/Session.h"
#include "runtime/host/mpi/Costs.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace acis::mpi {

/// How collectives of a kind are to be done, from a size of one block on (ACIS_ALGORITHM).
struct AlgorithmRule {
  Kind kind = Kind::Barrier;
  algorithms::Algorithm algorithm = algorithms::Algorithm::Automatic;
  uint64_t fromBytes = 0;
};

/// What must be the same on all ranks. Plain data: rank 0's is broadcast as bytes.
struct Policy {
  /// Bit k: collectives of Kind k may be offloaded (ACIS_OFFLOAD).
  uint32_t kinds = (1u << NumKinds) - 1;
  /// Messages of more bytes (of one rank's block) go to the MPI underneath
  /// (ACIS_MAX_BYTES).
  uint64_t maxBytes = UINT64_MAX;
  /// Collectives that only move data, and of which the switch would take and give more
  /// bytes in all, go to the MPI underneath (ACIS_MOVE_BYTES). A switch makes no such
  /// traffic less; where the ranks' own links carry it side by side they are faster.
  uint64_t moveBytes = 16 << 20;
  /// A fused call may send and get so many bytes more than its plain collectives
  /// (ACIS_FUSED_BYTES); one that would need more is these and its op by the host. The default is
  /// what a link of 10 Gb/s carries in the 3 us that the datagram takes which a fused call saves.
  uint64_t fusedBytes = 4096;
  /// A communicator is told to the switch when it is made, not at its first collective (ACIS_JOIN).
  bool joinsAtCreation = false;
  /// The program has calls with blocks whose length only two ranks know (VaryingPairs.h).
  bool pairs = false;
  /// The program has calls with blocks of different lengths.
  bool varies = false;
  /// The program has fused calls, which other ranks may meet with plain ones: what no rule names
  /// goes to the switch, from each rank.
  bool fuses = false;
  /// Somebody will read what was counted (ACIS_WHY of rank 0).
  bool counts = false;
  /// How many choices of switches above there are (ACIS_PARENTS).
  uint8_t turns = 1;
  /// Which leaf a rank is on is found by the name of its host (ACIS_HOST_LEAVES).
  bool leavesByHost = false;
  Costs costs; ///< of the ways to do what no rule names, where members are on several hosts
  std::array<AlgorithmRule, 64> rules;
  uint32_t numRules = 0;
  bool offloads(Kind kind) const { return kinds >> unsigned(kind) & 1; }
  /// What the last rule for this kind and size says; Automatic where there is none.
  algorithms::Algorithm algorithmFor(Kind kind, uint64_t bytes) const;
  /// Whether a rule names an algorithm of the hosts, or all of them.
  bool mayUseHosts() const;
  /// Whether Automatic stands for what hosts and costs say, not for the switch.
  bool choosesByHosts() const { return !fuses; }
  /// Whether calls of some kind may be done by nodes.
  bool mayUseNodes() const;
  /// Of a collective on `size` ranks with blocks of `bytes`; not of reductions and Bcast.
  bool movesTooMuch(Kind kind, uint64_t bytes, uint64_t size) const;
};

/// A compiled operator for an unchanged program (ACIS_OPERATORS).
struct OperatorFile {
  std::string function; ///< name of the C function that is given to MPI_Op_create
  std::string path;
  std::string handler; ///< "": the only one of the file
};

/// When a communicator is told to the switch (ACIS_JOIN); ByProgram: when it is made, if the
/// program names non-blocking collectives, in which nothing may wait for that.
enum class Joins : uint8_t { ByProgram, AtCreation, AtUse };

/// Which ranks share a host (ACIS_PLACEMENT): those that MPI says can share memory, none, or as
/// listed.
enum class Placement : uint8_t { Asked, Apart, Listed };

struct Settings {
  /// ACIS_SWITCH, ACIS_JOB, ACIS_KEY; no address: no switch. With ACIS_LEAVES the address
  /// is a list, one for each switch of the topology.
  Endpoint endpoint;
  SessionOptions session; ///< ACIS_LEAVES, ACIS_PARENTS, ACIS_SPIN_US, ACIS_DEAD_AFTER,
                          ///< ACIS_FAULTS, ACIS_ENGINES
  /// ACIS_PARENTS: the switch above each switch; of each choice, if there are several.
  std::vector<std::vector<uint16_t>> parents;
  /// ACIS_HOST_LEAVES: the switch of each host, by name.
  std::vector<std::pair<std::string, uint16_t>> leafOfHost;
  Policy policy;
  Joins joins = Joins::ByProgram;
  Placement placement = Placement::Asked;
  std::vector<uint32_t> hostOfRank; ///< Listed: a number for each rank of MPI_COMM_WORLD
  /// Measure costs at MPI_Init, where ranks are on several hosts (ACIS_COSTS).
  bool measuresCosts = true;
  std::string
      costsFile; ///< "", or where they are kept (ACIS_COSTS): read if it exists, else written
  /// A wait for a collective ends with an error after this (ACIS_TIMEOUT, seconds).
  Nanoseconds timeout = std::chrono::seconds(600);
  /// "": no summary; "1": to standard error; else the file to write (ACIS_WHY).
  std::string why;
  /// Where supersteps are written (ACIS_STEPS), or "", and the collectives between which they are,
  /// bit k: Kind k (ACIS_STEPS_AT).
  std::string stepsFile;
  uint32_t stepKinds = (1u << NumKinds) - 1;
  std::vector<OperatorFile> operators;
  bool required = false; ///< ACIS_REQUIRE: without a switch, MPI_Init fails
};

/// The endpoint of one rank: of its leaf, where there are several.
Result<Endpoint> endpointOf(const Settings &settings, uint32_t rank);

/// Gives the value of a variable, nullptr if it is not set; getenv() but in tests.
using Environment = std::function<const char *(const char *)>;

/// Fails on a value that is not understood, naming the variable.
Result<Settings> readSettings(const Environment &environment);

} // namespace acis::mpi
