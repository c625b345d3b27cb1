// Collectives with random contents on a simulated network, and what MPI says they give.
#pragma once

#include "runtime/switch/core/test/SimNetwork.h"

#include <random>

namespace acis::sim {

/// One collective of all members with its buffers and expected results.
class Trial {
public:
  /// Contents are small integers, so that every order of a fold gives the same value.
  Trial(Kind kind, uint32_t context, const std::vector<uint32_t> &ranks, ReduceOp op,
        ElementType type, uint64_t count, uint32_t root, bool inPlace, std::mt19937 &random);

  /// What member `i` calls.
  Collective call(uint32_t i);
  /// Starts it on member `i`.
  Status start(Network &network, uint32_t i);
  bool done(Network &network) const;
  bool done(Network &network, uint32_t i) const;
  /// "" or the first wrong element.
  std::string check() const;

private:
  using Bytes = std::vector<uint8_t>;
  Bytes expected(uint32_t i) const;

  Kind kind;
  uint32_t context;
  std::vector<uint32_t> ranks;
  ReduceOp op;
  ElementType type;
  uint64_t count;
  uint32_t root;
  bool inPlace;
  std::vector<uint64_t> counts;
  std::vector<Bytes> given, buffer, result, original;
  std::vector<Request> requests;
};

} // namespace acis::sim
