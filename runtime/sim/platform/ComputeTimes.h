// What the ranks of a program compute, from a file: how long the work of each superstep takes,
// which ends with a blocking collective of all ranks (docs/simulation.md has the file's form).
//
// A row names a step, a rank and the collective that ends the step, or leaves some of these open;
// it holds for all steps, ranks and collectives that fit. Where several rows fit the last one
// counts.
#pragma once

#include "backend/support/Result.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acis::cluster {

class ComputeTimes {
public:
  struct Row {
    std::optional<uint64_t> step, rank;
    std::string call;   ///< "allreduce"; "": any
    double seconds = 0; ///< 0 to 1e6
  };

  /// JSON, if the text begins with a bracket, else CSV. `calls`: the names that may be used. An
  /// error says which line, or row of the JSON array, and which field.
  static Result<ComputeTimes> parse(std::string_view text, const std::vector<std::string> &calls);

  /// The same from a file, which errors name first.
  static Result<ComputeTimes> readFile(const std::string &path,
                                       const std::vector<std::string> &calls);

  /// Seconds; no value: no row fits.
  std::optional<double> of(uint64_t step, uint32_t rank, const std::string &call) const;

  const std::vector<Row> &rows() const { return all; }

private:
  static constexpr uint64_t Any = ~uint64_t(0);
  using Key = std::array<uint64_t, 2>; ///< step and rank
  void add(Row row);

  std::vector<Row> all;
  /// The last row with this key, which has Any, or "", for what the row leaves open.
  std::map<std::pair<Key, std::string>, size_t> last;
  bool named[2][2][2] = {}; ///< whether there are rows that name step, rank, call
};

} // namespace acis::cluster
