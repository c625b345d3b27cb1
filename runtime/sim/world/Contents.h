// What ranks give to a collective in a simulated run, and what they have to get: a fold of what was
// given, done here in rank order.
#pragma once

#include "runtime/host/client/Session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace acis::cluster {

class Contents {
public:
  using Bytes = std::vector<uint8_t>;

  /// Of `ranks` ranks; `shape` has kind, operation, type, count and root. Small whole numbers, so
  /// that every order of a fold gives the same bits. Not of user operators and fused collectives.
  Contents(const Collective &shape, uint32_t ranks, uint64_t seed);

  /// One call of a rank: its buffers, which belong to the caller.
  struct Buffers {
    Bytes give, get;
    std::vector<uint64_t> counts;
    Collective call;
  };
  /// `call` points into the other members: a Buffers is filled where it stays.
  void prepare(uint32_t rank, Buffers &out) const;
  /// "" or what is wrong in what a rank has got.
  std::string check(uint32_t rank, const Buffers &got) const;

private:
  Bytes given(uint32_t rank) const;
  Bytes expected(uint32_t rank) const;
  const Bytes &folded(uint32_t last) const;
  uint64_t blocksGiven() const, blocksWanted(uint32_t rank) const;

  Collective shape;
  uint32_t ranks;
  uint64_t seed;
  size_t block;                     ///< bytes
  mutable std::vector<Bytes> folds; ///< of ranks 0 to i
};

} // namespace acis::cluster
