// What a host asks of a memory node, and what that answers. Rules of the exchange:
// docs/wire-protocol.md; meaning: docs/near-data.md.
#pragma once

#include "runtime/switch/wire/Header.h"
#include "runtime/switch/wire/Types.h"

#include <optional>
#include <string>
#include <vector>

namespace acis::wire {

/// Bytes of a block. A handle names a block of the job; 0: none.
struct Place {
  uint64_t handle = 0, offset = 0, bytes = 0;
  bool operator==(const Place &) const = default;
};

/// A request. `data` is borrowed: from who writes it, or from the bytes that were read.
struct Access {
  static constexpr unsigned MostStages = 8;
  static constexpr uint32_t MostNodes = 1024; ///< of a fold
  enum class Op : uint8_t {
    Alloc,  ///< a block of place.bytes, all 0
    Free,   ///< the block place.handle
    Put,    ///< data to `rows` rows of place.bytes; the first is at `place`, each `stride` on
    Get,    ///< these rows
    Load,   ///< a piece of a function's binary; without data: is it there?
    Launch, ///< functions on blocks
    List,   ///< blocks of the job with a handle above place.handle
    Fold,   ///< place.bytes of each node, in the switch above them; without bytes: is there one?
  };
  Op op = Op::List;
  Place place; ///< Launch: what the first function's packet has behind `data`
  // Put, Get
  uint32_t rows = 1;
  uint64_t stride = 0; ///< bytes from row to row
  // Load
  uint64_t function = 0; ///< hash of binary and name, as of a user operator
  uint32_t offset = 0, total = 0;
  std::string name;
  // Launch
  Place memory; ///< what every function's memory pointer sees
  Place output; ///< where the last one's packet goes; without handle: into the answer
  std::vector<uint64_t> stages; ///< each function's packet is the output of the one before
  // Fold
  uint32_t context = 0;             ///< of the asker's folds; all nodes are told the same
  uint32_t position = 0, nodes = 0; ///< this node is one of so many; the first one has the result
  ReduceOp reduce = ReduceOp::None;
  ElementType type = ElementType::Uint8;

  std::span<const uint8_t> data;

  std::vector<uint8_t> write() const;
  static std::optional<Access> read(std::span<const uint8_t> bytes);
};

/// An answer.
struct Outcome {
  /// What was asked for was not done, and why. Numbers are on the wire and in acis_near.h.
  enum class Failure : uint8_t {
    None,
    Malformed,   ///< not a request, or more than an answer can hold
    NoHandle,    ///< not a block of this job
    Bounds,      ///< beyond the end of a block
    Full,        ///< no room in the region
    NoFunction,  ///< not loaded
    BadFunction, ///< refused by the loader
    Trapped,     ///< the function was stopped, or gave more than there is room for
    NoFold,      ///< not folded in a switch: there is none, or it or a node has not come
  };
  static constexpr unsigned NumFailures = 9;
  /// Of an answer less its data.
  static constexpr size_t FixedBytes = 20;

  bool running = false; ///< not done yet: it was asked too early
  Failure failure = Failure::None;
  uint64_t value = 0;  ///< Alloc: the handle; Load: bytes that are there; Launch: bytes of output
  uint64_t cycles = 0; ///< Launch: of the overlay; 0 on engine `fast`
  std::string what;    ///< of a failure
  std::vector<uint8_t> data;

  static Outcome failed(Failure failure, std::string what) {
    Outcome out;
    out.failure = failure;
    out.what = std::move(what);
    return out;
  }
  std::vector<uint8_t> write() const;
  static std::optional<Outcome> read(std::span<const uint8_t> bytes);
};

} // namespace acis::wire
