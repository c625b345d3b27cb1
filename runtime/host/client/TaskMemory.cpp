#include "runtime/host/client/TaskMemory.h"

#include "runtime/switch/collective/Task.h"

#include <algorithm>
#include <string_view>

namespace acis::client {

using collective::TaskPart;

namespace {

constexpr unsigned MostPatience = 1 << 20;
constexpr int64_t MostSaved = 1 << 30;

/// To compare calls with; what is not sent is compared byte for byte.
uint64_t hashOf(std::span<const uint8_t> bytes) {
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

int64_t tableBytes(size_t pieces) {
  return int64_t(TaskPart::HeadBytes + TaskPart::EntryBytes * pieces);
}

} // namespace

bool TaskMemory::Part::isKept(const SwitchTask::Piece &piece) const {
  return isThere && std::ranges::equal(bytes, piece.bytes);
}

/// A program whose pieces are others is another.
TaskMemory::Program &TaskMemory::of(uint64_t program, Pieces pieces) {
  Program &out = programs[program];
  if (out.parts.size() != pieces.size())
    out = {.parts = std::vector<Part>(pieces.size())};
  return out;
}

void TaskMemory::look(Program &program, Pieces pieces) {
  for (size_t i = 0; i < pieces.size(); ++i) {
    Part &part = program.parts[i];
    const uint64_t hash = hashOf(pieces[i].bytes);
    part.isSame = part.hash == hash && pieces[i].bytes.size() >= LeastKept;
    part.hash = hash;
  }
}

bool TaskMemory::weigh(uint64_t program, Pieces pieces, int64_t most) {
  Program &own = of(program, pieces);
  look(own, pieces);
  int64_t now = tableBytes(pieces.size()), later = now;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto bytes = int64_t(pieces[i].bytes.size());
    now += own.parts[i].isKept(pieces[i]) ? 0 : bytes;
    later += own.parts[i].isSame ? 0 : bytes;
  }
  ++own.calm;
  own.saved = later > most ? 0 : std::min(own.saved + (most - later), MostSaved);
  if (now <= most)
    return true;
  if (later > most || own.saved < now - later)
    return false;
  own.saved -= now - later;
  return true;
}

TaskMemory::Ticket TaskMemory::give(uint64_t program, Pieces pieces, std::vector<uint8_t> &out) {
  Program &own = of(program, pieces);
  std::vector<TaskPart> parts;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto &[bytes, isPadded] = pieces[i];
    Part &part = own.parts[i];
    TaskPart &sent = parts.emplace_back();
    sent.isPadded = isPadded;
    sent.size = uint32_t(bytes.size());
    if (!part.isKept(pieces[i])) {
      // One that is on its way goes again under its number.
      const bool isKnown = part.number != 0 && std::ranges::equal(part.bytes, bytes);
      const bool isToKeep = part.isSame && own.calm >= own.patience && last < UINT32_MAX;
      own.isSpent |= isToKeep;
      if (!isKnown)
        part = {part.hash, part.isSame, isToKeep ? ++last : 0, false,
                isToKeep ? std::vector(bytes.begin(), bytes.end()) : std::vector<uint8_t>()};
      sent.bytes = bytes;
    }
    sent.number = part.number;
  }
  collective::writeParts(parts, out);
  return {program, last};
}

void TaskMemory::settle(const Ticket &ticket, bool isDone) {
  const auto at = programs.find(ticket.program);
  if (at == programs.end())
    return;
  for (Part &part : at->second.parts) {
    if (isDone && part.number != 0 && part.number <= ticket.last)
      part.isThere = true;
    if (!isDone)
      part = {part.hash, part.isSame, 0, false, {}};
  }
  if (isDone)
    return;
  Program &program = at->second;
  program.calm = 0;
  if (program.isSpent)
    program.patience = std::min(2 * program.patience, MostPatience);
  program.isSpent = false;
}

uint64_t TaskMemory::bytesOf(Pieces pieces) {
  uint64_t bytes = 0;
  for (const SwitchTask::Piece &piece : pieces)
    bytes += TaskPart{.isPadded = piece.isPadded, .size = uint32_t(piece.bytes.size())}.room();
  return bytes;
}

void TaskMemory::fingerprint(std::vector<uint64_t> &out) const {
  for (const auto &[name, program] : programs)
    for (const Part &part : program.parts)
      out.insert(out.end(), {name, part.hash, part.number,
                             uint64_t(part.isThere) | uint64_t(part.isSame) << 1});
}

} // namespace acis::client
