// Slots and what members give in them. The other parts: CommunicatorMembers.cpp (who has joined, is
// done with what, and is owed what), CommunicatorDelivery.cpp (what goes to the members).
#include "runtime/switch/core/Communicator.h"

#include <algorithm>

namespace acis::sw {

using namespace wire;
using namespace collective;

Communicator::Communicator(Services &services, const Config &config, const Join &join,
                           const Combiner &combine, CommunicatorCounters &count)
    : services(services), config(config), combine(combine), count(count),
      groupFingerprint(join.fingerprint), children(join.levels.front().children),
      ring(config.slots) {
  upper.size = join.size;
  upper.fingerprint = join.fingerprint;
  upper.levels.assign(join.levels.begin() + 1, join.levels.end());
  own = isTop() ? Subtree{0, join.size, join.size}
                : Subtree{upper.levels.front().first, upper.levels.front().size, join.size};
  for (Child &child : children)
    child.credit = config.slots;
}

Communicator::~Communicator() {
  services.charge(config.job, -int64_t(charged));
  if (cast)
    services.closeCast(cast->number);
}

void Communicator::linkOpened(uint32_t packetBytes) {
  if (!uplink && !isTop())
    uplink =
        std::make_unique<Uplink>(*this, config.context, Uplink::Limits{config.slots, packetBytes});
}

void Communicator::failWith(const std::string &what) {
  services.fail(config.job, "context " + std::to_string(config.context) + ": " + what);
}

bool Communicator::account(Slot &slot, uint64_t before) {
  const uint64_t after = slot.capacity();
  if (after <= before)
    return true;
  if (!services.charge(config.job, int64_t(after - before)))
    return false;
  charged += after - before;
  return true;
}

/// Ask before taking: the largest that the slot can become here.
bool Communicator::reserve(Slot &slot, const Header &header) {
  const uint64_t unit = unitOf(header);
  const uint64_t most =
      largestMessage(header.shape, unit, own.group) +
      (upOf(header.shape) == Up::Fold ? blockUp(header.shape, unit, own.group) * children.size()
                                      : 0);
  if (most <= slot.capacity())
    return true;
  if (!services.charge(config.job, int64_t(most))) {
    drop(count.noMemory, "the job's memory in the switch is used up");
    return false;
  }
  services.charge(config.job, -int64_t(most));
  return true;
}

bool Communicator::begin(const Header &header) {
  Slot &slot = slotAt(header.slot);
  if (!reserve(slot, header))
    return false;
  const uint64_t before = slot.capacity();
  slot.begin(header, own, uint32_t(children.size()));
  account(slot, before);
  ++count.slots;
  for (const Child &child : children)
    if (child.left && isNeeded(child, slot)) {
      failWithout(child, slot);
      return false;
    }
  return true;
}

/// Of a fused slot, once members are found to differ in what follows the first collective: that
/// alone is done here, by who has yet to come and by those whose messages are dropped, who hear so.
bool Communicator::makePlain(Slot &slot) {
  std::vector<Child *> dropped;
  for (Child &child : children)
    if (slot.has(indexOf(child)))
      dropped.push_back(&child);
  if (!begin(plainOf(slot.header())))
    return false;
  ++count.mixedFused;
  for (Child *child : dropped)
    if (!child->left)
      sendWait(*child, slot.header());
  return true;
}

/// What to do with a message that is fused where the slot is not, or the other way round. False:
/// it is not to be taken.
bool Communicator::mix(Child &child, Slot &slot, const Header &header) {
  if (isFused(slot.header()) && !makePlain(slot))
    return false;
  if (isFused(header))
    sendWait(child, slot.header());
  return !isFused(header);
}

/// False: what no good host sends.
bool Communicator::isWellFormed(const Header &header) const {
  const uint64_t unit = unitOf(header);
  return header.root < own.group && unit <= config.messageBytes &&
         largestMessage(header.shape, unit, own.group) <= config.messageBytes &&
         (upOf(header.shape) == Up::Source || header.kind == Kind::Barrier ||
          header.op == ReduceOp::None || isDefined(header.op, header.element));
}

/// Whether the packet's slot is, or can be put, in the table; `bytes` of its message.
bool Communicator::accept(Child &child, const Header &header, uint64_t &bytes) {
  acknowledge(child, header.window);
  if (header.slot < lowest) {
    drop(count.duplicates, "duplicate");
    return false;
  }
  if (header.slot >= credit()) {
    drop(count.outOfWindow, "out of window");
    sendWait(child, header);
    return false;
  }
  if (!isWellFormed(header) || !isWellFormed(plainOf(header))) {
    drop(count.malformed, "bad collective");
    return false;
  }
  bytes = bytesUp(header.shape, unitOf(header), child.range, header.root);
  Slot &slot = slotAt(header.slot);
  if (!slot.begun())
    return begin(header);
  // Once all have given a fused message and it is on its way, nobody gives another.
  const bool isOver = isFused(slot.header()) && (slot.ready() || slot.offered);
  if (!isOver && isMixed(slot.header(), header))
    return mix(child, slot, header);
  if (std::string what = slot.mismatch(header); !what.empty()) {
    const SessionInfo *info = services.session(child.session);
    failWith("the ranks' calls do not match: " + what + " (" + (info ? info->name() : "") +
             " differs from those before it)");
    return false;
  }
  return true;
}

void Communicator::contribute(const Packet &packet) {
  const Header &header = packet.header;
  Child *child = senderOf(packet.session, header);
  uint64_t bytes = 0;
  if (!child)
    return drop(count.notMember, "not of a member");
  if (!accept(*child, header, bytes))
    return;
  child->hears = header.flags & flag::Hears;
  Slot &slot = slotAt(header.slot);
  const uint32_t index = indexOf(*child);
  if (slot.has(index)) {
    drop(count.duplicates, "duplicate");
    return answer(*child, header);
  }
  count.mixedOperations += header.op != slot.header().op;
  const uint64_t before = slot.capacity();
  std::span<const uint8_t> message;
  const bool whole =
      slot.assemble(index, header, packet.payload, config.packetBytes, bytes, message);
  if (!whole) {
    account(slot, before);
    return;
  }
  ++count.contributions;
  child->next = std::max(child->next, header.slot + 1);
  const Digest *digest = header.parts == 1 ? packet.digest : nullptr;
  Status status = slot.contribute(index, {child->range, header.op, message, digest}, combine);
  while (isComplete(*child, child->here))
    ++child->here;
  account(slot, before);
  if (!status)
    return failWith(status.error().str());
  // The results that others wait for go out before the confirmation that nobody waits for.
  const bool oneWay = isOneWay(*child, slot);
  if (!oneWay && slot.ready())
    deliverTo(*child, slot);
  releaseIfAsked(slot);
  if (!progress(slot) || !oneWay)
    return;
  if (header.flags & flag::Patient)
    owe(*child);
  else if (downOf(header.shape) == Down::Same)
    due.push_back({header.slot, index}); // what goes to all may confirm it, too
  else
    sendResult(*child, slot);
}

void Communicator::poll(SessionId session, const Header &header) {
  Child *child = senderOf(session, header);
  if (!child)
    return drop(count.notMember, "not of a member");
  acknowledge(*child, header.window);
  if (header.slot < lowest)
    return;
  answer(*child, header);
}

void Communicator::done(SessionId session, const Header &header) {
  Child *child = senderOf(session, header);
  if (!child)
    return drop(count.notMember, "not of a member");
  acknowledge(*child, header.window);
}

/// Whether this is of a fused message whose slot is plain.
bool Communicator::isMadePlain(const Header &header) {
  return isFused(header) && isHere(header.slot) && !isFused(slotAt(header.slot).header()) &&
         isMixed(slotAt(header.slot).header(), header);
}

/// Repeats what a child has missed.
void Communicator::answer(Child &child, const Header &header) {
  Slot &slot = slotAt(header.slot);
  if (isMadePlain(header))
    return sendWait(child, slot.header());
  const bool here = header.slot < credit() && isComplete(child, header.slot);
  if (here && isUnderWay(child, slot))
    return;
  if (here && (slot.ready() || isOneWay(child, slot)))
    return sendResult(child, slot);
  sendWait(child, header);
}

/// After a change of the slot: sends up what can go, and down what is ready. False: the job has
/// failed, and with it this communicator is gone.
bool Communicator::progress(Slot &slot) {
  const Shape shape = slot.header().shape;
  const uint32_t root = slot.header().root;
  const bool source = upOf(shape) == Up::Source;
  if (isTop()) {
    if (slot.ready() || !(source ? slot.hasSource() : slot.allContributed()))
      return true;
    if (Status status = slot.finishTop(combine); !status) {
      failWith(status.error().str());
      return false;
    }
    deliverAll(slot);
    return true;
  }
  if (source && own.contains(root) && slot.hasSource() && !slot.ready()) {
    slot.setReady();
    deliverAll(slot);
  }
  const bool complete = source ? (slot.hasSource() || !own.contains(root)) : slot.allContributed();
  if (slot.offered || !complete || !uplink)
    return true;
  slot.offered = true;
  uplink->offer(slot.header(), uint32_t(bytesDown(shape, slot.unit(), own, root)));
  uplink->pump(services.now());
  return true;
}

bool Communicator::fromAbove(const Header &header, std::span<const uint8_t> payload) {
  if (!uplink)
    return true;
  plainAbove.reset();
  uplink->receive(header, payload, services.now());
  if (plainAbove && !makePlain(slotAt(*plainAbove)))
    return false;
  advance();
  uplink->pump(services.now());
  return true;
}

/// There is room for what the slot becomes, so makePlain() fails only if the job does.
bool Communicator::withdraws(uint64_t number) {
  if (!reserve(slotAt(number), plainOf(slotAt(number).header())))
    return false;
  plainAbove = number;
  return true;
}

std::span<const uint8_t> Communicator::contribution(uint64_t number) {
  const Slot &slot = slotAt(number);
  // Those who only receive from a source elsewhere have nothing to give.
  if (upOf(slot.header().shape) == Up::Source && !own.contains(slot.header().root))
    return {};
  return slot.message();
}

void Communicator::answered(uint64_t number, std::span<const uint8_t> result) {
  Slot &slot = slotAt(number);
  if (!collective::isOneWay(slot.header().shape, own, slot.header().root)) {
    const uint64_t before = slot.capacity();
    slot.setResult(result);
    account(slot, before);
    deliverAll(slot);
  }
}

void Communicator::sendUp(const Header &header, std::span<const uint8_t> payload) {
  services.sendAbove(config.job, header, payload);
}

uint64_t Communicator::entryBytes() const {
  return sizeof *this + children.capacity() * (sizeof(Child) + sizeof(SessionId) * 4) +
         upper.levels.capacity() * sizeof(Level);
}

void Communicator::fingerprint(std::vector<uint64_t> &out) const {
  out.insert(out.end(), {lowest, trials});
  for (const Child &child : children)
    out.insert(out.end(),
               {child.done, child.next, child.here, child.owed, child.credit,
                uint64_t(child.joined) | uint64_t(child.left) << 1 | uint64_t(child.hears) << 2});
  for (const Slot &slot : ring)
    slot.fingerprint(out);
  if (uplink)
    uplink->fingerprint(out);
}

} // namespace acis::sw
