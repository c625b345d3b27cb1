#include "runtime/switch/control/Sums.h"

#include <algorithm>
#include <bit>

namespace acis::control {

using namespace wire;

namespace {

void add(std::span<uint8_t> sum, std::span<const uint8_t> share) {
  for (size_t at = 0; at < sum.size(); at += sizeof(double)) {
    const auto a = std::bit_cast<double>(io::load<uint64_t>(sum.data() + at));
    const auto b = std::bit_cast<double>(io::load<uint64_t>(share.data() + at));
    io::store(sum.data() + at, std::bit_cast<uint64_t>(a + b));
  }
}

} // namespace

Sums::Answer Sums::share(uint32_t position, uint64_t number, std::span<const uint8_t> elements,
                         Time now, const Keeps &keeps, std::string &trouble) {
  Member &member = list[position];
  if (member.left || number < first || number > made() || number < member.next)
    return {};
  member.next = number; // it has heard those before
  forget();
  if (number < made())
    return {true, kept[number - first]};
  if (member.given)
    return whoGave();
  if (elements.empty())
    return whoGave();
  for (const Member &other : list)
    if (other.given && other.share.size() != elements.size()) {
      trouble = "gives " + std::to_string(elements.size() / sizeof(double)) + " numbers to sum " +
                std::to_string(number) + ", others " +
                std::to_string(other.share.size() / sizeof(double));
      return {};
    }
  if (!keeps(2 * elements.size() + PartialSum::bytesOfWho(list.size())))
    return {};
  member.share.assign(elements.begin(), elements.end());
  member.given = true;
  begun = std::min(begun, now);
  ++given;
  return whoGave();
}

Sums::Answer Sums::whoGave() const {
  PartialSum sum;
  for (const Member &member : list)
    sum.who.push_back(member.given);
  return {true, sum.write()};
}

void Sums::leave(uint32_t position) {
  list[position].left = true; // what it gave stays in the sum
  forget();
}

/// Members that have to be in a sum. One that has given and left is.
uint32_t Sums::needed() const {
  uint32_t could = 0;
  for (const Member &member : list)
    could += !member.left || member.given;
  return std::max(1u, rules.quorum == 0 ? could : std::min(rules.quorum, could));
}

void Sums::make() {
  PartialSum sum;
  sum.who.resize(list.size());
  for (size_t p = 0; p < list.size(); ++p) {
    Member &member = list[p];
    if (!member.given)
      continue;
    sum.who[p] = true;
    if (sum.elements.empty())
      sum.elements = std::move(member.share);
    else
      add(sum.elements, member.share);
    released += int64_t(2 * sum.elements.size() + PartialSum::bytesOfWho(list.size()));
    member.share.clear();
    member.given = false;
  }
  partials += given < list.size();
  given = 0;
  begun = Never;
  kept.push_back(sum.write());
  released -= int64_t(kept.back().size());
}

/// What all have heard.
void Sums::forget() {
  uint64_t least = made();
  for (const Member &member : list)
    if (!member.left)
      least = std::min(least, member.next);
  for (; first < least; ++first) {
    released += int64_t(kept.front().size());
    kept.pop_front();
  }
}

Time Sums::pump(Time now, const Send &send) {
  if (given == 0 || kept.size() >= Window)
    return Never;
  const Time deadline = rules.extra == Policy::Extra::None ? rules.deadline : 0;
  if (given < needed() && (deadline == 0 || now < begun + deadline))
    return deadline == 0 ? Never : begun + deadline;
  std::vector<bool> waits;
  for (const Member &member : list)
    waits.push_back(member.given && !member.left);
  make();
  for (uint32_t p = 0; p < list.size(); ++p)
    if (waits[p])
      send(p, made() - 1, kept.back());
  return Never;
}

void Sums::fingerprint(std::vector<uint64_t> &out) const {
  out.insert(out.end(), {first, kept.size(), given});
  for (const Member &member : list)
    out.insert(out.end(), {member.left, member.given, member.next});
  for (const std::vector<uint8_t> &sum : kept)
    out.insert(out.end(), sum.begin(), sum.end());
}

} // namespace acis::control
