// Uses over capacities, by resource.
#include "passes/cost/CostModel.h"

#include "passes/mrrg/Mrrg.h"

namespace acis {

uint64_t Demand::allOperations() const {
  uint64_t sum = 0;
  for (uint64_t count : operations)
    sum += count;
  return sum;
}

void Demand::add(const Demand &other, uint64_t times) {
  times = std::min(times, Saturated);
  auto more = [times](uint64_t &count, uint64_t by) {
    count = std::min(count + by * times, Saturated);
  };
  for (unsigned c = 0; c < NumUnitClasses; ++c)
    more(operations[c], other.operations[c]);
  for (unsigned e = 0; e < NumExtras; ++e) {
    more(extraOperations[e], other.extraOperations[e]);
    more(extraReads[e], other.extraReads[e]);
  }
  for (uint64_t Demand::*count : {&Demand::streamReads, &Demand::streamWrites, &Demand::fileReads,
                                  &Demand::fileWrites, &Demand::memoryReads, &Demand::memoryWrites})
    more(this->*count, other.*count);
  homes.resize(std::max(homes.size(), other.homes.size()));
  for (size_t home = 0; home < other.homes.size(); ++home) {
    more(homes[home].reads, other.homes[home].reads);
    more(homes[home].writes, other.homes[home].writes);
    more(homes[home].operations, other.homes[home].operations);
  }
}

void SlotBound::need(uint64_t least, const std::string &why) {
  if (least <= slots && !reason.empty())
    return;
  slots = std::max(slots, unsigned(least));
  reason = why;
}

void SlotBound::offer(uint64_t uses, uint64_t capacity, const std::string &what,
                      const std::string &on) {
  if (capacity != 0 && uses != 0)
    need((uses + capacity - 1) / capacity, std::to_string(uses) + " " + what + " on " + on);
}

SlotBound CostModel::bound(const Demand &demand) const {
  SlotBound result;
  result.offer(demand.streamReads, 1, "stream reads", "one port");
  result.offer(demand.streamWrites, 1, "stream writes", "one port");
  boundUnits(demand, result);
  boundExtras(demand, result);
  boundFiles(demand, result);
  for (size_t pe = 0; pe < demand.homes.size(); ++pe)
    result.offer(demand.homes[pe].operations, 1, "operations", "PE " + std::to_string(pe));
  return result;
}

/// For every set of unit classes: the operations of these classes, on the PEs that have at least
/// one of them.
void CostModel::boundUnits(const Demand &demand, SlotBound &bound) const {
  static const char *const names[] = {"integer", "conversion", "float", "divide"};
  for (unsigned set = 1; set < 1u << NumUnitClasses; ++set) {
    uint64_t uses = 0;
    unsigned pes = 0, busiest = 1;
    std::string classes;
    for (unsigned c = 0; c < NumUnitClasses; ++c)
      if (set >> c & 1) {
        uses += demand.operations[c];
        classes += (classes.empty() ? "" : "/") + std::string(names[c]);
      }
    for (const PeKind &pe : overlay.pes) {
      bool has = false;
      for (unsigned c = 0; c < NumUnitClasses; ++c)
        if ((set >> c & 1) && pe.units[c]) {
          has = true;
          busiest = std::max(busiest, pe.every[c]);
        }
      pes += has;
    }
    if (uses == 0 || pes == 0)
      continue;
    const std::string shared = // the least interval is another one where lanes share units
        busiest > 1 ? " that take one in up to " + std::to_string(busiest) + " slots" : "";
    bound.need(slotsFor(set, uses), std::to_string(uses) + " " + classes + " operations on " +
                                        std::to_string(pes) + " PEs" + shared);
  }
}

/// The least interval in which the PEs take so many operations of the classes.
unsigned CostModel::slotsFor(unsigned classes, uint64_t uses) const {
  auto capacity = [&](unsigned slots) {
    uint64_t sum = 0;
    for (const PeKind &pe : overlay.pes) {
      unsigned taken = 0;
      for (unsigned c = 0; c < NumUnitClasses; ++c)
        if ((classes >> c & 1) && pe.units[c])
          taken += slots / pe.every[c];
      sum += std::min(slots, taken);
    }
    return sum;
  };
  unsigned few = 0, enough = 1;
  while (capacity(enough) < uses)
    few = enough, enough *= 2;
  while (enough - few > 1) {
    const unsigned middle = few + (enough - few) / 2;
    (capacity(middle) < uses ? few : enough) = middle;
  }
  return enough;
}

/// Of what not every PE can do: the operations, and the accesses of register files with an index
/// for each lane, over those that can.
void CostModel::boundExtras(const Demand &demand, SlotBound &bound) const {
  const unsigned perPe = std::min(overlay.vrfReadPorts, map::MaxReadPorts);
  for (unsigned bit = 0; bit < Demand::NumExtras; ++bit) {
    const Extras extra = Extras(1u << bit);
    unsigned pes = 0;
    for (const PeKind &pe : overlay.pes)
      pes += !pe.lacks(extra);
    bound.offer(demand.extraOperations[bit], pes, "operations with " + namesOf(extra),
                std::to_string(pes) + " PEs");
    bound.offer(demand.extraReads[bit], pes * perPe, "register-file reads with " + namesOf(extra),
                std::to_string(pes * perPe) + " ports");
  }
}

void CostModel::boundFiles(const Demand &demand, SlotBound &bound) const {
  unsigned files = 0;
  for (const PeKind &pe : overlay.pes)
    files += pe.vrf;
  auto ports = [&](uint64_t uses, uint64_t Demand::Home::*atHome, unsigned perPe,
                   const char *what) {
    bound.offer(uses, files * perPe, what, std::to_string(files * perPe) + " ports");
    for (size_t pe = 0; pe < demand.homes.size(); ++pe)
      bound.offer(demand.homes[pe].*atHome, perPe, what,
                  std::to_string(perPe) + " ports of PE " + std::to_string(pe));
  };
  ports(demand.fileReads, &Demand::Home::reads, std::min(overlay.vrfReadPorts, map::MaxReadPorts),
        "register-file reads");
  ports(demand.fileWrites, &Demand::Home::writes, 1, "register-file writes");
}

Overlay plainOverlay(unsigned pes, unsigned lanes) {
  Overlay overlay;
  overlay.cols = pes;
  overlay.lanes = lanes;
  overlay.latency = {6, 4, 8, 57}; // as u280-full has them
  PeKind pe;
  pe.units.fill(true);
  pe.memory = pe.vrf = true;
  overlay.pes.assign(pes, pe);
  return overlay;
}

} // namespace acis
