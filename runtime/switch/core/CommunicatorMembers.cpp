// The members of a communicator: who has joined and left, is done with which slots, and is owed
// which confirmations.
#include "runtime/switch/core/Communicator.h"

#include <algorithm>

namespace acis::sw {

using namespace wire;
using namespace collective;

namespace {
/// A child that does not wait for a confirmation gets it with the next packet, or after so long,
/// before it asks; or if it could soon send no more.
constexpr Time confirmAfter = Millisecond;
constexpr unsigned mostOwed = 4;
} // namespace

const Cast &Communicator::hostCast() {
  if (!cast)
    cast = children.size() > 1 ? services.openCast(config.job) : Cast();
  return *cast;
}

Communicator::Child *Communicator::childOf(SessionId session) {
  const auto at = childOfSession.find(session);
  return at == childOfSession.end() ? nullptr : &children[at->second];
}

/// The member that a collective's packet comes from; nullptr if it is not meant for this use.
Communicator::Child *Communicator::senderOf(SessionId session, const Header &header) {
  Child *child = childOf(session);
  return child && !child->left && header.number > child->asked ? child : nullptr;
}

std::vector<Communicator::Member> Communicator::members() const {
  std::vector<Member> out;
  for (const Child &child : children)
    if (child.joined && !child.left)
      out.push_back({child.session, child.asked});
  return out;
}

bool Communicator::isThisGroup(const Join &join) const {
  return join.size == upper.size && join.fingerprint == groupFingerprint &&
         join.levels.front().children == children.size() && join.engines == upper.engines &&
         std::equal(join.levels.begin() + 1, join.levels.end(), upper.levels.begin(),
                    upper.levels.end());
}

bool Communicator::expects(SessionId session, const Join &join) const {
  if (!isThisGroup(join))
    return false;
  const Child &child = children[join.levels.front().index];
  return !child.joined || (child.session == session && !child.left);
}

std::string Communicator::join(SessionId session, const Join &join, uint64_t asked) {
  const Level &level = join.levels.front();
  if (!isThisGroup(join))
    return "context " + std::to_string(config.context) +
           " is in use by another group; context ids must be free on all members";
  Child &child = children[level.index];
  if (child.joined && child.session != session)
    return "context " + std::to_string(config.context) + ": two members say they are child " +
           std::to_string(level.index);
  child.session = session;
  child.asked = asked;
  child.joined = true;
  const SessionInfo *info = services.session(session);
  child.isHost = info && !info->isSwitch;
  child.id = info ? info->id : 0;
  child.packetBytes = info && info->packetBytes > 0 ? info->packetBytes : config.packetBytes;
  childOfSession[session] = level.index;
  child.range = {level.first, level.size, join.size};
  return "";
}

bool Communicator::leave(SessionId session) {
  Child *child = childOf(session);
  if (!child || child->left)
    return true;
  child->left = true;
  ++left;
  for (const Slot &slot : ring)
    if (slot.begun() && isNeeded(*child, slot)) {
      failWithout(*child, slot);
      return false;
    }
  advance();
  return true;
}

/// Whether others cannot have a result because of this child, which has given nothing.
bool Communicator::isNeeded(const Child &child, const Slot &slot) const {
  const Header &header = slot.header();
  return !slot.ready() && !slot.has(indexOf(child)) &&
         (upOf(header.shape) != Up::Source || child.range.contains(header.root));
}

/// Who leaves has had all that it asked for: it does not know of this slot, and never will.
void Communicator::failWithout(const Child &child, const Slot &slot) {
  SessionInfo who;
  who.isSwitch = !child.isHost;
  who.id = child.id;
  failWith("the ranks' calls do not match: " + who.name() + " has left, others call " +
           std::string(nameOf(slot.header().kind)));
}

void Communicator::acknowledge(Child &child, uint64_t done) {
  if (done <= child.done || done > child.next)
    return;
  const bool last = child.done == lowest;
  child.done = done;
  child.here = std::max(child.here, done);
  if (last)
    advance();
}

/// Releases the slots that every child and the switch above are done with.
void Communicator::advance() {
  uint64_t low = uplink ? uplink->low() : exchange ? exchange->low() : Never;
  for (const Child &child : children)
    if (!child.left)
      low = std::min(low, child.done);
  if (low == Never || low <= lowest)
    return;
  for (uint64_t n = lowest; n < std::min(low, lowest + config.slots); ++n)
    if (slotAt(n).begun() && slotAt(n).number() == n)
      slotAt(n).release();
  lowest = low;
  for (Child &child : children)
    if (child.joined && !child.left && child.next >= child.credit)
      sendCredit(child); // it may be waiting for this
}

void Communicator::sendCredit(Child &child) {
  Header header;
  header.type = PacketType::Credit;
  header.context = config.context;
  header.window = child.credit = credit();
  header.sequence = confirmation(child);
  services.send(child.session, header, {});
}

void Communicator::owe(Child &child) {
  if (child.owed++ == 0)
    child.owedSince = services.now();
  if (child.owed >= std::min(mostOwed, config.slots))
    return sendCredit(child);
  confirmAt = std::min(confirmAt, services.now() + confirmAfter);
}

Time Communicator::tick() {
  if (services.now() >= confirmAt) {
    confirmAt = Never;
    for (Child &child : children)
      if (child.owed > 0 && services.now() >= child.owedSince + confirmAfter)
        sendCredit(child);
      else if (child.owed > 0)
        confirmAt = std::min(confirmAt, child.owedSince + confirmAfter);
  }
  return std::min({confirmAt, releaseOverdue(), uplink ? uplink->pump(services.now()) : Never});
}

} // namespace acis::sw
