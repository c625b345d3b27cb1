#include "runtime/switch/core/Collectives.h"

#include "runtime/switch/collective/Combine.h"

#include <algorithm>
#include <utility>

namespace acis::sw {

using namespace wire;

Collectives::Collectives(Services &services, const Limits &limits, const EngineChoice &engine,
                         TaskRunner other)
    : services(services), limits(limits), operators(engine), tasks(engine),
      kept(services, limits.keptBytes),
      clock(engine.clock ? engine.clock : std::make_shared<EngineClock>()),
      runTask(std::move(other)) {
  if (!runTask)
    runTask = [this](JobId job, uint32_t handle, auto result, auto given) {
      return tasks.run(job, handle, result, given);
    };
}

bool Collectives::takes(PacketType type) const {
  switch (type) {
  case PacketType::Join:
  case PacketType::Leave:
  case PacketType::Contribute:
  case PacketType::Poll:
  case PacketType::Credit:
  case PacketType::Blob:
  case PacketType::Meet:
  case PacketType::Message:
  case PacketType::Heard:
    return true;
  default:
    return false;
  }
}

void Collectives::packet(const Packet &packet) {
  const Key key(packet.job, packet.header.context);
  switch (packet.header.type) {
  case PacketType::Join:
    return join(packet);
  case PacketType::Leave:
    leaveRefused(packet);
    leave(packet.session, key);
    return answer(packet.session, PacketType::Left, packet.header.context, "",
                  packet.header.number);
  case PacketType::Blob:
    return blob(packet);
  case PacketType::Meet:
  case PacketType::Message:
  case PacketType::Heard:
    if (const SessionInfo *info = services.session(packet.session);
        info && info->isSwitch && services.network())
      return fromEngine(uint16_t(info->id), packet);
    ++count.malformed;
    return services.note({0, "not of an engine"});
  default:
    break;
  }
  const auto at = table.find(key);
  if (at == table.end()) { // not joined, or freed: late, or of no good host
    ++count.notMember;
    return services.note({0, "no such communicator"});
  }
  // The key goes first: what the packet does may end the job, and the communicator with it.
  if (packet.header.type == PacketType::Poll)
    return at->second.communicator->poll(packet);
  if (packet.header.type == PacketType::Credit)
    return at->second.communicator->done(packet.session, packet.header);
  delivering.push_back(key);
  at->second.communicator->contribute(packet);
}

void Collectives::batchEnded() {
  for (const Key &key : delivering)
    if (const auto at = table.find(key); at != table.end())
      at->second.communicator->deliver();
  delivering.clear();
}

void Collectives::answer(SessionId session, PacketType type, uint32_t context,
                         const std::string &refusal, uint64_t asked) {
  Header header;
  header.type = type;
  header.context = context;
  header.slot = asked;
  Answer answer{refusal, {}};
  const SessionInfo *child = services.session(session);
  if (const auto at = child ? table.find({child->job, context}) : table.end();
      type == PacketType::Joined && refusal.empty() && at != table.end() && !child->isSwitch)
    answer.cast = at->second.communicator->hostCast();
  services.send(session, header, answer.write());
}

/// A job's share of the table shrinks as it fills, so that there is room for others: it may hold
/// up to eight times of what is free.
std::string Collectives::tableRefusal(JobId job) const {
  constexpr uint64_t share = 8;
  if (table.size() >= limits.contexts)
    return "full: the switch holds " + std::to_string(table.size()) + " communicators, its limit";
  const uint64_t held =
      uint64_t(std::distance(table.lower_bound({job, 0}), table.upper_bound({job, ~uint32_t(0)})));
  const uint64_t free = limits.contexts - table.size();
  if (held < share * free)
    return "";
  return "full: the job holds " + std::to_string(held) + " communicators, its share while " +
         std::to_string(free) + " of the " + std::to_string(limits.contexts) + " entries are free";
}

void Collectives::join(const Packet &packet) {
  const uint32_t context = packet.header.context;
  const uint64_t asked = packet.header.number;
  const Key key(packet.job, context);
  std::optional<Join> join = Join::read(packet.payload);
  if (!join)
    return;
  auto at = table.find(key);
  if (at != table.end() && at->second.communicator->anyLeft() &&
      !at->second.communicator->expects(packet.session, *join))
    return services.note({0, "communicator is being left"}); // the member asks again
  if (at == table.end()) {
    Communicator::Config config{packet.job,         context, limits.slots, limits.messageBytes,
                                limits.packetBytes, 0};
    std::string refusal = tableRefusal(packet.job);
    if (refusal.empty() && join->levels.size() > 1)
      refusal = misplaced(*join);
    if (!refusal.empty()) {
      ++refusedFull;
      return answer(packet.session, PacketType::Joined, context, refusal, asked);
    }
    if (join->levels.size() > 1 && services.network())
      config.use = ++uses;
    Entry entry;
    entry.communicator = std::make_unique<Communicator>(
        services, config, *join,
        [this](const Header &h, auto a, auto b, auto out) { return combine(h, a, b, out); },
        runTask, *clock, kept, count);
    at = table.emplace(key, std::move(entry)).first;
    ++joins;
  }
  Entry &entry = at->second;
  if (std::string refusal = entry.communicator->join(packet.session, *join, asked);
      !refusal.empty())
    return answer(packet.session, PacketType::Joined, context, refusal, asked);
  if (entry.communicator->isTop() || entry.above == Entry::Above::Joined)
    return answer(packet.session, PacketType::Joined, context, "", asked);
  if (entry.communicator->engines()) {
    entry.above = Entry::Above::Asked;
    return reachEngines(key, entry);
  }
  if (entry.above == Entry::Above::None) {
    entry.above = Entry::Above::Asked;
    services.requestAbove(packet.job, PacketType::Join, context,
                          entry.communicator->above().write());
    if (uint32_t bytes = services.packetBytesAbove(packet.job))
      entry.communicator->linkOpened(bytes);
  }
}

void Collectives::linkOpened(JobId job) {
  for (auto &[key, entry] : table)
    if (key.first == job)
      entry.communicator->linkOpened(services.packetBytesAbove(job));
}

void Collectives::joinedAbove(Key key, const std::string &refusal) {
  const auto at = table.find(key);
  if (at == table.end() || at->second.above != Entry::Above::Asked)
    return;
  at->second.above = Entry::Above::Joined;
  for (const Communicator::Member &member : at->second.communicator->members())
    answer(member.session, PacketType::Joined, key.second, refusal, member.asked);
  if (!refusal.empty())
    table.erase(at);
}

/// One that was refused says what it asked for: where the others found room, here or above, they
/// have an entry that waits for it.
void Collectives::leaveRefused(const Packet &packet) {
  if (packet.payload.empty())
    return;
  std::optional<Join> join = Join::read(packet.payload);
  if (!join)
    return;
  const uint32_t context = packet.header.context;
  if (const auto at = table.find({packet.job, context}); at != table.end()) {
    if (at->second.communicator->expects(packet.session, *join))
      (void)at->second.communicator->join(packet.session, *join, packet.header.number);
  } else if (join->levels.size() > 1 && services.hasParent() && join->engines.partners.empty()) {
    join->levels.erase(join->levels.begin());
    services.requestAbove(packet.job, PacketType::Leave, context, join->write());
  }
}

void Collectives::leave(SessionId session, Key key) {
  const auto at = table.find(key);
  if (at == table.end())
    return;
  Entry &entry = at->second;
  if (!entry.communicator->leave(session))
    return;
  if (entry.above != Entry::Above::None || entry.communicator->engines())
    leaveAbove(key, entry);
  else if (entry.communicator->allLeft())
    table.erase(at);
}

/// When nobody is left here and nothing is on its way up: what comes after Leave is dropped.
void Collectives::leaveAbove(Key key, Entry &entry) {
  if (entry.communicator->engines())
    return; // tick() frees it: endAmongEngines()
  if (entry.above == Entry::Above::Leaving || !entry.communicator->allLeft() ||
      !entry.communicator->isDrained())
    return;
  entry.above = Entry::Above::Leaving;
  services.requestAbove(key.first, PacketType::Leave, key.second, {});
}

void Collectives::fromAbove(const Packet &packet) {
  if (isOfControl(packet.header.type))
    return;
  const Key key(packet.job, packet.header.context);
  if (packet.header.type == PacketType::BlobAck)
    return blobAbove(packet);
  if (packet.header.type == PacketType::Joined) {
    if (std::optional<Answer> answer = Answer::read(packet.payload))
      joinedAbove(key, answer->refusal);
    return;
  }
  const auto at = table.find(key);
  if (at == table.end())
    return;
  if (packet.header.type == PacketType::Left) {
    table.erase(at);
    return;
  }
  delivering.push_back(key);
  if (at->second.communicator->fromAbove(packet.header, packet.payload))
    leaveAbove(key, at->second);
}

void Collectives::sessionEnded(SessionId session, JobId job) {
  std::vector<Key> keys;
  for (const auto &[key, entry] : table)
    if (key.first == job && entry.communicator->isMember(session))
      keys.push_back(key);
  for (Key key : keys)
    leave(session, key);
  if (const SessionInfo *info = services.session(session);
      info && info->isSwitch && services.network()) {
    keys.clear();
    for (const auto &[key, entry] : table)
      if (key.first == job)
        keys.push_back(key);
    for (const Key &key : keys)
      if (const auto at = table.find(key); at != table.end())
        at->second.communicator->engineEnded(uint16_t(info->id));
  }
  kept.sessionEnded(session, job);
}

/// Its communicators cannot go on.
Plugin::Death Collectives::death(SessionId session, JobId job) const {
  for (auto at = table.lower_bound({job, 0}); at != table.end() && at->first.first == job; ++at)
    if (at->second.communicator->isMember(session))
      return Death::Fatal;
  return Death::Nothing;
}

bool Collectives::isDrained(JobId job) const {
  for (auto at = table.lower_bound({job, 0}); at != table.end() && at->first.first == job; ++at)
    if (!at->second.communicator->isDrained())
      return false;
  return true;
}

void Collectives::jobEnded(JobId job) {
  std::erase_if(table, [&](const auto &item) { return item.first.first == job; });
  std::erase_if(uploads, [&](const auto &item) { return item.first.first == job; });
  tasks.jobEnded(job);
  kept.jobEnded(job);
}

Time Collectives::tick() {
  Time next = Never;
  endAmongEngines();
  for (auto &[key, entry] : table) {
    if (entry.communicator->engines() && entry.above == Entry::Above::Asked) {
      reachEngines(key, entry);
      if (entry.above == Entry::Above::Asked)
        next = std::min(next, services.now() + 5 * Millisecond);
    }
    next = std::min(next, entry.communicator->tick());
    if (entry.communicator->hasRunnable())
      running.push_back(key);
    else
      next = std::min(next, entry.communicator->nextEnd());
  }
  // What a task does may end the job.
  for (const Key &key : running)
    if (const auto at = table.find(key); at != table.end() && at->second.communicator->runTasks()) {
      at->second.communicator->deliver();
      next = std::min(next, at->second.communicator->nextEnd());
    }
  running.clear();
  endAmongEngines();
  return next;
}

Status Collectives::combine(const Header &header, std::span<const uint8_t> a,
                            std::span<const uint8_t> b, std::span<uint8_t> out) {
  if (header.op == ReduceOp::User) {
    const Result<Time> takes = operators.combine(header.handle, a, b, out);
    if (takes)
      clock->add(*takes, services.now());
    return takes ? Status() : Status(takes.error());
  }
  collective::combine(header.op, header.element, a, b, out);
  return Status::ok();
}

void Collectives::blob(const Packet &packet) {
  std::optional<Blob> blob = Blob::read(packet.payload);
  if (!blob)
    return;
  const std::pair<JobId, uint64_t> key(packet.job, blob->hash);
  auto at = uploads.find(key);
  if (at == uploads.end()) {
    Upload upload;
    upload.name = blob->name;
    upload.total = blob->total;
    if (blob->total > limits.operatorBytes)
      upload.refusal = "an operator of " + std::to_string(blob->total) + " bytes; at most " +
                       std::to_string(limits.operatorBytes) + " are allowed";
    else if (!services.charge(packet.job, blob->total) &&
             (!kept.forget(packet.job) || !services.charge(packet.job, blob->total)))
      upload.refusal = "the job's memory in the switch is used up";
    at = uploads.emplace(key, std::move(upload)).first;
  }
  Upload &upload = at->second;
  if (isForAnother(packet, upload))
    return;
  take(packet.job, *blob, upload);
  acknowledgeBlob(packet.session, packet.header.number, blob->hash, upload);
  if (upload.isReady() || !upload.refusal.empty())
    for (const auto &[session, asked] : std::exchange(upload.waiting, {}))
      if (services.session(session))
        acknowledgeBlob(session, asked, blob->hash, upload);
}

/// Whether another host is giving the pieces: then this one need not.
bool Collectives::isForAnother(const Packet &packet, Upload &upload) {
  constexpr Time patience = 50 * Millisecond;
  const bool isOpen = upload.refusal.empty() && !upload.loaded;
  if (isOpen && upload.giver != packet.session && services.session(upload.giver) &&
      services.now() < upload.heard + patience) {
    upload.waiting[packet.session] = packet.header.number;
    return true;
  }
  upload.giver = packet.session;
  upload.heard = services.now();
  return false;
}

void Collectives::take(JobId job, const Blob &blob, Upload &upload) {
  if (!upload.refusal.empty() || upload.loaded || blob.total != upload.total)
    return;
  if (blob.offset == upload.bytes.size())
    upload.bytes.insert(upload.bytes.end(), blob.bytes.begin(), blob.bytes.end());
  if (upload.bytes.size() != upload.total)
    return;
  // A task is run where its host is, an operator up to the top.
  const bool isTask = collective::TaskProgram::isOne(upload.bytes);
  Status status = isTask ? tasks.load(job, blob.hash, upload.bytes, upload.name)
                         : operators.load(blob.hash, upload.bytes, upload.name);
  upload.refusal = status ? "" : status.error().str();
  upload.loaded = bool(status);
  upload.above = isTask || !services.hasParent();
  if (upload.loaded && !upload.above)
    sendBlobAbove(job, blob.hash, upload, 0);
}

void Collectives::acknowledgeBlob(SessionId session, uint64_t asked, uint64_t hash,
                                  const Upload &upload) {
  // All bytes are here, but not above: the child asks again.
  if (upload.refusal.empty() && upload.bytes.size() == upload.total && !upload.isReady())
    return;
  Header header;
  header.type = PacketType::BlobAck;
  header.context = uint32_t(hash);
  header.slot = asked;
  services.send(
      session, header,
      BlobAck{hash, uint32_t(upload.bytes.size()), upload.isReady(), upload.refusal}.write());
}

void Collectives::sendBlobAbove(JobId job, uint64_t hash, const Upload &upload, uint32_t offset) {
  const size_t size = std::min<size_t>(Blob::PieceBytes, upload.total - offset);
  Blob blob{hash,
            offset,
            upload.total,
            upload.name,
            {upload.bytes.begin() + offset, upload.bytes.begin() + offset + long(size)}};
  services.requestAbove(job, PacketType::Blob, uint32_t(hash), blob.write());
}

void Collectives::blobAbove(const Packet &packet) {
  std::optional<BlobAck> ack = BlobAck::read(packet.payload);
  if (!ack)
    return;
  const auto at = uploads.find({packet.job, ack->hash});
  if (at == uploads.end())
    return;
  at->second.refusal = ack->refusal;
  at->second.above = ack->ready;
  if (ack->refusal.empty() && !ack->ready && ack->offset <= at->second.total)
    sendBlobAbove(packet.job, ack->hash, at->second, ack->offset);
}

void Collectives::statistics(Statistics &out) const {
  uint64_t entryBytes = 0, slotBytes = 0;
  for (const auto &[key, entry] : table) {
    entryBytes += entry.communicator->entryBytes();
    slotBytes += entry.communicator->slotBytes();
  }
  const Statistics own = {{"communicators", table.size()},
                          {"communicators_joined", joins},
                          {"communicators_refused", refusedFull},
                          {"communicator_table_bytes", entryBytes},
                          {"slot_bytes", slotBytes},
                          {"slots", count.slots},
                          {"contributions", count.contributions},
                          {"contributions_mixed_operations", count.mixedOperations},
                          {"dropped_duplicate", count.duplicates},
                          {"dropped_out_of_window", count.outOfWindow},
                          {"dropped_bad_collective", count.malformed},
                          {"dropped_no_memory", count.noMemory},
                          {"dropped_not_member", count.notMember},
                          {"engine_messages", count.across.messages},
                          {"engine_messages_repeated", count.across.repeated},
                          {"engine_messages_early", count.across.early},
                          {"dropped_engine_duplicate", count.across.duplicates},
                          {"dropped_engine_other", count.across.dropped},
                          {"task_programs", tasks.counters().programs},
                          {"tasks_run", tasks.counters().runs},
                          {"tasks_not_run", tasks.counters().notRun},
                          {"task_parts_kept", kept.counters().kept},
                          {"task_parts_used", kept.counters().used},
                          {"task_parts_missing", kept.counters().missing},
                          {"task_parts_forgotten", kept.counters().forgotten}};
  out.insert(out.end(), own.begin(), own.end());
}

void Collectives::fingerprint(std::vector<uint64_t> &out) const {
  for (const auto &[key, entry] : table) {
    out.insert(out.end(), {key.first, key.second, uint64_t(entry.above)});
    entry.communicator->fingerprint(out);
  }
  kept.fingerprint(out);
}

} // namespace acis::sw
