// Builds the resource graph from the overlay description.
#include "passes/mrrg/Mrrg.h"

#include <algorithm>

namespace acis::map {

Mrrg::Mrrg(const Overlay &overlay, unsigned ii)
    : interval(ii), pes(overlay.numPes()), registers(overlay.routeRegs),
      readPorts(std::min(overlay.vrfReadPorts, MaxReadPorts)) {
  perPe = FirstInput + NumInputs + registers;
  firstLink = pes * perPe;
  firstGlobal = firstLink + unsigned(overlay.links.size());
  tracks = firstGlobal + 2;

  outStart.assign(pes + 1, 0);
  into.assign(size_t(pes) * Overlay::MaxLinks, 0);
  for (const Link &link : overlay.links) {
    ++outStart[link.from + 1];
    linkFrom.push_back(link.from);
  }
  for (unsigned pe = 0; pe < pes; ++pe)
    outStart[pe + 1] += outStart[pe];
  out.resize(overlay.links.size());
  std::vector<unsigned> next(outStart.begin(), outStart.end() - 1);
  for (unsigned id = 0; id < overlay.links.size(); ++id) {
    const Link &link = overlay.links[id];
    out[next[link.from]++] = {id, link.to, link.inPort};
    into[link.to * Overlay::MaxLinks + link.inPort] = id;
  }

  // Breadth first from every PE.
  distance.assign(size_t(pes) * pes, Unreachable);
  std::vector<unsigned> queue;
  for (unsigned from = 0; from < pes; ++from) {
    unsigned *row = &distance[size_t(from) * pes];
    queue.assign(1, from);
    row[from] = 0;
    for (size_t head = 0; head < queue.size(); ++head)
      for (const OutLink &link : outLinks(queue[head]))
        if (row[link.to] == Unreachable) {
          row[link.to] = row[queue[head]] + 1;
          queue.push_back(link.to);
        }
  }
}

static std::string trackName(unsigned track) {
  switch (track) {
  case 0:
    return "functional unit";
  case 1:
    return "register write port";
  case 2:
    return "register-file write port";
  case 3:
  case 4:
    return "register-file read port " + std::to_string(track - 3);
  case 5:
    return "memory read port";
  case 6:
    return "memory write port";
  case 7:
    return "result bus";
  case 8:
    return "shared converter";
  case 9:
    return "shared divider";
  default:
    break;
  }
  if (track < Mrrg::FirstInput + NumInputs) {
    static const char *const names[NumInputs] = {"a",
                                                 "b",
                                                 "c",
                                                 "read index 0",
                                                 "read index 1",
                                                 "write data",
                                                 "write index",
                                                 "write predicate",
                                                 "memory data",
                                                 "memory predicate",
                                                 "stream data",
                                                 "stream predicate"};
    return std::string("operand input '") + names[track - Mrrg::FirstInput] + "'";
  }
  return "register " + std::to_string(track - Mrrg::FirstInput - NumInputs);
}

std::string Mrrg::describe(unsigned cell) const {
  unsigned track = cell / interval;
  std::string slot = " in slot " + std::to_string(cell % interval);
  if (track >= firstGlobal)
    return (track == firstGlobal ? "stream input" : "stream output") + slot;
  if (track >= firstLink) {
    unsigned id = track - firstLink, from = linkFrom[id];
    for (const OutLink &link : outLinks(from))
      if (link.id == id)
        return "link from PE " + std::to_string(from) + " to PE " + std::to_string(link.to) + slot;
  }
  return trackName(track % perPe) + " of PE " + std::to_string(track / perPe) + slot;
}

} // namespace acis::map
