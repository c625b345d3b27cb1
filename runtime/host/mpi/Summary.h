// Counts, for each place in the program that calls a collective, what was offloaded, what
// was not and why; merges the counts of all ranks and prints them.
#pragma once

#include "runtime/host/algorithms/Volume.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

namespace acis::mpi {

/// What became of a call. Those up to Empty were served by the switch or need nobody, those from
/// ByBinomial on by this library without it, the others by the MPI underneath.
enum class Reason : uint8_t {
  Offloaded,
  ByNodes,     ///< on each host by its ranks, between hosts by the switch
  Empty,       ///< no rank sends anything: complete without a packet
  NoSwitch,    ///< none named, or it could not be reached
  SwitchedOff, ///< ACIS_OFFLOAD
  TooLarge,    ///< ACIS_MAX_BYTES
  MovesMuch,   ///< ACIS_MOVE_BYTES
  OneProcess,  ///< a communicator of one process
  Intercomm,
  NoEntry,      ///< the communicator table was full when it was created
  Foreign,      ///< members outside MPI_COMM_WORLD
  NotSetUp,     ///< made by a call that is not followed; its first call is non-blocking
  CountsDiffer, ///< Igatherv and its like: only some ranks know the counts
  Uneven,       ///< Gatherv and its like: one block is much longer than the others
  Neighbours,   ///< neighbourhood collectives
  Persistent,   ///< MPI_Allreduce_init and its like
  Type,         ///< element type that the switch does not have
  UserOperator, ///< MPI_Op_create without a compiled handler
  Operator,     ///< not defined on this type
  Unsupported,  ///< the tree of switches cannot do it on this group
  Refused,      ///< arguments that the MPI underneath will refuse
  NotChosen,    ///< ACIS_ALGORITHM names the MPI underneath
  OneHost,      ///< all members are on one host
  Slower,       ///< the MPI underneath is faster, by the costs that were measured
  OpByHost,     ///< a fused call: the collectives by the switch, the op here
  // Of fused calls, done by their plain collectives, which are counted on their own.
  NoBinary,       ///< the op was not compiled for a switch
  ArraysShared,   ///< two arrays of its op share memory
  ArraysNoRoom,   ///< an array of its op has more bytes than the program has room, or unknown many
  ArraysNotHad,   ///< no memory for copies of them
  NoResult,       ///< this rank gets nothing from the first collective: Reduce beside its root
  BuffersDiffer,  ///< buffers of its collectives are not those that its program was made for
  ProgramRefused, ///< by the switch
  CostsMore,      ///< ACIS_FUSED_BYTES
  Kernel,         ///< ACIS_Ikernel
  // Done by this library without the switch, by the algorithm named.
  ByBinomial,
  ByDoubling,
  ByHalving,
  ByRing,
  ByTorus,
  ByPairs,
};
inline constexpr unsigned NumReasons = 40;

/// Of an algorithm that is by the hosts.
Reason reasonOf(algorithms::Algorithm algorithm);

/// The words of the report.
std::string_view wordsOf(Reason reason);

/// What the ranks gave to the network for their collectives.
struct Traffic {
  uint64_t packets = 0, bytes = 0;
  uint64_t repeated = 0; ///< messages that were sent again
};

/// What a blocking call moved and took on this rank.
struct Spent {
  algorithms::Volume moved; ///< to and from the switch, in packets
  algorithms::Volume plain; ///< what its collectives are among hosts, in messages
  std::chrono::nanoseconds time{};
  uint64_t opCycles = 0; ///< of ops, on a switch that counts them
};

class Summary {
public:
  /// Whether count() counts, from here on; it does at first.
  void setCounting(bool on) { isCounting.store(on, std::memory_order_relaxed); }
  /// Adds one call of `call` ("MPI_Allreduce", a literal) with return address `site`. `place` is
  /// where a fused call is in the source ("app.c:57"); "" if that is not known.
  void count(const char *call, const void *site, Reason reason, uint64_t bytes,
             std::string_view place = "");
  /// Forgets all that was counted.
  void clear();
  /// Adds what one call took that was counted so.
  void spend(const char *call, const void *site, Reason reason, const Spent &spent);

  /// The counts as lines of text, with sites as module and offset, which are the same in
  /// every process of a program.
  std::string serialize() const;
  /// Adds what another rank's serialize() gave.
  void merge(std::string_view lines);
  /// The report, from what was merged: totals and all ranks' traffic first, then a line for each
  /// site, call and reason, most calls first.
  std::string report(uint32_t ranks, const Traffic &traffic = {}) const;
  /// The same for machines; docs/mpi.md lists the fields.
  std::string json(uint32_t ranks, const Traffic &traffic = {}) const;

private:
  struct Counts {
    uint64_t calls = 0, bytes = 0;
    uint64_t timed = 0; ///< of the calls, those of which the rest is known
    uint64_t packets = 0, packetBytes = 0, plainMessages = 0, plainBytes = 0, nanoseconds = 0,
             opCycles = 0;
    std::string place;

    void add(const Counts &other);
  };
  using Totals = std::pair<uint64_t, uint64_t>;
  Totals totals() const;

  using Place = std::tuple<const void *, const char *, Reason>;
  using MergedPlace = std::tuple<std::string, std::string, Reason>;

  std::atomic<bool> isCounting = true;
  mutable std::mutex mutex;
  std::map<Place, Counts> places;
  std::map<MergedPlace, Counts> merged;
};

} // namespace acis::mpi
