// Descriptions that differ from one in a few fields, to compare machines.
#pragma once

#include "backend/overlay/Overlay.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace acis {

/// A field of a description, and the values that it takes one after the other.
struct Sweep {
  std::string path;                ///< JSON pointer (RFC 6901): "/pe/lanes"
  std::vector<std::string> values; ///< as JSON has them: "8", "[\"integer\"]"
};

/// "/pe/lanes=4,8,16". The error says what is wrong with it.
Result<Sweep> parseSweep(std::string_view text);

struct Variant {
  std::vector<std::pair<std::string, std::string>> fields; ///< path and value, as swept
  Result<Overlay> overlay; ///< the error says why there is no such machine
};

inline constexpr size_t MaxVariants = 4096;

/// The description with each combination of values; the last sweep changes fastest. A field that
/// is not there is added. PE numbers of `grid/overrides` that are beyond a smaller grid are left
/// out. Without sweeps: lanes, columns and rows as described, and halved once and twice. Fails if
/// `json` is no description, or there are more than MaxVariants.
Result<std::vector<Variant>> variantsOf(std::string_view json, const std::string &fileName,
                                        std::vector<Sweep> sweeps);

} // namespace acis
