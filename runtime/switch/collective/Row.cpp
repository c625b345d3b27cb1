#include "runtime/switch/collective/Row.h"

#include <algorithm>
#include <bit>

namespace acis::collective {

using wire::Group;

std::vector<uint32_t> partnersOf(uint32_t index, uint32_t size) {
  const uint32_t cube = std::bit_floor(size), extra = size - cube;
  std::vector<uint32_t> out;
  if (index < 2 * extra) {
    out.push_back(index ^ 1);
    if (index % 2 == 0)
      return out;
  }
  const uint32_t corner = index < 2 * extra ? index / 2 : index - extra;
  for (uint32_t bit = 1; bit < cube; bit *= 2) {
    const uint32_t other = corner ^ bit;
    out.push_back(other < extra ? 2 * other + 1 : other + extra);
  }
  return out;
}

std::optional<uint16_t> Row::numberOf(uint32_t place) const {
  const std::vector<uint32_t> places = partnersOf(index, size());
  const auto at = std::find(places.begin(), places.end(), place);
  if (at == places.end())
    return std::nullopt;
  return partners[size_t(at - places.begin())];
}

uint32_t firstPosition(const std::vector<Group::Run> &runs, uint32_t place) {
  uint32_t first = 0;
  for (const Group::Run &run : runs) {
    const uint32_t here = std::min(place, run.engines);
    first += here * run.members;
    place -= here;
  }
  return first;
}

std::optional<Row> Row::of(const wire::Join &join) {
  const Group &group = join.engines;
  if (join.levels.size() != 2 || group.partners.empty())
    return std::nullopt;
  const wire::Level &own = join.levels[1];
  if (own.children < 2 || own.children > 65'536 ||
      partnersOf(own.index, own.children).size() != group.partners.size())
    return std::nullopt;
  uint64_t engines = 0, members = 0;
  for (const Group::Run &run : group.runs) {
    if (run.engines == 0 || run.members == 0)
      return std::nullopt;
    engines += run.engines;
    members += uint64_t(run.engines) * run.members;
  }
  if (engines != own.children || members != join.size ||
      firstPosition(group.runs, own.index) != own.first ||
      firstPosition(group.runs, own.index + 1) != own.first + own.size)
    return std::nullopt;
  Row row;
  row.last = uint16_t(own.children - 1);
  row.index = uint16_t(own.index);
  std::copy(group.partners.begin(), group.partners.end(), row.partners.begin());
  return row;
}

} // namespace acis::collective
