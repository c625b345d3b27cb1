#include "runtime/switch/direct/Fabric.h"

#include <algorithm>
#include <bit>

namespace acis::direct {

std::string_view nameOf(Form form) {
  constexpr std::string_view names[NumForms] = {"ring", "torus", "hypercube", "tree"};
  return names[unsigned(form)];
}

Result<Fabric> Fabric::make(Form form, std::vector<uint32_t> sizes) {
  const size_t least = form == Form::Torus || form == Form::Tree ? 2 : 1,
               most = form == Form::Torus ? 3 : least;
  if (sizes.size() < least || sizes.size() > most)
    return Error{"", "a " + std::string(nameOf(form)) + " has " +
                         (form == Form::Torus  ? "2 or 3 sizes, one for each direction"
                          : form == Form::Tree ? "2 sizes: engines, and children of each"
                                               : "1 size: its engines") +
                         "; there are " + std::to_string(sizes.size())};
  uint64_t engines = 1;
  for (const uint32_t size : sizes) {
    if (size == 0 || size > MostEngines)
      return Error{"", "a size of " + std::to_string(size) + "; allowed are 1 to " +
                           std::to_string(MostEngines)};
    engines = std::min<uint64_t>(engines * size, uint64_t(MostEngines) + 1);
  }
  if (form == Form::Tree)
    engines = sizes[0];
  if (engines > MostEngines)
    return Error{"", "more than " + std::to_string(MostEngines) + " engines"};
  if (form == Form::Hypercube && !std::has_single_bit(sizes[0]))
    return Error{"", "a hypercube has 2, 4, 8, ... engines; there are " + std::to_string(sizes[0]) +
                         "; say ring, torus or tree"};
  return Fabric{form, std::move(sizes)};
}

uint32_t Fabric::engines() const {
  if (form == Form::Tree)
    return sizes[0];
  uint32_t all = 1;
  for (const uint32_t size : sizes)
    all *= size;
  return all;
}

std::string Fabric::str() const {
  if (form != Form::Torus)
    return std::string(nameOf(form)) + " of " + std::to_string(sizes[0]);
  std::string text;
  for (const uint32_t size : sizes)
    text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text + " torus";
}

std::vector<uint32_t> Fabric::placeOf(uint32_t engine) const {
  if (form != Form::Torus)
    return {engine};
  std::vector<uint32_t> place;
  for (const uint32_t size : sizes) {
    place.push_back(engine % size);
    engine /= size;
  }
  return place;
}

std::vector<uint32_t> Fabric::neighbours(uint32_t engine) const {
  std::vector<uint32_t> out;
  auto add = [&](uint32_t other) {
    if (other != engine && std::find(out.begin(), out.end(), other) == out.end())
      out.push_back(other);
  };
  switch (form) {
  case Form::Hypercube:
    for (uint32_t bit = 1; bit < sizes[0]; bit *= 2)
      add(engine ^ bit);
    break;
  case Form::Tree:
    if (engine > 0)
      add(parent(engine));
    for (uint32_t child = 1; child <= sizes[1]; ++child)
      if (const uint64_t at = uint64_t(engine) * sizes[1] + child; at < sizes[0])
        add(uint32_t(at));
    break;
  case Form::Ring:
  case Form::Torus: {
    uint32_t stride = 1;
    for (const uint32_t size : sizes) {
      const uint32_t at = engine / stride % size, base = engine - at * stride;
      add(base + (at + 1) % size * stride);
      add(base + (at + size - 1) % size * stride);
      stride *= size;
    }
    break;
  }
  }
  return out;
}

uint32_t Fabric::next(uint32_t from, uint32_t to) const {
  switch (form) {
  case Form::Hypercube:
    return from ^ ((from ^ to) & (~(from ^ to) + 1));
  case Form::Tree:
    // Down to the child that `to` is below, or up.
    for (uint32_t at = to; at > from; at = parent(at))
      if (parent(at) == from)
        return at;
    return parent(from);
  case Form::Ring:
  case Form::Torus:
    break;
  }
  uint32_t stride = 1;
  for (const uint32_t size : sizes) {
    const uint32_t at = from / stride % size, wanted = to / stride % size;
    if (at != wanted) {
      const uint32_t up = (wanted + size - at) % size;
      const uint32_t then = up <= size - up ? (at + 1) % size : (at + size - 1) % size;
      return from - at * stride + then * stride;
    }
    stride *= size;
  }
  return to;
}

std::vector<uint32_t> Fabric::way(uint32_t from, uint32_t to) const {
  std::vector<uint32_t> out;
  while (from != to) {
    from = next(from, to);
    out.push_back(from);
  }
  return out;
}

} // namespace acis::direct
