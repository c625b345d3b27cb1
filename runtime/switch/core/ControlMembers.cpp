// What goes between one member of a control group and the switch that decides: tasks that are
// moved, and shares of sums. A switch between them hands it on and keeps nothing.
#include "runtime/switch/core/Control.h"

#include <algorithm>

namespace acis::sw {

using namespace wire;

namespace {

bool isIn(const Level &place, uint32_t position) {
  return position >= place.first && position - place.first < place.size;
}

} // namespace

/// From a child or from above. Both sides know the other's use of the context, so that nothing of
/// an earlier one is taken.
void Control::ofMember(const Packet &packet) {
  const auto at = table.find({packet.job, packet.header.context});
  if (at == table.end())
    return drop(count.old, "no such group");
  Group &group = at->second;
  if (packet.session == 0) {
    if (!group.pace && packet.header.window == group.first)
      sendMember(at->first, group, packet.header.type, packet.header.root, packet.header.slot,
                 packet.payload);
    return;
  }
  const auto child = std::find_if(group.children.begin(), group.children.end(),
                                  [&](const Child &c) { return c.session == packet.session; });
  if (child == group.children.end() || child->gone || packet.header.window != child->use)
    return drop(count.old, "of another use");
  if (!isIn(child->place, packet.header.root))
    return drop(count.malformed, "malformed");
  if (group.pace)
    return taskOrShare(packet, group);
  Header header;
  header.type = packet.header.type;
  header.context = packet.header.context;
  header.root = packet.header.root;
  header.slot = packet.header.slot;
  header.window = group.first;
  services.sendAbove(packet.job, header, packet.payload);
}

/// This switch decides.
void Control::taskOrShare(const Packet &packet, Group &group) {
  const Key key(packet.job, packet.header.context);
  const uint32_t position = packet.header.root;
  auto keeps = [&](size_t bytes) { return keep(packet.job, group, bytes); };
  if (packet.header.type == PacketType::Move) {
    const uint32_t here =
        group.moves->give(position, packet.header.slot, packet.payload, services.now(), keeps);
    sendMember(key, group, PacketType::Moved, position, here, {});
  } else if (packet.payload.size() % sizeof(double) != 0) {
    return drop(count.malformed, "malformed");
  } else {
    std::string wrong;
    const control::Sums::Answer answer = group.sums->share(
        position, packet.header.slot, packet.payload, services.now(), keeps, wrong);
    if (!wrong.empty())
      trouble(group, "rank " + std::to_string(group.records[position].rank) + " " + wrong);
    if (answer.isOne)
      sendMember(key, group, PacketType::Sum, position, packet.header.slot, answer.sum);
  }
  changed(group);
}

/// Towards the member.
void Control::sendMember(Key key, Group &group, PacketType type, uint32_t position, uint64_t number,
                         std::span<const uint8_t> payload) {
  for (const Child &child : group.children)
    if (child.session != 0 && !child.gone && isIn(child.place, position)) {
      Header header;
      header.type = type;
      header.context = key.second;
      header.root = position;
      header.slot = number;
      header.window = child.use;
      services.send(child.session, header, payload);
    }
}

/// Returns when there is something to do again.
Time Control::serveMembers(Key key, Group &group) {
  const Time now = services.now();
  const Time move = group.moves->pump(
      now, [&](uint32_t position, uint64_t number, std::span<const uint8_t> task) {
        sendMember(key, group, PacketType::Move, position, number, task);
      });
  const Time sum =
      group.sums->pump(now, [&](uint32_t position, uint64_t number, std::span<const uint8_t> made) {
        sendMember(key, group, PacketType::Sum, position, number, made);
      });
  release(key.first, group);
  return std::min(move, sum);
}

bool Control::keep(JobId job, Group &group, size_t bytes) {
  if (!services.charge(job, int64_t(bytes)))
    return false;
  group.charged += int64_t(bytes);
  return true;
}

void Control::release(JobId job, Group &group) {
  const int64_t bytes = group.moves->freed() + group.sums->freed();
  services.charge(job, -bytes);
  group.charged -= bytes;
}

} // namespace acis::sw
