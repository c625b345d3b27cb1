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

/// A kind in the forms that MPI has it. Varying: with a block of its own length for each rank,
/// where the ranks are asked first (all of them know Allgather's). Lasting: the same, persistent,
/// where they have been asked before. Paired: the same in a call that may not wait
/// (VaryingPairs.h).
enum class Form : uint8_t { Plain, Varying, Paired, Lasting };

/// Plain data: rank 0's is broadcast as bytes.
class Costs {
public:
  using Algorithm = algorithms::Algorithm;

  /// What is compared.
  static constexpr std::array Ways = {Algorithm::Library, Algorithm::Switch, Algorithm::Nodes};
  /// Bytes of one rank's block that are measured, growing.
  static constexpr std::array<uint64_t, 3> Sizes = {8, 4096, 65'536};
  /// Forms that have measured figures of their own: Lasting has the library's of Varying and the
  /// switch's of Plain. Of Paired what was measured stands at Sizes[0], for all lengths.
  static constexpr size_t NumMeasured = 3;
  static bool has(Kind kind, Form form);

  /// `microseconds`: of a call with blocks of Sizes[size], more than 0. `form` is measured.
  void set(Kind kind, Form form, Algorithm way, size_t size, float microseconds);
  void set(Kind kind, Algorithm way, size_t size, float microseconds) {
    set(kind, Form::Plain, way, size, microseconds);
  }

  /// Of a call with blocks of `bytes`: on a line between two sizes, beyond the last by the line
  /// that ends there. Nothing where no size, or only the first, was measured and `bytes` is above
  /// it. A form that was not measured costs what the plain one does.
  std::optional<double> of(Kind kind, Algorithm way, uint64_t bytes, Form form = Form::Plain) const;

  /// The one of `ways`, of which there is one at least, that takes least. Where the cost of some is
  /// not known for `bytes`: that which takes least at the greatest size, below that, for which all
  /// are; the last of them where there is none.
  Algorithm cheapest(Kind kind, uint64_t bytes, std::span<const Algorithm> ways,
                     Form form = Form::Plain) const;

  bool isEmpty() const;

  /// {"allreduce": {"switch": [11.5, 17.2, 60.1], ...}, ...}: microseconds at Sizes; shorter where
  /// the rest was not measured.
  std::string json() const;
  /// Errors name the place in the text.
  static Result<Costs> parse(std::string_view text);

private:
  /// 0: not measured. The first ones of a row are.
  using Row = std::array<float, Sizes.size()>;
  const Row &row(Kind kind, Form form, Algorithm way) const;
  std::optional<Algorithm> cheapestAt(Kind kind, uint64_t bytes, std::span<const Algorithm> ways,
                                      Form form) const;

  using ByWay = std::array<Row, Ways.size()>;
  std::array<std::array<ByWay, NumMeasured>, NumKinds> us{};
};

} // namespace acis::mpi
