#include "runtime/switch/collective/Fused.h"

#include "runtime/io/Bytes.h"
#include "runtime/switch/collective/Combine.h"

#include <algorithm>
#include <cstring>

namespace acis::collective {

namespace {

constexpr uint32_t Magic = 0x46434341; // "ACCF"
constexpr uint32_t FormatVersion = 1;
constexpr size_t StepWords = 6, HeadWords = 2 + 2 * StepWords + 4;
/// Of an op's packet, memory or output: what a message could never hold anyway.
constexpr uint32_t MostBytes = 1 << 20;

using Blocks = std::span<const std::span<const uint8_t>>;

bool folds(Kind kind) {
  return kind == Kind::Allreduce || kind == Kind::Reduce || kind == Kind::Scan ||
         kind == Kind::ReduceScatterBlock;
}

/// The fold of ranks [from, to), neighbours in pairs: the order of the switch's slots.
std::vector<uint8_t> fold(const FusedStep &step, Blocks send) {
  std::vector<std::vector<uint8_t>> level;
  for (std::span<const uint8_t> block : send)
    level.emplace_back(block.begin(), block.end());
  while (level.size() > 1) {
    std::vector<std::vector<uint8_t>> next;
    for (size_t i = 0; i + 1 < level.size(); i += 2) {
      combine(step.op, step.type, level[i], level[i + 1], level[i]);
      next.push_back(std::move(level[i]));
    }
    if (level.size() % 2)
      next.push_back(std::move(level.back()));
    level = std::move(next);
  }
  return std::move(level.front());
}

uint32_t wordAt(std::span<const uint8_t> bytes, size_t index) {
  return io::load<uint32_t>(bytes.data() + 4 * index);
}

Result<FusedStep> readStep(std::span<const uint8_t> bytes, size_t at) {
  FusedStep step;
  const uint32_t present = wordAt(bytes, at), kind = wordAt(bytes, at + 1),
                 op = wordAt(bytes, at + 2), type = wordAt(bytes, at + 3);
  if (present > 1 || kind >= NumKinds || op >= NumReduceOps || type >= NumElementTypes)
    return Error{"fused program", "a collective with a kind, operation or type that is none"};
  step.present = present == 1;
  step.kind = Kind(kind);
  step.op = ReduceOp(op);
  step.type = ElementType(type);
  step.count = wordAt(bytes, at + 4);
  step.root = wordAt(bytes, at + 5);
  return step;
}

void copy(std::span<const uint8_t> from, std::span<uint8_t> to) {
  std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
}

} // namespace

bool FusedStep::isSupported(bool isFirst) const {
  switch (kind) {
  case Kind::Reduce:
  case Kind::Gather:
    return !isFirst; // ranks without a result have nothing to compute from
  case Kind::Allreduce:
  case Kind::Scan:
  case Kind::ReduceScatterBlock:
  case Kind::Bcast:
  case Kind::Allgather:
  case Kind::Scatter:
  case Kind::Alltoall:
    return true;
  default:
    return false;
  }
}

uint64_t FusedStep::sendBytes(uint32_t ranks) const {
  if (!present)
    return 0;
  const bool each =
      kind == Kind::Scatter || kind == Kind::Alltoall || kind == Kind::ReduceScatterBlock;
  return uint64_t(count) * bytesOf(type) * (each ? ranks : 1);
}

uint64_t FusedStep::resultBytes(uint32_t ranks) const {
  if (!present)
    return 0;
  const bool all = kind == Kind::Gather || kind == Kind::Allgather || kind == Kind::Alltoall;
  return uint64_t(count) * bytesOf(type) * (all ? ranks : 1);
}

bool FusedStep::hasResult(uint32_t rank) const {
  return present && ((kind != Kind::Reduce && kind != Kind::Gather) || rank == root);
}

void FusedStep::perform(Blocks send, std::span<const std::span<uint8_t>> result) const {
  if (!present || count == 0)
    return;
  const size_t block = count * bytesOf(type);
  if (kind == Kind::Scan) {
    copy(send[0], result[0]);
    for (size_t r = 1; r < send.size(); ++r)
      combine(op, type, result[r - 1].first(block), send[r].first(block), result[r].first(block));
    return;
  }
  const std::vector<uint8_t> folded = folds(kind) ? fold(*this, send) : std::vector<uint8_t>();
  for (uint32_t r = 0; r < result.size(); ++r) {
    if (!hasResult(r))
      continue;
    switch (kind) {
    case Kind::Bcast:
      copy(send[root], result[r]);
      break;
    case Kind::Scatter:
      copy(send[root].subspan(r * block, block), result[r]);
      break;
    case Kind::Gather:
    case Kind::Allgather:
    case Kind::Alltoall:
      for (size_t from = 0; from < send.size(); ++from)
        copy(send[from].subspan(kind == Kind::Alltoall ? r * block : 0, block),
             result[r].subspan(from * block, block));
      break;
    case Kind::ReduceScatterBlock:
      copy(std::span(folded).subspan(r * block, block), result[r]);
      break;
    default:
      copy(folded, result[r]);
    }
  }
}

uint64_t FusedProgram::restBytes(uint32_t ranks) const {
  return streamBytes - std::min<uint64_t>(streamBytes, first.resultBytes(ranks));
}

uint64_t FusedProgram::blockBytes(uint32_t ranks) const {
  const uint64_t up = first.sendBytes(ranks) + restBytes(ranks) + inboundBytes;
  const uint64_t down = first.resultBytes(ranks) + outputBytes + second.resultBytes(ranks);
  return HeadBytes + std::max(up, down);
}

std::string FusedProgram::problem(uint32_t ranks) const {
  if (!first.present || !first.isSupported(/*isFirst=*/true) ||
      (second.present && !second.isSupported(/*isFirst=*/false)))
    return "a collective that is not done in the switch";
  for (const FusedStep *step : {&first, &second})
    if (step->present && step->root >= ranks)
      return "root " + std::to_string(step->root) + " of " + std::to_string(ranks) + " ranks";
  if (first.resultBytes(ranks) > streamBytes)
    return "the first collective gives more than the op reads";
  if (second.sendBytes(ranks) > sentBytes)
    return "the second collective sends more than the op gives";
  return "";
}

std::vector<uint8_t> FusedProgram::write() const {
  io::Writer out;
  out.put(Magic).put(FormatVersion);
  for (const FusedStep *step : {&first, &second})
    out.put(uint32_t(step->present))
        .put(uint32_t(step->kind))
        .put(uint32_t(step->op))
        .put(uint32_t(step->type))
        .put(step->count)
        .put(step->root);
  return out.put(streamBytes).put(inboundBytes).put(sentBytes).put(outputBytes).raw(elf).take();
}

bool FusedProgram::isOne(std::span<const uint8_t> bytes) {
  return bytes.size() >= 4 && wordAt(bytes, 0) == Magic;
}

Result<FusedProgram> FusedProgram::read(std::span<const uint8_t> bytes) {
  if (!isOne(bytes) || bytes.size() < 4 * HeadWords)
    return Error{"fused program", std::to_string(bytes.size()) + " bytes; its head has " +
                                      std::to_string(4 * HeadWords)};
  if (wordAt(bytes, 1) != FormatVersion)
    return Error{"fused program", "version " + std::to_string(wordAt(bytes, 1)) +
                                      "; this switch has " + std::to_string(FormatVersion)};
  FusedProgram program;
  Result<FusedStep> first = readStep(bytes, 2), second = readStep(bytes, 2 + StepWords);
  for (const Result<FusedStep> *step : {&first, &second})
    if (!*step)
      return step->error();
  program.first = *first;
  program.second = *second;
  for (const FusedStep *step : {&program.first, &program.second})
    if (step->present && folds(step->kind) &&
        (step->op == ReduceOp::User || !isDefined(step->op, step->type)))
      return Error{"fused program", "operation " + std::string(nameOf(step->op)) +
                                        " is not defined on " + std::string(nameOf(step->type))};
  const size_t sizes = 2 + 2 * StepWords;
  program.streamBytes = wordAt(bytes, sizes);
  program.inboundBytes = wordAt(bytes, sizes + 1);
  program.sentBytes = wordAt(bytes, sizes + 2);
  program.outputBytes = wordAt(bytes, sizes + 3);
  if (std::max({program.streamBytes, program.inboundBytes, program.outputBytes}) > MostBytes ||
      program.sentBytes > program.outputBytes)
    return Error{"fused program", "an op with more than " + std::to_string(MostBytes) +
                                      " bytes, or that sends more than it gives"};
  program.elf.assign(bytes.begin() + 4 * HeadWords, bytes.end());
  return program;
}

} // namespace acis::collective
