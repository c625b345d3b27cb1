#include "runtime/switch/Communicator.h"

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
         join.levels.front().children == children.size() &&
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

void Communicator::linkOpened(uint32_t packetBytes) {
  if (!uplink && !isTop())
    uplink =
        std::make_unique<Uplink>(*this, config.context, Uplink::Limits{config.slots, packetBytes});
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
  uint64_t low = uplink ? uplink->low() : Never;
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

bool Communicator::begin(const Header &header) {
  // Ask before taking: the largest that the slot can become here.
  const uint64_t unit = bytesOf(header.element) * uint64_t(header.count);
  const uint64_t most =
      largestMessage(header.shape, unit, own.group) +
      (upOf(header.shape) == Up::Fold ? blockUp(header.shape, unit, own.group) * children.size()
                                      : 0);
  Slot &slot = slotAt(header.slot);
  if (most > slot.capacity()) {
    if (!services.charge(config.job, int64_t(most))) {
      drop(count.noMemory, "the job's memory in the switch is used up");
      return false;
    }
    services.charge(config.job, -int64_t(most));
  }
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
  // What the protocol of a good host cannot contain.
  const uint64_t unit = bytesOf(header.element) * uint64_t(header.count);
  if (header.root >= own.group || unit > config.messageBytes ||
      largestMessage(header.shape, unit, own.group) > config.messageBytes ||
      (upOf(header.shape) != Up::Source && header.kind != Kind::Barrier &&
       header.op != ReduceOp::None && !isDefined(header.op, header.element))) {
    drop(count.malformed, "bad collective");
    return false;
  }
  bytes = bytesUp(header.shape, unit, child.range, header.root);
  Slot &slot = slotAt(header.slot);
  if (!slot.begun())
    return begin(header);
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

/// Repeats what a child has missed.
void Communicator::answer(Child &child, const Header &header) {
  Slot &slot = slotAt(header.slot);
  const bool here = header.slot < credit() && isComplete(child, header.slot);
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

bool Communicator::isOneWay(const Child &child, const Slot &slot) const {
  return collective::isOneWay(slot.header().shape, child.range, slot.header().root);
}

bool Communicator::comesUnasked(const Child &child, const Slot &slot) const {
  return child.isHost && collective::comesUnasked(slot.header().shape, slot.unit(), child.range,
                                                  own, slot.header().root);
}

void Communicator::deliverAll(Slot &slot) {
  for (Child &child : children)
    if (child.joined && !child.left &&
        (comesUnasked(child, slot) || (slot.has(indexOf(child)) && !isOneWay(child, slot))))
      deliverTo(child, slot);
}

void Communicator::deliverTo(Child &child, const Slot &slot) {
  if (downOf(slot.header().shape) == Down::Same)
    due.push_back({slot.number(), indexOf(child)});
  else
    sendResult(child, slot);
}

void Communicator::deliver() {
  while (!due.empty()) {
    const uint64_t number = due.front().slot;
    receivers.clear();
    for (const Due &item : due)
      if (item.slot == number && !children[item.child].left)
        receivers.push_back(&children[item.child]);
    if (const Slot &slot = slotAt(number); slot.begun() && slot.number() == number)
      deliverShared(slot);
    std::erase_if(due, [&](const Due &item) { return item.slot == number; });
  }
}

/// To `receivers`. Where a source is one of them, it waits only to hear that its message is here.
void Communicator::deliverShared(const Slot &slot) {
  if (isWorthSharing(slot)) {
    sendShared(slot);
    if (std::erase_if(receivers, [](const Child *child) { return child->hears; }),
        !receivers.empty() && trials > 0)
      --trials;
  }
  const auto source = std::find_if(receivers.begin(), receivers.end(),
                                   [&](Child *child) { return isOneWay(*child, slot); });
  Child *const giver = source == receivers.end() ? nullptr : *source;
  if (giver)
    receivers.erase(source);
  if (!receivers.empty())
    sendResult(receivers, slot, resultForAll(slot));
  if (giver)
    sendResult(*giver, slot);
}

/// Of one that goes to all, from a source or not.
std::span<const uint8_t> Communicator::resultForAll(const Slot &slot) const {
  const auto one = std::find_if(receivers.begin(), receivers.end(),
                                [&](Child *child) { return !isOneWay(*child, slot); });
  return slot.resultFor((*one)->range);
}

/// Whether a Shared packet saves some, or who gets one may say that it does. It goes to all, so
/// where one does not wait at all, as the root of a short Bcast, it only wakes that one.
bool Communicator::isWorthSharing(const Slot &slot) const {
  const auto here = std::count_if(children.begin(), children.end(),
                                  [](const Child &child) { return !child.left; });
  if (!cast || cast->number == 0 || receivers.size() < size_t(here))
    return false;
  const auto getting = std::count_if(receivers.begin(), receivers.end(),
                                     [&](Child *child) { return !isOneWay(*child, slot); });
  const auto hearing = std::count_if(receivers.begin(), receivers.end(), [&](Child *child) {
    return child->hears && !isOneWay(*child, slot);
  });
  return hearing > 1 || (getting > 1 && hearing < getting && trials > 0);
}

/// What it says of children holds for all of them, as all may hear it.
void Communicator::sendShared(const Slot &slot) {
  Header header = slot.header();
  header.type = PacketType::Shared;
  header.flags = 0;
  header.window = credit();
  uint64_t here = Never;
  for (const Child &child : children)
    if (!child.left)
      here = std::min(here, child.here);
  header.sequence = uint32_t(here);
  for (Child *child : receivers) {
    if (!child->hears)
      continue;
    child->credit = header.window;
    child->next = std::max(child->next, slot.number() + 1); // it may have said nothing
    if (child->here == here)
      child->owed = 0;
  }
  inParts(header, resultForAll(slot), [&](std::span<const uint8_t> part) {
    services.sendCast(cast->number, header, part, slot.digestOf(part));
  });
}

template <typename F>
void Communicator::inParts(Header &header, std::span<const uint8_t> result, F send) const {
  const size_t step = config.packetBytes;
  header.parts = uint16_t(result.empty() ? 1 : (result.size() + step - 1) / step);
  for (unsigned part = 0; part < header.parts; ++part) {
    header.part = uint16_t(part);
    send(result.subspan(part * step, std::min(step, result.size() - part * step)));
  }
}

void Communicator::sendResult(Child &child, const Slot &slot) {
  Child *const to = &child;
  sendResult({&to, 1}, slot,
             isOneWay(child, slot) ? std::span<const uint8_t>() : slot.resultFor(child.range));
}

void Communicator::sendResult(std::span<Child *const> to, const Slot &slot,
                              std::span<const uint8_t> result) {
  Header header = slot.header();
  header.type = PacketType::Result;
  header.flags = 0;
  header.window = credit();
  recipients.clear();
  for (Child *child : to) {
    child->credit = header.window;
    child->next = std::max(child->next, slot.number() + 1);
    recipients.push_back({child->session, confirmation(*child)});
  }
  inParts(header, result, [&](std::span<const uint8_t> part) {
    services.sendEach(recipients, header, part, slot.digestOf(part));
  });
}

void Communicator::sendWait(Child &child, const Header &about) {
  Header header = about;
  header.type = PacketType::Wait;
  header.flags = 0;
  header.part = 0;
  header.parts = 1;
  header.window = child.credit = credit();
  header.sequence = confirmation(child);
  Waiting waiting;
  const Slot &slot = slotAt(about.slot);
  const bool here = about.slot < credit() && slot.begun() && slot.number() == about.slot;
  waiting.contributed = here && slot.has(indexOf(child));
  if (here)
    for (const Child &other : children)
      if (!slot.has(indexOf(other)) && waiting.missing.size() < Waiting::MaxRanges) {
        const bool source = upOf(slot.header().shape) == Up::Source;
        if (source && !other.range.contains(slot.header().root))
          continue; // nobody waits for those who only receive
        // A child that has not joined yet is known by where its neighbours end.
        if (other.joined)
          waiting.missing.push_back({other.range.first, other.range.size});
        else if (own.size == children.size())
          waiting.missing.push_back({own.first + indexOf(other), 1});
      }
  // All is here: it is those above that wait, for others.
  if (waiting.missing.empty() && waiting.contributed && uplink && slot.offered) {
    const std::vector<Range> &above = uplink->waiting().missing;
    waiting.missing.assign(above.begin(), above.end());
  }
  services.send(child.session, header, waiting.write());
}

void Communicator::fromAbove(const Header &header, std::span<const uint8_t> payload) {
  if (!uplink)
    return;
  uplink->receive(header, payload, services.now());
  advance();
  uplink->pump(services.now());
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

Time Communicator::tick() {
  if (services.now() >= confirmAt) {
    confirmAt = Never;
    for (Child &child : children)
      if (child.owed > 0 && services.now() >= child.owedSince + confirmAfter)
        sendCredit(child);
      else if (child.owed > 0)
        confirmAt = std::min(confirmAt, child.owedSince + confirmAfter);
  }
  return std::min(confirmAt, uplink ? uplink->pump(services.now()) : Never);
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
