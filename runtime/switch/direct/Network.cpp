#include "runtime/switch/direct/Network.h"

namespace acis::direct {

uint32_t Network::fingerprint() const {
  uint32_t hash = 0x811c9dc5; // FNV-1a
  auto add = [&](std::string_view text) {
    for (const char letter : text)
      hash = (hash ^ uint8_t(letter)) * 0x01000193;
    hash = (hash ^ 0xff) * 0x01000193;
  };
  add(fabric.str());
  for (const uint32_t size : fabric.sizes)
    add(std::to_string(size));
  for (const Engine &engine : engines)
    add(engine.text.empty() ? engine.address.str() : engine.text);
  return hash;
}

std::optional<uint16_t> Network::at(const wire::Address &address) const {
  for (size_t engine = 0; engine < engines.size(); ++engine)
    if (engines[engine].address == address)
      return uint16_t(engine);
  return std::nullopt;
}

std::string Network::nameOf(uint32_t engine) const {
  return "engine " + std::to_string(engine) +
         (engine < engines.size()
              ? " (" + engines[engine].name + ", " + engines[engine].address.str() + ")"
              : "");
}

std::string Network::wayTo(uint32_t engine) const {
  if (engine >= engines.size() || engine == number)
    return "";
  const std::vector<uint32_t> way = fabric.way(number, engine);
  if (way.size() < 2)
    return "";
  return " by way of " + nameOf(way.front()) +
         (way.size() > 2 ? " and " + std::to_string(way.size() - 2) + " more" : "");
}

} // namespace acis::direct
