#include "runtime/switch/collective/Task.h"

#include "runtime/io/Bytes.h"

#include <algorithm>
#include <string>

namespace acis::collective {

namespace {

constexpr uint32_t Magic = 0x4b544341; // "ACTK"
constexpr uint32_t FormatVersion = 1;
constexpr size_t HeadWords = 5;
/// Of an op's packet, memory or output: what a message could never hold anyway.
constexpr uint32_t MostBytes = 1 << 20;

uint32_t wordAt(std::span<const uint8_t> bytes, size_t index) {
  return io::load<uint32_t>(bytes.data() + 4 * index);
}

} // namespace

std::vector<uint8_t> TaskProgram::write() const {
  io::Writer out;
  out.put(Magic).put(FormatVersion).put(packetBytes).put(memoryBytes).put(outputBytes);
  return out.raw(elf).take();
}

bool TaskProgram::isOne(std::span<const uint8_t> bytes) {
  return bytes.size() >= 4 && wordAt(bytes, 0) == Magic;
}

Result<TaskProgram> TaskProgram::read(std::span<const uint8_t> bytes) {
  if (!isOne(bytes) || bytes.size() < 4 * HeadWords)
    return Error{"task's program", std::to_string(bytes.size()) + " bytes; its head has " +
                                       std::to_string(4 * HeadWords)};
  if (wordAt(bytes, 1) != FormatVersion)
    return Error{"task's program", "version " + std::to_string(wordAt(bytes, 1)) +
                                       "; this switch has " + std::to_string(FormatVersion)};
  TaskProgram program{wordAt(bytes, 2), wordAt(bytes, 3), wordAt(bytes, 4), {}};
  if (std::max({program.packetBytes, program.memoryBytes, program.outputBytes}) > MostBytes)
    return Error{"task's program", "an op with more than " + std::to_string(MostBytes) + " bytes"};
  program.elf.assign(bytes.begin() + 4 * HeadWords, bytes.end());
  return program;
}

NextStep NextStep::of(const wire::Header &header) {
  return {true, header.kind, header.op, header.element, header.shape, header.count, header.root};
}

wire::Header NextStep::after(const wire::Header &first) const {
  wire::Header header;
  header.type = wire::PacketType::Contribute;
  header.job = first.job;
  header.context = first.context;
  header.slot = first.slot + 1;
  header.sequence = first.sequence + 1;
  header.kind = kind;
  header.op = op;
  header.element = element;
  header.shape = shape;
  header.count = count;
  header.root = root;
  return header;
}

void NextStep::write(std::span<uint8_t> out) const {
  io::store(out.data(), uint32_t(present));
  io::store(out.data() + 4, count);
  io::store(out.data() + 8, root);
  out[12] = uint8_t(kind);
  out[13] = uint8_t(op);
  out[14] = uint8_t(element);
  out[15] = uint8_t(shape);
}

std::optional<NextStep> NextStep::read(std::span<const uint8_t> bytes) {
  if (bytes.size() < Bytes || wordAt(bytes, 0) > 1 || bytes[12] >= NumKinds ||
      bytes[13] >= NumReduceOps || bytes[14] >= NumElementTypes || bytes[15] >= NumShapes)
    return std::nullopt;
  NextStep step{wordAt(bytes, 0) == 1,  Kind(bytes[12]),  ReduceOp(bytes[13]),
                ElementType(bytes[14]), Shape(bytes[15]), wordAt(bytes, 1),
                wordAt(bytes, 2)};
  // An operator of the job would need a handle.
  return step.op == ReduceOp::User ? std::nullopt : std::optional(step);
}

namespace {
constexpr uint32_t IsHere = 1u << 31, IsPadded = 1u << 30;
}

void writeParts(std::span<const TaskPart> parts, std::vector<uint8_t> &out) {
  io::Writer table;
  table.put(uint32_t(parts.size()));
  for (const TaskPart &part : parts)
    table.put(part.number)
        .put(part.size | (part.bytes ? IsHere : 0) | (part.isPadded ? IsPadded : 0));
  for (const TaskPart &part : parts)
    if (part.bytes)
      table.raw(*part.bytes);
  const std::vector<uint8_t> bytes = table.take();
  out.insert(out.end(), bytes.begin(), bytes.end());
}

std::optional<std::vector<TaskPart>> readParts(std::span<const uint8_t> bytes, uint64_t mostBytes) {
  io::Reader in(bytes);
  const auto count = in.get<uint32_t>();
  if (in.ranOut() || count > in.rest().size() / TaskPart::EntryBytes)
    return std::nullopt;
  std::vector<TaskPart> parts(count);
  std::span<const uint8_t> rest = in.rest().subspan(count * TaskPart::EntryBytes);
  uint64_t all = 0;
  for (TaskPart &part : parts) {
    part.number = in.get<uint32_t>();
    const auto word = in.get<uint32_t>();
    part.size = word & ~(IsHere | IsPadded);
    part.isPadded = word & IsPadded;
    all += part.room();
    const bool isHere = word & IsHere;
    if (all > mostBytes || (isHere ? part.size > rest.size() : part.number == 0))
      return std::nullopt;
    if (!isHere)
      continue;
    part.bytes = rest.first(part.size);
    rest = rest.subspan(part.size);
  }
  return rest.empty() ? std::optional(std::move(parts)) : std::nullopt;
}

} // namespace acis::collective
