#include "runtime/host/client/HostSession.h"

#include <algorithm>

namespace acis::client {

using namespace wire;

HostSession::HostSession(const Config &config, Output output, Listen listen, Room room, Path path)
    : config(config), output(std::move(output)), listen(std::move(listen)),
      whereToWrite(std::move(room)), path(std::move(path)), link(*this, config.link),
      blocks([this](const Header &header, std::span<const uint8_t> bytes) {
        link.send(header, bytes, time);
      }) {}

void HostSession::receive(std::span<const uint8_t> datagram, Time now) {
  time = now;
  link.receive(datagram, now);
}

void HostSession::receive(std::span<const uint8_t> head, std::span<const uint8_t> payload,
                          Time now) {
  time = now;
  link.receive(head, payload, now);
}

void HostSession::expect(std::vector<Place> &places, size_t most) const {
  for (const auto &[context, communicator] : communicators)
    if (communicator->expect(places, most); !places.empty())
      return;
}

Time HostSession::tick(Time now) {
  time = now;
  Time next = link.tick(now);
  if (link.state() == collective::ParentLink::State::Failed)
    return Never;
  for (auto &[context, communicator] : communicators)
    next = std::min(next, communicator->pump(now));
  for (auto &[context, control] : controls)
    next = std::min(next, control->pump(now));
  next = std::min(next, blocks.pump(now));
  for (auto at = retired.begin(); at != retired.end();) {
    const uint32_t context = *at++;
    retire(context, now);
  }
  return next;
}

void HostSession::retire(uint32_t context, Time now) {
  if (!idle(context)) {
    retired.insert(context);
    return;
  }
  retired.erase(context);
  leave(context, now);
}

Status HostSession::join(uint32_t context, std::span<const uint32_t> worldRanks, Time now) {
  if (communicators.contains(context) || leaving.contains(context))
    return Error{"", "context " + std::to_string(context) + " is in use"};
  const auto me = std::find(worldRanks.begin(), worldRanks.end(), config.link.who.id);
  if (me == worldRanks.end())
    return Error{"", "context " + std::to_string(context) + ": rank " +
                         std::to_string(config.link.who.id) + " is not a member"};
  const uint32_t rank = uint32_t(me - worldRanks.begin());
  Result<collective::Tree> tree = collective::makeTree(worldRanks, rank, config.placement);
  if (!tree)
    return tree.error();
  time = now;
  joined.erase(context);
  refusedJoins.erase(context);
  std::vector<uint8_t> payload = tree->join.write();
  communicators[context] = std::make_unique<HostCommunicator>(
      context, std::vector<uint32_t>(worldRanks.begin(), worldRanks.end()), rank, std::move(*tree),
      link.welcome(), [this](const Header &header, std::span<const uint8_t> bytes, bool stays) {
        link.send(header, bytes, time, stays);
      });
  communicators[context]->ask(config.way);
  link.request(PacketType::Join, context, std::move(payload), now);
  return Status::ok();
}

std::optional<std::string> HostSession::joinAnswer(uint32_t context) const {
  const auto at = joined.find(context);
  return at == joined.end() ? std::nullopt : std::optional(at->second);
}

void HostSession::leave(uint32_t context, Time now) {
  if (auto refused = refusedJoins.extract(context)) {
    leaving[context] = true;
    return link.request(PacketType::Leave, context, std::move(refused.mapped()), now);
  }
  const auto at = communicators.find(context);
  if (at == communicators.end())
    return;
  add(*at->second, freed);
  communicators.erase(at);
  hearNoMore(context);
  leaving[context] = true;
  link.request(PacketType::Leave, context, {}, now);
}

void HostSession::upload(std::span<const uint8_t> elf, const std::string &name, uint64_t hash,
                         Time now) {
  time = now;
  blob = {{elf.begin(), elf.end()}, name, hash};
  blobAnswer.reset();
  sendPiece(0, 0); // the switch may have it
}

void HostSession::sendPiece(uint32_t offset, size_t most) {
  const size_t size = std::min<size_t>(most, blob.elf.size() - offset);
  Blob piece{blob.hash,
             offset,
             uint32_t(blob.elf.size()),
             blob.name,
             {blob.elf.begin() + offset, blob.elf.begin() + offset + long(size)}};
  link.request(PacketType::Blob, uint32_t(blob.hash), piece.write(), time);
}

void HostSession::answer(const Header &header, std::span<const uint8_t> payload) {
  if (header.type == PacketType::BlobAck) {
    std::optional<BlobAck> ack = BlobAck::read(payload);
    if (!ack || ack->hash != blob.hash)
      return;
    if (ack->ready || !ack->refusal.empty())
      blobAnswer = ack;
    else if (ack->offset <= blob.elf.size())
      sendPiece(ack->offset, Blob::PieceBytes);
    return;
  }
  std::optional<Answer> answer = Answer::read(payload);
  if (header.type == PacketType::Left) {
    leaving.erase(header.context);
    return;
  }
  joined[header.context] = answer ? answer->refusal : "the switch's answer is damaged";
  if (joined[header.context].empty())
    return hear(header.context, answer->cast);
  // This switch has no entry, but those of other members may have one.
  if (const auto at = communicators.find(header.context); at != communicators.end())
    refusedJoins[header.context] = at->second->tree().join.write();
  communicators.erase(header.context);
}

/// What goes to all members of a communicator, if it can be received here.
void HostSession::hear(uint32_t context, const Cast &cast) {
  hearNoMore(context);
  if (cast.number == 0 || !communicators.contains(context) || !listen ||
      !listen(cast.address, true))
    return;
  groupOf[context] = cast.address;
  link.openCast(cast.number, context);
}

void HostSession::hearNoMore(uint32_t context) {
  link.closeCast(context);
  if (auto group = groupOf.extract(context))
    listen(group.mapped(), false);
}

Status HostSession::openControl(uint32_t context, std::span<const uint32_t> worldRanks,
                                const Policy &policy, Time now) {
  const std::string name = "control group " + std::to_string(context);
  if (controls.contains(context))
    return Error{"", name + " is in use"};
  if (std::string wrong = policy.wrong(); !wrong.empty())
    return Error{"", wrong};
  if (worldRanks.size() > Report::MostMembers)
    return Error{"", name + " has " + std::to_string(worldRanks.size()) + " members; at most " +
                         std::to_string(Report::MostMembers) + " are allowed"};
  if (policy.quorum > worldRanks.size())
    return Error{"", "a quorum of " + std::to_string(policy.quorum) + "; the group has " +
                         std::to_string(worldRanks.size()) + " members"};
  const uint32_t own = config.link.who.id;
  const auto me = std::find(worldRanks.begin(), worldRanks.end(), own);
  if (me == worldRanks.end())
    return Error{"", name + ": rank " + std::to_string(own) + " is not a member"};
  const uint32_t rank = uint32_t(me - worldRanks.begin());
  Result<collective::Tree> tree = collective::makeTree(worldRanks, rank, config.placement);
  if (!tree)
    return tree.error();
  time = now;
  controls[context] = std::make_unique<HostControl>(
      context, std::move(*tree), rank, own,
      std::vector<uint32_t>(worldRanks.begin(), worldRanks.end()), policy, controlVersion,
      [this](const Header &header, std::span<const uint8_t> bytes) {
        link.send(header, bytes, time);
      },
      now);
  controls[context]->pump(now);
  return {};
}

HostControl *HostSession::control(uint32_t context) {
  const auto at = controls.find(context);
  return at == controls.end() ? nullptr : at->second.get();
}

Result<HostControl *> HostSession::usableControl(uint32_t context) {
  if (!failure().empty())
    return Error{"", failure()};
  HostControl *group = control(context);
  if (!group)
    return Error{"", "control group " + std::to_string(context) + " was not opened"};
  if (!group->order().failure.empty())
    return Error{"", group->order().failure};
  return group;
}

Result<bool> HostSession::beginIteration(uint32_t context, uint64_t iteration, Time now) {
  const Result<HostControl *> group = usableControl(context);
  if (!group)
    return group.error();
  if (iteration != (*group)->done())
    return Error{"", "iteration " + std::to_string(iteration) +
                         " is to begin; this member has done " + std::to_string((*group)->done())};
  if ((*group)->mayBegin(iteration))
    (*group)->begin();
  else
    (*group)->wait(now);
  return (*group)->mayBegin(iteration);
}

Status HostSession::endIteration(uint32_t context, uint64_t iteration, Time now) {
  const Result<HostControl *> group = usableControl(context);
  if (!group)
    return group.error();
  if (iteration != (*group)->done() || !(*group)->isUnderWay())
    return Error{"", "iteration " + std::to_string(iteration) +
                         " is done, but has not begun; this member has done " +
                         std::to_string((*group)->done())};
  (*group)->done(iteration + 1, now);
  tick(now);
  return {};
}

Result<ControlState> HostSession::controlState(uint32_t context) {
  const Result<HostControl *> group = usableControl(context);
  if (!group)
    return group.error();
  const wire::Order &order = (*group)->order();
  return ControlState{(*group)->done(),
                      order.allowed,
                      order.floor,
                      order.signalled,
                      Nanoseconds(int64_t(order.deadline)),
                      order.staleness,
                      (*group)->slowest(),
                      order.slowestDone};
}

void HostSession::collective(const Header &header, std::span<const uint8_t> payload) {
  if (header.type == PacketType::Outcome)
    return blocks.receive(header, payload, time);
  if (isOfControl(header.type)) {
    if (HostControl *group = control(header.context))
      group->receive(header, payload, time);
    return;
  }
  if (const auto at = communicators.find(header.context); at != communicators.end())
    at->second->receive(header, payload, time);
}

Result<Plan> HostSession::plan(const Collective &call) const {
  const auto at = communicators.find(call.context);
  if (at == communicators.end())
    return Error{"", "context " + std::to_string(call.context) + " was not added"};
  return Plan::make(call, at->second->tree(), at->second->rank(), at->second->messageBytes(),
                    at->second->cutBytes());
}

/// Of the collective that follows a call's task; no value: there is none.
Result<std::optional<Plan>> HostSession::planAfter(const Collective &call) const {
  if (!call.task->next)
    return std::optional<Plan>();
  Collective following = *call.task->next;
  following.context = call.context;
  Result<Plan> made = plan(following);
  if (!made)
    return made.error();
  return std::optional(std::move(*made));
}

bool HostSession::weigh(const Collective &call) {
  if (!call.task)
    return true;
  const Result<std::optional<Plan>> next = planAfter(call);
  if (!next)
    return true; // start() says what is wrong
  const int64_t bytes = TaskCall::bytesFor(*call.task, *next ? &**next : nullptr);
  return kept.weigh(call.task->program, call.task->given, bytes);
}

Result<std::optional<TaskCall>> HostSession::taskOf(const Collective &call, const Plan &first) {
  if (!call.task)
    return std::optional<TaskCall>();
  const HostCommunicator &communicator = *communicators.at(call.context);
  Result<std::optional<Plan>> next = planAfter(call);
  if (!next)
    return next.error();
  Result<TaskCall> task =
      TaskCall::make(*call.task, first, std::move(*next), communicator.tree(),
                     communicator.messageBytes(), communicator.packetBytes(), kept);
  if (!task)
    return task.error();
  return std::optional(std::move(*task));
}

Result<Request> HostSession::start(const Collective &call, Time now) {
  Result<Plan> made = plan(call);
  if (!made)
    return made.error();
  if (made->fragments() == 0 && !call.task)
    return Request(0);
  Result<std::optional<TaskCall>> task = taskOf(call, *made);
  if (!task)
    return task.error();
  time = now;
  const bool eager = !*task && made->isOneWay() && made->fragments() == 1 &&
                     made->bytesGiven() <= config.eagerBytes;
  HostCommunicator &communicator = *communicators.at(call.context);
  const Request id = ++lastRequest;
  if (*task)
    communicator.start(id, std::move(*made), std::move(**task));
  else
    communicator.start(id, std::move(*made), eager);
  communicator.pump(now);
  if (eager)
    return Request(0);
  contextOf[id] = call.context;
  return id;
}

bool HostSession::isDone(Request request) {
  const auto at = contextOf.find(request);
  if (at == contextOf.end())
    return true;
  const auto communicator = communicators.find(at->second);
  if (communicator != communicators.end() && !communicator->second->isDone(request))
    return false;
  contextOf.erase(at);
  return true;
}

uint64_t HostSession::bytesToFold(Request request) const {
  const auto at = contextOf.find(request);
  if (at == contextOf.end())
    return 0;
  const auto communicator = communicators.find(at->second);
  return communicator == communicators.end() ? 0 : communicator->second->bytesToFold(request);
}

std::string HostSession::missing(Request request) const {
  const auto at = contextOf.find(request);
  if (at == contextOf.end() || !communicators.contains(at->second))
    return "collective";
  return communicators.at(at->second)->missing(request);
}

bool HostSession::idle(uint32_t context) const {
  const auto at = communicators.find(context);
  return at == communicators.end() || at->second->idle();
}

bool HostSession::idle() const {
  return !link.hasRequests() && retired.empty() && blocks.idle() &&
         std::all_of(controls.begin(), controls.end(),
                     [](const auto &item) { return item.second->isHeard(); }) &&
         std::all_of(communicators.begin(), communicators.end(),
                     [](const auto &item) { return item.second->idle(); });
}

void HostSession::add(const HostCommunicator &communicator, SessionCounters &out) {
  out.retransmissions += communicator.counters().resent;
  out.polls += communicator.counters().polls;
  out.collectives += communicator.completed();
  out.opCycles += communicator.opCycles();
}

void HostSession::count(SessionCounters &out) const {
  SessionCounters sum = freed;
  for (const auto &[context, communicator] : communicators)
    add(*communicator, sum);
  out.retransmissions = sum.retransmissions + blocks.resent();
  out.polls = sum.polls;
  out.dropped = refusedDatagrams();
  out.collectives = sum.collectives;
  out.opCycles = sum.opCycles;
}

void HostSession::fingerprint(std::vector<uint64_t> &out) const {
  link.fingerprint(out);
  kept.fingerprint(out);
  blocks.fingerprint(out);
  for (const auto &[context, communicator] : communicators) {
    out.push_back(context);
    communicator->fingerprint(out);
  }
  for (const auto &[context, control] : controls)
    control->fingerprint(out);
  for (const auto &[context, refusal] : joined)
    out.insert(out.end(), {context, refusal.size()});
  for (const auto &[context, is] : leaving)
    out.push_back(context);
}

} // namespace acis::client
