#include "backend/regalloc/VrfAlloc.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace acis::regalloc {
namespace {

bool meet(const std::optional<Lifetime> &a, const std::optional<Lifetime> &b) {
  return !a || !b || (a->first <= b->last && b->first <= a->last);
}

bool livesIn(const Array &array, unsigned pe) {
  return array.perVpe ? !array.vpes || pe < array.vpes : pe == array.pe;
}

bool meet(const Array &a, const Array &b) {
  bool samePe = a.perVpe ? b.perVpe || livesIn(a, b.pe) : livesIn(b, a.pe);
  return samePe && meet(a.lifetime, b.lifetime);
}

bool overlap(unsigned a, unsigned aSize, unsigned b, unsigned bSize) {
  return a < b + bSize && b < a + aSize;
}

/// First register, a multiple of `align`, at which `array` disturbs no placed one.
std::optional<unsigned> findRun(const std::vector<Array> &arrays, unsigned index, unsigned align,
                                const std::vector<std::optional<unsigned>> &placed,
                                const Overlay &overlay) {
  unsigned size = vregsOf(arrays[index].beats, overlay);
  for (unsigned start = 0; start + size <= Overlay::NumVregs; start += align) {
    bool isFree = true;
    for (unsigned other = 0; other < arrays.size() && isFree; ++other)
      if (placed[other] && meet(arrays[index], arrays[other]))
        isFree = !overlap(start, size, *placed[other], vregsOf(arrays[other].beats, overlay));
    if (isFree)
      return start;
  }
  return std::nullopt;
}

/// Registers that no array placed so far holds while `array` lives.
unsigned countFree(const std::vector<Array> &arrays, unsigned index,
                   const std::vector<std::optional<unsigned>> &placed, const Overlay &overlay) {
  uint32_t used = 0;
  for (unsigned other = 0; other < arrays.size(); ++other)
    if (placed[other] && meet(arrays[index], arrays[other]))
      for (unsigned r = 0; r < vregsOf(arrays[other].beats, overlay); ++r)
        used |= uint32_t(1) << (*placed[other] + r);
  return Overlay::NumVregs - std::popcount(used);
}

Refusal doesNotFit(const Array &array, unsigned free, const Overlay &overlay) {
  return Refusal(Why::ArrayDoesNotFit, array.name, array.beats, vregsOf(array.beats, overlay),
                 array.perVpe ? "every VPE" : "VPE " + std::to_string(array.pe), free,
                 Overlay::NumVregs, overlay.vregBeats());
}

std::vector<unsigned> largestFirst(size_t count, auto &&size) {
  std::vector<unsigned> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](unsigned a, unsigned b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
  return order;
}

/// One attempt with or without aligned groups; the array that did not fit in `failed`.
bool tryAllocate(const std::vector<Array> &arrays, const Overlay &overlay, bool aligned,
                 std::vector<std::optional<unsigned>> &placed, unsigned &failed) {
  placed.assign(arrays.size(), std::nullopt);
  for (unsigned index = 0; index < arrays.size(); ++index)
    placed[index] = arrays[index].vreg;
  auto size = [&](unsigned i) { return vregsOf(arrays[i].beats, overlay); };
  for (unsigned index : largestFirst(arrays.size(), size)) {
    if (placed[index])
      continue;
    unsigned group = aligned ? std::min(std::bit_floor(std::max(size(index), 1u)), 16u) : 1;
    placed[index] = findRun(arrays, index, group, placed, overlay);
    if (!placed[index])
      placed[index] = findRun(arrays, index, 1, placed, overlay);
    if (!placed[index]) {
      failed = index;
      return false;
    }
  }
  return true;
}

} // namespace

unsigned vregsOf(unsigned beats, const Overlay &overlay) {
  return (beats + overlay.vregBeats() - 1) / overlay.vregBeats();
}

Result<Assignment, NoRoom> allocate(const std::vector<Array> &arrays, const Overlay &overlay) {
  for (unsigned number = 0; number < arrays.size(); ++number) {
    const Array &array = arrays[number];
    for (unsigned pe = 0; pe < overlay.numPes(); ++pe)
      if (livesIn(array, pe) && !overlay.pes[pe].vrf)
        return NoRoom{Refusal(Why::ArrayWithoutFile, array.name, pe), number};
    if (!array.perVpe && array.pe >= overlay.numPes())
      return NoRoom{fault("array '" + array.name + "' lives in VPE " + std::to_string(array.pe) +
                          "; the overlay has " + std::to_string(overlay.numPes())),
                    number};
  }
  std::vector<std::optional<unsigned>> placed;
  unsigned failed = 0;
  if (!tryAllocate(arrays, overlay, /*aligned=*/true, placed, failed) &&
      !tryAllocate(arrays, overlay, /*aligned=*/false, placed, failed))
    return NoRoom{doesNotFit(arrays[failed], countFree(arrays, failed, placed, overlay), overlay),
                  failed};
  Assignment assignment;
  for (const std::optional<unsigned> &start : placed)
    assignment.vreg.push_back(*start);
  return assignment;
}

Status verify(const std::vector<Array> &arrays, const Assignment &assignment,
              const Overlay &overlay) {
  if (assignment.vreg.size() != arrays.size())
    return Error{"", "an assignment for " + std::to_string(assignment.vreg.size()) + " of " +
                         std::to_string(arrays.size()) + " arrays"};
  for (unsigned pe = 0; pe < overlay.numPes(); ++pe) {
    // One register file at a time: who holds which register, and when.
    std::vector<std::vector<unsigned>> holders(Overlay::NumVregs);
    for (unsigned index = 0; index < arrays.size(); ++index) {
      const Array &array = arrays[index];
      bool isHere = array.perVpe ? array.vpes == 0 || pe < array.vpes : array.pe == pe;
      if (!isHere)
        continue;
      for (unsigned at = 0; at < array.beats; at += overlay.vregBeats()) {
        unsigned reg = assignment.vreg[index] + at / overlay.vregBeats();
        if (reg >= Overlay::NumVregs)
          return Error{array.where, "array '" + array.name + "' ends behind the register file"};
        for (unsigned other : holders[reg])
          if (!array.lifetime || !arrays[other].lifetime ||
              !(array.lifetime->last < arrays[other].lifetime->first ||
                arrays[other].lifetime->last < array.lifetime->first))
            return Error{array.where, "array '" + array.name + "' shares v" + std::to_string(reg) +
                                          " of VPE " + std::to_string(pe) + " with '" +
                                          arrays[other].name + "'"};
        holders[reg].push_back(index);
      }
    }
  }
  return Status::ok();
}

} // namespace acis::regalloc
