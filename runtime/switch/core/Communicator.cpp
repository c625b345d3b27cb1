// Slots and what members give in them. The other parts: CommunicatorMembers.cpp (who has joined, is
// done with what, and is owed what), CommunicatorDelivery.cpp (what goes to the members).
#include "runtime/switch/core/Communicator.h"

#include "runtime/io/Bytes.h"

#include <algorithm>

namespace acis::sw {

using namespace wire;
using namespace collective;

Communicator::Communicator(Services &services, const Config &config, const Join &join,
                           const Combiner &combine, const TaskRunner &runProgram,
                           EngineClock &engine, Kept &kept, CommunicatorCounters &count)
    : services(services), config(config), combine(combine), runProgram(runProgram), engine(engine),
      kept(kept), count(count), groupFingerprint(join.fingerprint),
      children(join.levels.front().children), ring(config.slots) {
  upper.size = join.size;
  upper.fingerprint = join.fingerprint;
  upper.levels.assign(join.levels.begin() + 1, join.levels.end());
  upper.engines = join.engines;
  own = isTop() ? Subtree{0, join.size, join.size}
                : Subtree{upper.levels.front().first, upper.levels.front().size, join.size};
  for (Child &child : children)
    child.credit = config.slots;
  if (const std::optional<Row> row = Row::of(join); row && services.network()) {
    direct::Exchange::Config across;
    across.context = config.context;
    across.use = config.use;
    across.number = services.network()->number;
    across.slots = config.slots;
    across.messageBytes = config.messageBytes;
    across.packetBytes = config.packetBytes;
    across.members = join.size;
    across.fingerprint = join.fingerprint;
    across.row = *row;
    across.group = join.engines;
    across.fabric = &services.network()->fabric;
    exchange = std::make_unique<direct::Exchange>(*this, across, count.across);
  }
}

Communicator::~Communicator() {
  exchange.reset();
  services.charge(config.job, -int64_t(charged));
  if (cast)
    services.closeCast(cast->number);
}

void Communicator::linkOpened(uint32_t packetBytes) {
  if (!uplink && !exchange && !isTop())
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

/// Whether the job may have so many bytes more; what is kept for it goes before that.
bool Communicator::hasRoom(uint64_t bytes) {
  if (!services.charge(config.job, int64_t(bytes)) &&
      (!kept.forget(config.job) || !services.charge(config.job, int64_t(bytes))))
    return false;
  services.charge(config.job, -int64_t(bytes));
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
  if (!hasRoom(most)) {
    drop(count.noMemory, "the job's memory in the switch is used up");
    return false;
  }
  return true;
}

Communicator::Verdict Communicator::begin(const Header &header) {
  Slot &slot = slotAt(header.slot);
  if (!reserve(slot, header))
    return Verdict::Dropped;
  const uint64_t before = slot.capacity();
  slot.begin(header, own, uint32_t(children.size()));
  account(slot, before);
  ++count.slots;
  for (const Child &child : children)
    if (child.left && isNeeded(child, slot)) {
      failWithout(child, slot);
      return Verdict::Failed;
    }
  return Verdict::Accepted;
}

/// A task is of a host, and behind the only message of a collective.
bool Communicator::isGoodTask(const Child &child, const Header &header) const {
  return !hasTask(header) ||
         (child.isHost && header.fragment >= NextStep::Bytes &&
          header.fragment <= config.messageBytes && header.op != ReduceOp::User);
}

/// False: what no good host sends, nor a good engine.
bool Communicator::isWellFormed(const Header &header) const {
  const uint64_t unit = unitOf(header);
  return header.root < own.group && unit <= config.messageBytes &&
         largestMessage(header.shape, unit, own.group) <= config.messageBytes &&
         (upOf(header.shape) == Up::Source || header.kind == Kind::Barrier ||
          header.op == ReduceOp::None || isDefined(header.op, header.element));
}

/// Without a task.
uint64_t Communicator::messageBytes(const Child &child, const Header &header) const {
  return bytesUp(header.shape, unitOf(header), child.range, header.root);
}

/// Whether the message's slot is, or can be put, in the table.
Communicator::Verdict Communicator::accept(Child &child, const Header &header) {
  if (header.slot < lowest) {
    drop(count.duplicates, "duplicate");
    return Verdict::Dropped;
  }
  if (header.slot >= credit()) {
    drop(count.outOfWindow, "out of window");
    sendWait(child, header);
    return Verdict::Dropped;
  }
  if (!isGoodTask(child, header) || !isWellFormed(header)) {
    drop(count.malformed, "bad collective");
    return Verdict::Dropped;
  }
  Slot &slot = slotAt(header.slot);
  if (!slot.begun())
    return begin(header);
  if (std::string what = slot.mismatch(header); !what.empty()) {
    const SessionInfo *info = services.session(child.session);
    failWith("the ranks' calls do not match: " + what + " (" + (info ? info->name() : "") +
             " differs from those before it)");
    return Verdict::Failed;
  }
  return Verdict::Accepted;
}

void Communicator::contribute(const Packet &packet) {
  const Header &header = packet.header;
  Child *child = senderOf(packet.session, header);
  if (!child)
    return drop(count.notMember, "not of a member");
  acknowledge(*child, header.window);
  if (accept(*child, header) != Verdict::Accepted)
    return;
  // A packet for all has the length of one for the first.
  child->hears = (header.flags & flag::Hears) && child->packetBytes == castBytes();
  Slot &slot = slotAt(header.slot);
  const uint32_t index = indexOf(*child);
  if (slot.has(index)) {
    drop(count.duplicates, "duplicate");
    return answer(*child, header);
  }
  const uint64_t bytes = messageBytes(*child, header), before = slot.capacity();
  std::span<const uint8_t> message;
  const bool whole = slot.assemble(index, header, packet.payload, child->packetBytes,
                                   bytes + (hasTask(header) ? header.fragment : 0), message);
  account(slot, before);
  if (!whole)
    return;
  if (hasTask(header))
    keepTask(*child, header, message.subspan(bytes));
  const Digest *digest = header.parts == 1 && !hasTask(header) ? packet.digest : nullptr;
  const bool oneWay = isOneWay(*child, slot);
  if (!give(*child, header, message.first(bytes), digest) || !runTasks() || !oneWay)
    return;
  if (header.flags & flag::Patient)
    owe(*child);
  else if (downOf(header.shape) == Down::Same)
    due.push_back({header.slot, index}); // what goes to all may confirm it, too
  else
    sendResult(*child, slot);
}

/// Without room for it, or a part of what it reads, the task is not run, as the answer will say.
void Communicator::keepTask(Child &child, const Header &header, std::span<const uint8_t> task) {
  Slot &slot = slotAt(header.slot);
  Slot::Task own;
  own.program = header.handle;
  const auto parts = readParts(task.subspan(NextStep::Bytes), config.messageBytes);
  std::optional<std::vector<uint8_t>> given;
  if (parts)
    given = kept.expand(config.job, child.session, *parts);
  if (given && hasRoom(given->size() + NextStep::Bytes)) {
    own.given.assign(task.begin(), task.begin() + NextStep::Bytes);
    own.given.insert(own.given.end(), given->begin(), given->end());
  }
  const uint64_t before = slot.capacity();
  slot.setTask(indexOf(child), std::move(own));
  account(slot, before);
}

/// A child's whole message, of the child itself or made for it, in an accepted slot that does not
/// have it yet. False: the job has failed, and with it this communicator is gone.
bool Communicator::give(Child &child, const Header &header, std::span<const uint8_t> message,
                        const Digest *digest) {
  Slot &slot = slotAt(header.slot);
  count.mixedOperations += header.op != slot.header().op;
  ++count.contributions;
  child.next = std::max(child.next, header.slot + 1);
  const uint64_t before = slot.capacity();
  const Time end = engine.end();
  Status status =
      slot.contribute(indexOf(child), {child.range, header.op, message, digest}, combine);
  while (isComplete(child, child.here))
    ++child.here;
  account(slot, before);
  if (!status) {
    failWith(status.error().str());
    return false;
  }
  waitForFolds(slot, end);
  // The results that others wait for go out before the confirmation that nobody waits for.
  if (!isOneWay(child, slot) && slot.ready())
    deliverTo(child, slot);
  releaseIfAsked(slot);
  return progress(slot);
}

/// What the engine has done by now.
bool Communicator::endComputed() {
  while (nextComputed() <= services.now()) {
    const auto [number, task, until] = computing.front();
    computing.pop_front();
    Slot &slot = slotAt(number);
    if (!isHere(number))
      continue;
    if (!task && slot.busyUntil == until && !endFolds(slot))
      return false;
    if (task && !children[*task].left && !slot.task(*task).over && !endTask(children[*task], slot))
      return false;
  }
  return true;
}

/// The slot goes on from where it waits for the engine.
bool Communicator::endFolds(Slot &slot) {
  slot.busyUntil = 0;
  if (!slot.ready())
    return progress(slot);
  deliverAll(slot);
  return true;
}

bool Communicator::runTasks() {
  if (!endComputed() || !pumpEngines())
    return false;
  while (!runnable.empty()) {
    const Due item = runnable.front();
    runnable.pop_front();
    Child &child = children[item.child];
    Slot &slot = slotAt(item.slot);
    if (isHere(item.slot) && !child.left && !slot.task(item.child).over && !runTask(child, slot))
      return false;
  }
  return true;
}

/// The message with which a task ends. No value: it has none; false: it is one of no good host.
bool Communicator::readStep(const Child &child, const Slot &slot,
                            std::optional<Header> &step) const {
  const std::optional<NextStep> next = NextStep::read(slot.task(indexOf(child)).given);
  if (next && next->present)
    step = next->after(slot.header());
  return next && (!step || (isGoodTask(child, *step) && isWellFormed(*step)));
}

/// Puts what the op gives into the task, if it can be run and the step that follows be taken.
void Communicator::compute(const Child &child, Slot &slot, const std::optional<Header> &step) {
  Slot::Task &task = slot.task(indexOf(child));
  const std::optional<std::span<const uint8_t>> value = slot.valueFor(child.range);
  // What the host could not send yet the switch cannot give for it, either.
  if (!value || (step && step->slot >= credit()))
    return;
  TaskRun run = runProgram(config.job, task.program, *value,
                           std::span<const uint8_t>(task.given).subspan(NextStep::Bytes));
  engine.add(run.takes, services.now());
  task.output = std::move(run.output);
  task.cycles = run.cycles;
  const uint64_t most = uint64_t(child.packetBytes) * MaxParts;
  if (task.output && (task.output->size() > config.messageBytes ||
                      OutcomeBytes + value->size() + task.output->size() > most ||
                      task.output->size() < (step ? messageBytes(child, *step) : 0)))
    task.output.reset();
}

bool Communicator::runTask(Child &child, Slot &slot) {
  const uint64_t before = slot.capacity();
  const Time end = engine.end();
  std::optional<Header> step;
  if (readStep(child, slot, step))
    compute(child, slot, step);
  account(slot, before);
  if (engine.end() == end)
    return endTask(child, slot);
  computing.push_back({slot.number(), indexOf(child), engine.end()});
  return true;
}

/// Answers the host, and gives what it would give next.
bool Communicator::endTask(Child &child, Slot &slot) {
  Slot::Task &task = slot.task(indexOf(child));
  const uint64_t before = slot.capacity();
  std::optional<Header> step;
  if (!readStep(child, slot, step))
    task.output.reset();
  task.over = true;
  task.given = {};
  account(slot, before);
  // Who only receives, and gets it unasked, gives nothing.
  const bool gives = task.output && step && !isSilent(child, *step);
  if (gives && !slotAt(step->slot).begun() && !reserve(slotAt(step->slot), *step))
    task.output.reset();
  sendTaskAnswer(child, slot);
  if (!gives || !task.output)
    return true;
  switch (accept(child, *step)) {
  case Verdict::Failed:
    return false;
  case Verdict::Dropped: // not after what was checked above
    return true;
  case Verdict::Accepted:
    break;
  }
  if (slotAt(step->slot).has(indexOf(child)))
    return true;
  const std::vector<uint8_t> message(task.output->begin(),
                                     task.output->begin() + long(messageBytes(child, *step)));
  return give(child, *step, message, nullptr);
}

void Communicator::poll(const Packet &packet) {
  const Header &header = packet.header;
  Child *child = senderOf(packet.session, header);
  if (!child)
    return drop(count.notMember, "not of a member");
  acknowledge(*child, header.window);
  if (header.slot < lowest)
    return;
  io::Reader reader(packet.payload);
  const uint64_t have = reader.get<uint64_t>();
  answer(*child, header, reader.complete() ? have : 0);
}

void Communicator::done(SessionId session, const Header &header) {
  Child *child = senderOf(session, header);
  if (!child)
    return drop(count.notMember, "not of a member");
  acknowledge(*child, header.window);
}

/// Repeats what a child has missed.
void Communicator::answer(Child &child, const Header &header, uint64_t have) {
  Slot &slot = slotAt(header.slot);
  // Who gets a result unasked may have a task all the same, which must come.
  const bool here = header.slot < credit() && isComplete(child, header.slot) &&
                    (!hasTask(header) || slot.has(indexOf(child)));
  if (here && isUnderWay(child, slot))
    return;
  const bool computed = here && (!slot.hasTask(indexOf(child)) || slot.task(indexOf(child)).over);
  if (computed && (slot.ready() || isOneWay(child, slot)))
    return sendResult(child, slot, have);
  sendWait(child, header);
}

/// Whether the engine has been given folds of the slot since it was to end at `before`.
bool Communicator::waitForFolds(Slot &slot, Time before) {
  if (engine.end() == before)
    return false;
  slot.busyUntil = engine.end();
  computing.push_back({slot.number(), std::nullopt, slot.busyUntil});
  return true;
}

/// After a change of the slot: sends up what can go, and down what is ready. False: the job has
/// failed, and with it this communicator is gone.
bool Communicator::progress(Slot &slot) {
  const Shape shape = slot.header().shape;
  const uint32_t root = slot.header().root;
  const bool source = upOf(shape) == Up::Source;
  if (slot.busyUntil != 0)
    return true;
  if (isTop()) {
    if (slot.ready() || !(source ? slot.hasSource() : slot.allContributed()))
      return true;
    const Time end = engine.end();
    if (Status status = slot.finishTop(combine); !status) {
      failWith(status.error().str());
      return false;
    }
    if (!waitForFolds(slot, end))
      deliverAll(slot);
    return true;
  }
  if (source && own.contains(root) && slot.hasSource() && !slot.ready()) {
    slot.setReady();
    deliverAll(slot);
  }
  const bool complete = source ? (slot.hasSource() || !own.contains(root)) : slot.allContributed();
  if (slot.offered || !complete || (!uplink && !exchange))
    return true;
  slot.offered = true;
  if (exchange)
    return exchange->offer(slot.header(), services.now());
  uplink->offer(slot.header(), uint32_t(bytesDown(shape, slot.unit(), own, root)));
  uplink->pump(services.now());
  return true;
}

bool Communicator::fromAbove(const Header &header, std::span<const uint8_t> payload) {
  if (!uplink)
    return true;
  uplink->receive(header, payload, services.now());
  if (!runTasks())
    return false;
  advance();
  uplink->pump(services.now());
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
  if (exchange)
    exchange->fingerprint(out);
}

} // namespace acis::sw
