// The communicator table of an engine: rows of communicators whose members are on several engines.
#include "runtime/switch/core/Collectives.h"

#include <algorithm>

namespace acis::sw {

using namespace wire;

/// Why a communicator with members elsewhere cannot be here; "": it can.
std::string Collectives::misplaced(const Join &join) const {
  const direct::Network *network = services.network();
  const std::vector<uint16_t> &partners = join.engines.partners;
  if (!network && !partners.empty())
    return "the communicator is of engines of a direct network, and this switch is none; its "
           "topology file names no network";
  if (!network)
    return services.hasParent()
               ? ""
               : "the communicator has members on other switches, but no switch is above this one";
  if (partners.empty())
    return "the communicator is of switches below others, and this switch is an engine of a direct "
           "network; the ranks have another topology file";
  if (join.engines.runs.empty())
    return "full: the engines have members in more than " + std::to_string(Group::MaxRuns) +
           " runs of different lengths";
  const bool fits = collective::Row::of(join).has_value() &&
                    std::all_of(partners.begin(), partners.end(), [&](uint16_t partner) {
                      return partner < network->engines.size() && partner != network->number;
                    });
  return fits ? ""
              : "the communicator's engines are not those of this network, a " +
                    network->fabric.str() + "; the ranks have another topology file";
}

/// Members hear that they have joined when all engines that this one exchanges with are there.
void Collectives::reachEngines(Key key, Entry &entry) {
  bool isThere = true;
  for (const uint16_t engine : entry.communicator->engines()->partners())
    isThere &= services.reach(key.first, engine);
  if (!isThere)
    return;
  entry.above = Entry::Above::Joined;
  for (const Communicator::Member &member : entry.communicator->members())
    answer(member.session, PacketType::Joined, key.second, "", member.asked);
}

void Collectives::engineOpened(JobId job, uint16_t engine) {
  for (auto &[key, entry] : table)
    if (key.first == job && entry.communicator->engines())
      entry.communicator->engines()->opened(engine);
}

void Collectives::fromEngine(uint16_t engine, const Packet &packet) {
  const Key key(packet.job, packet.header.context);
  const auto at = table.find(key);
  direct::Exchange *engines = at == table.end() ? nullptr : at->second.communicator->engines();
  if (packet.header.type != PacketType::Meet) {
    // Messages and what is said of them name the use that they are for: one that has ended had all
    // that it wanted.
    const auto use = packet.payload.size() < 4 ? 0 : io::load<uint32_t>(packet.payload.data());
    if (!engines || engines->use() != use)
      return use > 0 && use <= uses ? sayOver(packet, engine) : void();
  } else if (!engines) {
    return; // asked again, or asks when its members have come
  }
  delivering.push_back(key);
  at->second.communicator->fromEngine(engine, packet.header, packet.payload);
}

void Collectives::sayOver(const Packet &packet, uint16_t engine) {
  Hearing over;
  if (packet.header.type == PacketType::Message) {
    const std::optional<Stamp> stamp = Stamp::read(packet.payload);
    if (!stamp)
      return;
    over.to = stamp->from;
    over.from = stamp->to;
  } else {
    const std::optional<Hearing> hearing = Hearing::read(packet.payload);
    if (!hearing || hearing->isOver)
      return;
    over.to = hearing->from;
    over.from = hearing->to;
  }
  over.isOver = true;
  Header header;
  header.type = PacketType::Heard;
  header.context = packet.header.context;
  services.sendAcross(packet.job, engine, header, over.write());
}

/// Those that all members have left, when nothing of them is under way.
void Collectives::endAmongEngines() {
  if (!services.network())
    return;
  std::erase_if(table, [&](auto &item) {
    Communicator &communicator = *item.second.communicator;
    if (!communicator.engines() || !communicator.allLeft() || !communicator.isDrained())
      return false;
    communicator.engines()->end();
    return true;
  });
}

} // namespace acis::sw
