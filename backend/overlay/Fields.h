// The fields of an overlay description, as one table: the reader, its messages and
// the test of the published schema go by it. Private to the overlay.
#pragma once

#include "backend/overlay/Overlay.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace acis::overlay {

enum class FieldKind : uint8_t {
  Object,   ///< holds the fields whose path starts with its own
  Integer,  ///< min..max
  Power,    ///< a power of two, min..max
  Number,   ///< more than 0, at most max
  Text,     ///< not empty
  Flag,     ///< true or false
  Units,    ///< an array of unit class names, none twice
  Widths,   ///< [32] or [32, 64]
  Choice,   ///< one of a few names
  PeList,   ///< an array of PE numbers, at least one
  Overrides ///< an array of objects; its fields have the path "/grid/overrides/*/..."
};

struct Field {
  std::string_view path; ///< JSON pointer; "*" stands for any index
  FieldKind kind;
  bool required = true;
  uint64_t min = 0, max = 0;
  void (*set)(Overlay &, uint64_t) = nullptr;  ///< Integer, Power, Choice (the name's number), and
                                               ///< Flag of the overlay
  void (*setPe)(PeKind &, uint64_t) = nullptr; ///< the same of a PE
  std::span<const std::string_view> names{};   ///< Choice
};

/// In the order in which they are documented and checked.
std::span<const Field> fields();

/// The path without its last step.
std::string_view parentOf(std::string_view path);
/// The last step of the path.
std::string_view nameOf(std::string_view path);
/// "a power of two from 2 to 64", as messages say it.
std::string allowed(const Field &field);

inline constexpr std::string_view unitNames[NumUnitClasses] = {"integer", "convert", "float",
                                                               "divide"};
inline constexpr std::string_view topologyNames[] = {"chain", "mesh", "torus", "king", "onehop"};
inline constexpr std::string_view ramNames[] = {"auto", "distributed", "block", "ultra"};

inline void setExtra(PeKind &pe, Extras which, bool has) {
  pe.extras = Extras(has ? pe.extras | which : pe.extras & ~which);
}

/// Links of a grid, see descriptions/README.md for the numbering.
std::vector<Link> deriveLinks(unsigned rows, unsigned cols, Topology topology);

} // namespace acis::overlay
