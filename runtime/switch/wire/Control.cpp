#include "runtime/switch/wire/Control.h"

namespace acis::wire {

std::vector<uint8_t> Hello::write() const {
  return io::Writer()
      .put(uint8_t(role))
      .put(id)
      .put(size)
      .put(turn)
      .put(nonce)
      .put(cookie)
      .put(packetBytes)
      .take();
}

std::optional<Hello> Hello::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Hello hello;
  const uint8_t role = reader.get<uint8_t>();
  hello.role = Role(role);
  hello.id = reader.get<uint32_t>();
  hello.size = reader.get<uint32_t>();
  hello.turn = reader.get<uint32_t>();
  hello.nonce = reader.get<uint64_t>();
  hello.cookie = reader.get<uint64_t>();
  hello.packetBytes = reader.get<uint32_t>();
  if (!reader.complete() || role > uint8_t(Role::Switch))
    return std::nullopt;
  return hello;
}

std::vector<uint8_t> Challenge::write() const {
  return io::Writer().put(nonce).put(cookie).put(packetBytes).take();
}

std::optional<Challenge> Challenge::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Challenge challenge;
  challenge.nonce = reader.get<uint64_t>();
  challenge.cookie = reader.get<uint64_t>();
  challenge.packetBytes = reader.get<uint32_t>();
  return reader.complete() ? std::optional(challenge) : std::nullopt;
}

std::vector<uint8_t> Welcome::write() const {
  return io::Writer()
      .put(nonce)
      .text(refusal)
      .put(session)
      .put(switchId)
      .put(messageBytes)
      .put(packetBytes)
      .put(cutBytes)
      .put(slots)
      .put(deadAfterMs)
      .take();
}

std::optional<Welcome> Welcome::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Welcome welcome;
  welcome.nonce = reader.get<uint64_t>();
  welcome.refusal = reader.text();
  for (uint32_t *field :
       {&welcome.session, &welcome.switchId, &welcome.messageBytes, &welcome.packetBytes,
        &welcome.cutBytes, &welcome.slots, &welcome.deadAfterMs})
    *field = reader.get<uint32_t>();
  return reader.complete() ? std::optional(welcome) : std::nullopt;
}

static bool readGroup(io::Reader &reader, Group &group) {
  const unsigned partners = reader.get<uint8_t>();
  if (partners > Group::MaxPartners)
    return false;
  for (unsigned i = 0; i < partners; ++i)
    group.partners.push_back(reader.get<uint16_t>());
  const unsigned runs = reader.get<uint8_t>();
  if (runs > Group::MaxRuns)
    return false;
  for (unsigned i = 0; i < runs; ++i) {
    const auto engines = reader.get<uint32_t>(), members = reader.get<uint32_t>();
    group.runs.push_back({engines, members});
  }
  const unsigned isWhole = reader.get<uint8_t>();
  group.isWhole = isWhole == 1;
  return isWhole <= 1;
}

std::vector<uint8_t> Join::write() const {
  io::Writer writer;
  writer.put(size).put(fingerprint).put(uint8_t(levels.size()));
  for (const Level &level : levels)
    writer.put(level.index).put(level.children).put(level.first).put(level.size);
  writer.put(uint8_t(engines.partners.size()));
  for (const uint16_t partner : engines.partners)
    writer.put(partner);
  writer.put(uint8_t(engines.runs.size()));
  for (const Group::Run &run : engines.runs)
    writer.put(run.engines).put(run.members);
  return writer.put(uint8_t(engines.isWhole)).take();
}

