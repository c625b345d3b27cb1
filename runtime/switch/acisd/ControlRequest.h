// The control protocol's requests as bytes: a line of JSON, then content of the length that the
// line says. Pure; ControlSocket has the sockets.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace acis::acisd {

struct ControlRequest {
  static constexpr size_t MostBytes = 64 << 20; ///< of a command with what it carries
  static constexpr size_t MostLine = 64 << 10;

  enum class State : uint8_t {
    Incomplete, ///< more has to come
    Complete,   ///< command and content
    Refused,    ///< reply says why
  };
  State state = State::Incomplete;
  nlohmann::json command; ///< an object
  std::vector<uint8_t> content;
  nlohmann::json reply;

  /// Of all bytes that have come so far. What follows the content is ignored.
  static ControlRequest parse(std::span<const uint8_t> bytes);
};

/// {"error": "..."}
nlohmann::json controlError(const std::string &what);

} // namespace acis::acisd
