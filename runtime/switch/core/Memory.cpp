#include "runtime/switch/core/Memory.h"

#include "runtime/io/Bytes.h"

#include <algorithm>

namespace acis::sw {

using namespace wire;
using Failure = Outcome::Failure;
using Op = Access::Op;

namespace {

constexpr uint32_t MostBinary = 1 << 24;

std::string blockName(uint64_t handle) { return "block " + std::to_string(handle); }

/// Bytes from the first to the last of so many rows; no value: more than a number holds.
std::optional<uint64_t> reachOf(const Access &access) {
  const uint64_t most = uint64_t(1) << 62;
  if (access.rows == 0)
    return 0;
  if (access.stride > most / access.rows || access.place.bytes > most)
    return std::nullopt;
  return (access.rows - 1) * access.stride + access.place.bytes;
}

} // namespace

void Memory::packet(const Packet &packet) {
  const Header &header = packet.header;
  if (ended.contains(packet.session))
    return services.note({0, "the session has ended"});
  auto [at, isNew] = clients.try_emplace(packet.session);
  Client &client = at->second;
  client.job = packet.job;
  confirm(client, header.window);
  const uint64_t slot = header.slot;
  if (slot < header.window || slot - header.window >= Window) {
    ++count.outside;
    return services.note({0, "not in the window"});
  }
  if (slot < client.next || client.early.contains(slot)) { // it comes again
    ++count.repeated;
    const auto given = client.given.find(slot);
    if (given != client.given.end() && given->second.ready)
      return send(packet.session, slot, given->second.bytes);
    Outcome still;
    still.running = true;
    return send(packet.session, slot, still.write());
  }
  if (slot == client.next && begin(packet.session, client, slot, header.flags, packet.payload)) {
    ++client.next;
    return advance(packet.session, client);
  }
  if (!charge(client, int64_t(packet.payload.size())))
    return services.note({0, "the job has no memory left"}); // it comes again
  client.early[slot] = {header.flags, {packet.payload.begin(), packet.payload.end()}};
}

/// The host has all answers below.
void Memory::confirm(Client &client, uint64_t below) {
  below = std::min(below, client.next);
  while (!client.given.empty() && client.given.begin()->first < below) {
    charge(client, -client.given.begin()->second.charged);
    client.given.erase(client.given.begin());
  }
}

bool Memory::charge(Client &client, int64_t bytes) {
  if (!services.charge(client.job, bytes))
    return false;
  client.charged += bytes;
  return true;
}

void Memory::advance(SessionId session, Client &client) {
  for (auto at = client.early.begin();
       at != client.early.end() && at->first == client.next &&
       begin(session, client, at->first, at->second.first, at->second.second);
       at = client.early.begin()) {
    charge(client, -int64_t(at->second.second.size()));
    client.early.erase(at);
    ++client.next;
  }
}

/// Whether the request's blocks are in use by a launch in a way that does not go with it.
bool Memory::mustWait(const Access &access) const {
  const auto isUsed = [&](uint64_t handle, bool forWriting) {
    const auto use = inUse.find(handle);
    return use != inUse.end() &&
           (use->second.writers > 0 || (forWriting && use->second.readers > 0));
  };
  switch (access.op) {
  case Op::Get:
  case Op::Fold:
    return isUsed(access.place.handle, false);
  case Op::Put:
  case Op::Free:
    return isUsed(access.place.handle, true);
  case Op::Launch:
    return isUsed(access.place.handle, false) || isUsed(access.memory.handle, true) ||
           isUsed(access.output.handle, true);
  case Op::Alloc:
  case Op::Load:
  case Op::List:
    break;
  }
  return false;
}

/// False: it has to wait.
bool Memory::begin(SessionId session, Client &client, uint64_t slot, uint8_t flags,
                   std::span<const uint8_t> request) {
  const bool polled = flags & flag::Patient;
  const std::optional<Access> access = Access::read(request);
  if (!access) {
    settle(session, client, slot, polled,
           Outcome::failed(Failure::Malformed, "the request cannot be read"));
    return true;
  }
  if (mustWait(*access)) {
    ++count.waited;
    return false;
  }
  std::optional<Outcome> outcome = access->op == Op::Launch ? launch(session, client, slot, *access)
                                   : access->op == Op::Fold ? fold(session, client, slot, *access)
                                                            : perform(client, *access);
  if (outcome)
    settle(session, client, slot, polled, *outcome);
  else
    client.given[slot] = {false, polled, {}};
  return true;
}

std::optional<Outcome> Memory::perform(Client &client, const Access &access) {
  switch (access.op) {
  case Op::Alloc:
    return allocate(client.job, access);
  case Op::Free:
    return release(client.job, access);
  case Op::Put:
  case Op::Get:
    return transfer(client.job, access);
  case Op::Load:
    return load(client, access);
  case Op::List:
    return list(client.job, access);
  case Op::Launch:
  case Op::Fold:
    break;
  }
  return std::nullopt;
}

Outcome Memory::allocate(JobId job, const Access &access) {
  const std::optional<memory::Block> block = blocks.allocate(job, access.place.bytes);
  if (!block)
    return Outcome::failed(Failure::Full, "no block of " + std::to_string(access.place.bytes) +
                                              " bytes: " + std::to_string(blocks.used()) + " of " +
                                              std::to_string(blocks.capacity()) +
                                              " are in use, by " + std::to_string(blocks.count()) +
                                              " blocks");
  Outcome out;
  out.value = block->handle;
  return out;
}

Memory::Found Memory::find(JobId job, const Place &place, uint64_t reach) const {
  const memory::Block *block = blocks.find(job, place.handle);
  if (!block || doomed.contains(place.handle))
    return {Outcome::failed(Failure::NoHandle, blockName(place.handle) +
                                                   " is not one of this job's: it was freed, or "
                                                   "given by another node or to another job"),
            {}};
  if (place.offset > block->bytes || reach > block->bytes - place.offset)
    return {Outcome::failed(Failure::Bounds, blockName(place.handle) + " has " +
                                                 std::to_string(block->bytes) + " bytes; " +
                                                 std::to_string(reach) + " from " +
                                                 std::to_string(place.offset) + " are asked for"),
            {}};
  return {std::nullopt, blocks.bytesOf(*block).subspan(place.offset, reach)};
}

Outcome Memory::release(JobId job, const Access &access) {
  Found found = find(job, {access.place.handle, 0, 0}, 0);
  if (found.wrong)
    return *found.wrong;
  blocks.free(access.place.handle);
  return {};
}

Outcome Memory::transfer(JobId job, const Access &access) {
  const std::optional<uint64_t> reach = reachOf(access);
  if (!reach)
    return Outcome::failed(Failure::Malformed, "the rows reach beyond any block");
  Found found = find(job, access.place, *reach);
  if (found.wrong)
    return *found.wrong;
  const uint64_t row = access.place.bytes;
  if (row > limits.packetBytes || row * access.rows > room())
    return Outcome::failed(Failure::Malformed, "more than the " + std::to_string(room()) +
                                                   " bytes that an answer holds");
  const bool isPut = access.op == Op::Put;
  if (isPut && access.data.size() != row * access.rows)
    return Outcome::failed(Failure::Malformed, std::to_string(access.rows) + " rows of " +
                                                   std::to_string(row) + " bytes, but " +
                                                   std::to_string(access.data.size()) +
                                                   " bytes of data");
  Outcome out;
  if (!isPut)
    out.data.resize(row * access.rows);
  for (uint32_t i = 0; i < access.rows; ++i) {
    const auto there = found.bytes.subspan(i * access.stride, row);
    if (isPut)
      std::copy_n(access.data.begin() + long(i * row), row, there.begin());
    else
      std::copy_n(there.begin(), row, out.data.begin() + long(i * row));
  }
  ++(isPut ? count.puts : count.gets);
  (isPut ? count.bytesPut : count.bytesGot) += row * access.rows;
  return out;
}

Outcome Memory::load(Client &client, const Access &access) {
  Outcome out;
  if (functions.find(client.job, access.function)) {
    out.value = access.total;
    return out;
  }
  if (access.total > MostBinary)
    return Outcome::failed(Failure::BadFunction, "a binary of " + std::to_string(access.total) +
                                                     " bytes; at most " +
                                                     std::to_string(MostBinary) + " are allowed");
  if (access.offset == 0 || client.loading != access.function) {
    charge(client, -int64_t(client.binary.size()));
    client.binary.clear();
    client.loading = access.function;
  }
  if (access.offset == client.binary.size() &&
      access.data.size() <= access.total - std::min(access.offset, access.total)) {
    if (!charge(client, int64_t(access.data.size())))
      return Outcome::failed(Failure::Full, "the job has no memory left for a binary");
    client.binary.insert(client.binary.end(), access.data.begin(), access.data.end());
  }
  out.value = client.binary.size();
  if (client.binary.size() < access.total || access.total == 0)
    return out;
  const Status loaded = functions.load(client.job, access.function, client.binary, access.name);
  charge(client, -int64_t(client.binary.size()));
  client.binary.clear();
  client.loading = 0;
  if (!loaded)
    return Outcome::failed(Failure::BadFunction, loaded.error().str());
  ++count.loaded;
  return out;
}

Outcome Memory::list(JobId job, const Access &access) {
  io::Writer writer;
  Outcome out;
  for (const memory::Block &block : blocks.list(job))
    if (block.handle > access.place.handle && !doomed.contains(block.handle) &&
        out.value < room() / 16) {
      writer.put(block.handle).put(block.bytes);
      ++out.value;
    }
  out.data = writer.take();
  return out;
}

/// No value: it is under way.
std::optional<Outcome> Memory::launch(SessionId session, Client &client, uint64_t slot,
                                      const Access &access) {
  memory::Launch what;
  for (uint64_t stage : access.stages) {
    what.stages.push_back(functions.find(client.job, stage));
    if (!what.stages.back())
      return Outcome::failed(Failure::NoFunction, "a function of the launch was not loaded");
  }
  Running record{session, slot, {}, {}};
  const auto place = [&](const Place &at, bool writes, auto use) -> std::optional<Outcome> {
    if (at.handle == 0)
      return std::nullopt;
    Found found = find(client.job, at, at.bytes);
    if (found.wrong)
      return found.wrong;
    (writes ? record.writes : record.reads).push_back(at.handle);
    use(found.bytes);
    return std::nullopt;
  };
  for (auto wrong :
       {place(access.place, false, [&](std::span<uint8_t> bytes) { what.input = bytes; }),
        place(access.memory, true, [&](std::span<uint8_t> bytes) { what.memory = bytes; }),
        place(access.output, true, [&](std::span<uint8_t> bytes) { what.output = bytes; })})
    if (wrong)
      return wrong;
  what.id = ++launches;
  what.job = client.job;
  what.head.assign(access.data.begin(), access.data.end());
  what.mostAnswered = room();
  for (uint64_t handle : record.reads)
    ++inUse[handle].readers;
  for (uint64_t handle : record.writes)
    ++inUse[handle].writers;
  ++count.launched;
  count.bytesLaunched += what.input.size() + what.memory.size() + what.head.size();
  running[what.id] = std::move(record);
  runner.start(std::move(what));
  return std::nullopt;
}

/// No value: it is under way.
std::optional<Outcome> Memory::fold(SessionId session, Client &client, uint64_t slot,
                                    const Access &access) {
  if (!folder)
    return Outcome::failed(Failure::NoFold,
                           "this node has no switch to fold in; name one with acisd --fold-at");
  const uint64_t bytes = access.place.bytes;
  if (bytes > room() || bytes % bytesOf(access.type))
    return Outcome::failed(Failure::Malformed, std::to_string(bytes) + " bytes are not at most " +
                                                   std::to_string(room()) + " in elements of " +
                                                   std::to_string(bytesOf(access.type)));
  memory::Fold what{++launches,     client.job,      session,
                    access.context, access.position, access.nodes,
                    access.reduce,  access.type,     {}};
  if (bytes > 0) {
    Found found = find(client.job, access.place, bytes);
    if (found.wrong)
      return found.wrong;
    what.data.assign(found.bytes.begin(), found.bytes.end());
  }
  if (!charge(client, int64_t(bytes)))
    return Outcome::failed(Failure::Full, "the job has no memory left for a fold");
  count.folded += bytes;
  running[what.id] = {session, slot, {}, {}, int64_t(bytes)};
  folder->start(std::move(what));
  return std::nullopt;
}

void Memory::settle(SessionId session, Client &client, uint64_t slot, bool polled,
                    const Outcome &outcome) {
  if (outcome.failure != Failure::None)
    ++count.failed;
  Given &given = client.given[slot];
  given.ready = true;
  given.bytes = outcome.write();
  if (charge(client, int64_t(given.bytes.size())))
    given.charged = int64_t(given.bytes.size());
  else if (!outcome.data.empty())
    given.bytes =
        Outcome::failed(Failure::Full, "the job has no memory left for the answer").write();
  if (!polled)
    send(session, slot, given.bytes);
}

void Memory::send(SessionId session, uint64_t slot, std::span<const uint8_t> answer) {
  Header header;
  header.type = PacketType::Outcome;
  header.slot = slot;
  services.send(session, header, answer);
}

/// Of a launch or a fold.
std::optional<memory::Runner::End> Memory::nextEnd() {
  auto end = runner.ended();
  return end || !folder ? std::move(end) : folder->ended();
}

/// Launches and folds that have ended, and what waited for them.
void Memory::collect() {
  std::set<JobId> freed;
  for (auto end = nextEnd(); end; end = nextEnd()) {
    const auto at = running.find(end->id);
    const Running record = std::move(at->second);
    running.erase(at);
    letGo(record);
    count.cycles += end->outcome.cycles;
    count.bytesGiven += end->outcome.value;
    const auto client = clients.find(record.session);
    if (client == clients.end())
      continue;
    charge(client->second, -record.charged);
    freed.insert(client->second.job);
    const auto given = client->second.given.find(record.slot);
    if (given != client->second.given.end())
      settle(record.session, client->second, record.slot, given->second.polled, end->outcome);
  }
  if (freed.empty())
    return;
  for (auto &[session, client] : clients)
    if (freed.contains(client.job))
      advance(session, client);
  collect(); // some may have begun and ended
}

void Memory::letGo(const Running &record) {
  const auto done = [&](uint64_t handle, unsigned Use::*kind) {
    const auto at = inUse.find(handle);
    --(at->second.*kind);
    if (at->second.readers + at->second.writers > 0)
      return;
    inUse.erase(at);
    if (doomed.erase(handle))
      blocks.free(handle);
  };
  for (uint64_t handle : record.reads)
    done(handle, &Use::readers);
  for (uint64_t handle : record.writes)
    done(handle, &Use::writers);
}

void Memory::sessionEnded(SessionId session, JobId job) {
  ended[session] = job;
  if (folder)
    folder->forget(session);
  const auto at = clients.find(session);
  if (at == clients.end())
    return;
  services.charge(job, -at->second.charged);
  clients.erase(at);
}

void Memory::jobEnded(JobId job) {
  for (const auto &[session, client] : clients)
    if (folder && client.job == job)
      folder->forget(session);
  std::erase_if(clients, [&](const auto &item) { return item.second.job == job; });
  std::erase_if(ended, [&](const auto &item) { return item.second == job; });
  functions.jobEnded(job);
  if (limits.keeps)
    return;
  for (const memory::Block &block : blocks.list(job))
    if (inUse.contains(block.handle))
      doomed.insert(block.handle);
    else
      blocks.free(block.handle);
}

Time Memory::tick() {
  collect();
  return running.empty() ? Never : services.now() + Millisecond;
}

void Memory::statistics(Statistics &out) const {
  const Statistics own = {{"memory_bytes", blocks.capacity()},
                          {"memory_bytes_used", blocks.used()},
                          {"memory_blocks", blocks.count()},
                          {"memory_puts", count.puts},
                          {"memory_bytes_put", count.bytesPut},
                          {"memory_gets", count.gets},
                          {"memory_bytes_got", count.bytesGot},
                          {"memory_functions_loaded", count.loaded},
                          {"memory_launches", count.launched},
                          {"memory_launches_running", running.size()},
                          {"memory_launch_bytes_read", count.bytesLaunched},
                          {"memory_launch_bytes_given", count.bytesGiven},
                          {"memory_launch_cycles", count.cycles},
                          {"memory_bytes_folded", count.folded},
                          {"memory_requests_failed", count.failed},
                          {"memory_requests_repeated", count.repeated},
                          {"memory_requests_waited", count.waited},
                          {"memory_requests_outside", count.outside}};
  out.insert(out.end(), own.begin(), own.end());
}

void Memory::fingerprint(std::vector<uint64_t> &out) const {
  for (const auto &[session, client] : clients) {
    out.insert(out.end(), {session, client.next});
    for (const auto &[slot, request] : client.early)
      out.push_back(slot);
    for (const auto &[slot, given] : client.given)
      out.insert(out.end(), {slot, given.ready, given.polled, given.bytes.size()});
  }
  for (const auto &[session, job] : ended)
    out.push_back(session);
  for (const auto &[id, launch] : running)
    out.insert(out.end(), {id, launch.session, launch.slot});
  out.insert(out.end(), doomed.begin(), doomed.end());
}

} // namespace acis::sw
