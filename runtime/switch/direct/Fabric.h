// The shape of a direct network: which engines are neighbours, and by which of them a datagram
// goes on. Pure; engines are numbered from 0.
#pragma once

#include "backend/support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace acis::direct {

enum class Form : uint8_t { Ring, Torus, Hypercube, Tree };
inline constexpr unsigned NumForms = 4;
std::string_view nameOf(Form form);

/// Ring: 1 size. Torus: 2 or 3, the first direction is that of neighbouring numbers. Hypercube: one
/// size, a power of two. Tree: engines, and children of each; those of engine e are e * children +
/// 1, ...
struct Fabric {
  Form form = Form::Ring;
  std::vector<uint32_t> sizes;

  static constexpr uint32_t MostEngines = 65'536;

  /// Fails with what a network of this form must have.
  static Result<Fabric> make(Form form, std::vector<uint32_t> sizes);
  uint32_t engines() const;
  /// "4 x 2 torus", "ring of 8".
  std::string str() const;

  /// The coordinates of an engine, one for each size; ring, hypercube and tree: its number.
  std::vector<uint32_t> placeOf(uint32_t engine) const;
  std::vector<uint32_t> neighbours(uint32_t engine) const;
  /// The neighbour of `from` towards `to`: the shortest way, by the first direction first, upwards
  /// where both are as far. Who hands a datagram on by this never sends it in a circle. `to` itself
  /// for a neighbour; requires from != to.
  uint32_t next(uint32_t from, uint32_t to) const;
  /// Engines between two, and the second.
  std::vector<uint32_t> way(uint32_t from, uint32_t to) const;
  uint32_t parent(uint32_t engine) const { return (engine - 1) / sizes[1]; } ///< of a tree
};

} // namespace acis::direct
