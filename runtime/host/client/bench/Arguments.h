// Numbers in the command lines of the bench programs.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace acis {

/// A whole number from `least` to `most`, and nothing behind it.
inline std::optional<unsigned> numberIn(std::string_view text, unsigned least, unsigned most) {
  unsigned value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isNumber = wrong == std::errc() && end == text.data() + text.size();
  return isNumber && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

} // namespace acis
