// What a collective takes in each way that it can be done, from calls of a few sizes that were
// measured: at MPI_Init, or before, from a file (ACIS_COSTS).
#pragma once

#include "backend/support/Result.h"
#include "runtime/host/algorithms/Algorithm.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace acis::mpi {

/// Plain data: rank 0's is broadcast as bytes.
class Costs {
public:
  using Algorithm = algorithms::Algorithm;

  /// What is compared.
  static constexpr std::array Ways = {Algorithm::Library, Algorithm::Switch, Algorithm::Nodes};
  /// Bytes of one rank's block that are measured, growing.
  static constexpr std::array<uint64_t, 3> Sizes = {8, 4096, 65'536};

  /// `microseconds`: of a call with blocks of Sizes[size], more than 0.
  void set(Kind kind, Algorithm way, size_t size, float microseconds);

  /// Of a call with blocks of `bytes`: on a line between two sizes, beyond the last by the line
  /// that ends there. Nothing where no size, or only the first, was measured and `bytes` is above
  /// it.
  std::optional<double> of(Kind kind, Algorithm way, uint64_t bytes) const;

  /// The one of `ways`, of which there is one at least, that takes least; the last of them where
  /// the cost of some is not known.
  Algorithm cheapest(Kind kind, uint64_t bytes, std::span<const Algorithm> ways) const;

  bool isEmpty() const;

  /// {"allreduce": {"switch": [11.5, 17.2, 60.1], ...}, ...}: microseconds at Sizes; shorter where
  /// the rest was not measured.
  std::string json() const;
  /// Errors name the place in the text.
  static Result<Costs> parse(std::string_view text);

private:
  /// 0: not measured. The first ones of a row are.
  using Row = std::array<float, Sizes.size()>;
  const Row &row(Kind kind, Algorithm way) const;

  std::array<std::array<Row, Ways.size()>, NumKinds> us{};
};

} // namespace acis::mpi