std::optional<Join> Join::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Join join;
  join.size = reader.get<uint32_t>();
  join.fingerprint = reader.get<uint64_t>();
  const unsigned levels = reader.get<uint8_t>();
  if (levels < 1 || levels > MaxLevels)
    return std::nullopt;
  for (unsigned i = 0; i < levels; ++i) {
    Level level;
    for (uint32_t *field : {&level.index, &level.children, &level.first, &level.size})
      *field = reader.get<uint32_t>();
    // The range lies in the group, and inside the range of the level above.
    if (level.index >= level.children || level.children > join.size || level.size == 0 ||
        level.first >= join.size || level.size > join.size - level.first)
      return std::nullopt;
    if (i > 0) {
      const Level &below = join.levels.back();
      if (below.first < level.first || below.first - level.first > level.size - below.size ||
          below.size > level.size)
        return std::nullopt;
    }
    join.levels.push_back(level);
  }
  if (!readGroup(reader, join.engines))
    return std::nullopt;
  return reader.complete() ? std::optional(std::move(join)) : std::nullopt;
}

std::vector<uint8_t> Answer::write() const {
  return io::Writer()
      .text(refusal)
      .put(cast.number)
      .raw(cast.address.ip)
      .put(cast.address.port)
      .take();
}

std::optional<Answer> Answer::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Answer answer;
  answer.refusal = reader.text();
  answer.cast.number = reader.get<uint32_t>();
  for (uint8_t &byte : answer.cast.address.ip)
    byte = reader.get<uint8_t>();
  answer.cast.address.port = reader.get<uint16_t>();
  return reader.complete() ? std::optional(std::move(answer)) : std::nullopt;
}

std::vector<uint8_t> Waiting::write() const {
  io::Writer writer;
  writer.put(uint8_t(contributed)).put(uint8_t(missing.size()));
  for (const Range &range : missing)
    writer.put(range.first).put(range.size);
  return writer.text(silent).put(parts).take();
}

std::optional<Waiting> Waiting::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Waiting waiting;
  waiting.contributed = reader.get<uint8_t>() != 0;
  const unsigned ranges = reader.get<uint8_t>();
  if (ranges > MaxRanges)
    return std::nullopt;
  for (unsigned i = 0; i < ranges; ++i) {
    Range range;
    range.first = reader.get<uint32_t>();
    range.size = reader.get<uint32_t>();
    waiting.missing.push_back(range);
  }
  waiting.silent = reader.text();
  waiting.parts = reader.get<uint64_t>();
  return reader.complete() ? std::optional(std::move(waiting)) : std::nullopt;
}

std::optional<Failure> Failure::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Failure failure{reader.text()};
  return reader.complete() ? std::optional(std::move(failure)) : std::nullopt;
}

uint64_t operatorHash(std::span<const uint8_t> elf, std::string_view handler) {
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&](uint8_t byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (uint8_t byte : elf)
    add(byte);
  add(0);
  for (char c : handler)
    add(uint8_t(c));
  return uint32_t(hash) == 0 ? hash + 1 : hash;
}

std::vector<uint8_t> Blob::write() const {
  return io::Writer().put(hash).put(offset).put(total).text(name).raw(bytes).take();
}

std::optional<Blob> Blob::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Blob blob;
  blob.hash = reader.get<uint64_t>();
  blob.offset = reader.get<uint32_t>();
  blob.total = reader.get<uint32_t>();
  blob.name = reader.text();
  const std::span<const uint8_t> rest = reader.rest();
  if (reader.ranOut() || rest.size() > PieceBytes || blob.offset > blob.total ||
      rest.size() > blob.total - blob.offset)
    return std::nullopt;
  blob.bytes.assign(rest.begin(), rest.end());
  return blob;
}

std::vector<uint8_t> BlobAck::write() const {
  return io::Writer().put(hash).put(offset).put(uint8_t(ready)).text(refusal).take();
}

std::optional<BlobAck> BlobAck::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  BlobAck ack;
  ack.hash = reader.get<uint64_t>();
  ack.offset = reader.get<uint32_t>();
  ack.ready = reader.get<uint8_t>() != 0;
  ack.refusal = reader.text();
  return reader.complete() ? std::optional(std::move(ack)) : std::nullopt;
}

} // namespace acis::wire
