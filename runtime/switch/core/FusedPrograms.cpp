#include "runtime/switch/core/FusedPrograms.h"

#include "runtime/engine/loader/Image.h"
#include "runtime/io/Bytes.h"
#include "runtime/switch/wire/Control.h"

#include <algorithm>

namespace acis::sw {

using namespace collective;

namespace {

/// Instructions and iterations of all ops of one CCCF: far below a second.
constexpr uint64_t MostSteps = uint64_t(1) << 24;
constexpr size_t Padding = 4096;

/// A job may have so many at once.
constexpr size_t MostPrograms = 256;

/// The members' blocks by rank.
class Members {
public:
  Members(uint64_t unit, std::span<uint8_t> blocks) {
    ranks.resize(blocks.size() / unit);
    for (uint64_t at = 0; at + unit <= blocks.size(); at += unit) {
      std::span<uint8_t> block = blocks.subspan(at, unit);
      const auto rank = io::load<uint32_t>(block.data());
      refused |= io::load<uint32_t>(block.data() + 4) != 0;
      good = good && rank < ranks.size() && ranks[rank].empty();
      if (good)
        ranks[rank] = block;
    }
  }

  std::vector<std::span<uint8_t>> ranks;
  bool refused = false;
  bool good = true; ///< each rank is there once
};

void setOutcome(uint64_t unit, std::span<uint8_t> blocks, FusedOutcome outcome) {
  for (uint64_t at = 0; at + unit <= blocks.size() && unit >= FusedProgram::HeadBytes; at += unit)
    io::store(blocks.data() + at, uint64_t(outcome));
}

} // namespace

Status FusedPrograms::Program::restart() {
  if (Status status = device->load(image, handler); !status)
    return status;
  return device->resizeMemory(what.inboundBytes + Padding);
}

Status FusedPrograms::load(uint32_t job, uint64_t hash, std::span<const uint8_t> bytes,
                           const std::string &handler) {
  if (!overlay)
    return Error{"fused program", "this switch has no overlay; start acisd with --config"};
  if (wire::operatorHash(bytes, handler) != hash)
    return Error{"fused program", "the bytes do not have the hash that names them"};
  std::map<uint32_t, Program> &own = programs[job];
  if (own.contains(uint32_t(hash)))
    return Status::ok();
  if (own.size() == MostPrograms)
    return Error{"fused program", "the job has " + std::to_string(MostPrograms) +
                                      " already, the most that are allowed"};
  Result<FusedProgram> what = FusedProgram::read(bytes);
  if (!what)
    return what.error();
  Result<std::shared_ptr<const Image>> image = loadImage(what->elf, *overlay);
  if (!image)
    return image.error();
  Program program{std::move(*what), std::move(*image), handler, makeFastDevice(*overlay)};
  program.what.elf.clear();
  if (Status status = program.restart(); !status)
    return status;
  own.emplace(uint32_t(hash), std::move(program));
  ++count.programs;
  return Status::ok();
}

void FusedPrograms::run(uint32_t job, uint32_t handle, uint64_t unit, std::span<uint8_t> blocks) {
  FusedOutcome outcome = FusedOutcome::Failed;
  std::map<uint32_t, Program> &own = programs[job];
  if (const auto at = own.find(handle); at != own.end() && unit >= FusedProgram::HeadBytes) {
    outcome = compute(at->second, unit, blocks);
    // It did start when it was loaded.
    if (outcome == FusedOutcome::Failed)
      (void)at->second.restart();
  }
  count.runs += outcome == FusedOutcome::Done;
  count.refused += outcome == FusedOutcome::Refused;
  count.failed += outcome == FusedOutcome::Failed;
  setOutcome(unit, blocks, outcome);
}

FusedOutcome FusedPrograms::compute(Program &program, uint64_t unit, std::span<uint8_t> blocks) {
  const FusedProgram &what = program.what;
  Members members(unit, blocks);
  const uint32_t ranks = uint32_t(members.ranks.size());
  if (members.refused)
    return FusedOutcome::Refused;
  if (!members.good || what.blockBytes(ranks) != unit || !what.problem(ranks).empty())
    return FusedOutcome::Failed;

  // The first collective, into the packets of the ops.
  const uint64_t sends = what.first.sendBytes(ranks), results = what.first.resultBytes(ranks);
  const uint64_t rest = what.restBytes(ranks);
  std::vector<std::vector<uint8_t>> packets(ranks, std::vector<uint8_t>(what.streamBytes));
  std::vector<std::span<const uint8_t>> send;
  std::vector<std::span<uint8_t>> result;
  for (uint32_t r = 0; r < ranks; ++r) {
    std::span<const uint8_t> body = members.ranks[r].subspan(FusedProgram::HeadBytes);
    send.push_back(body.first(sends));
    result.push_back(std::span(packets[r]).first(results));
    std::copy_n(body.begin() + long(sends), rest, packets[r].begin() + long(results));
  }
  what.first.perform(send, result);

  // The op of each member on its own arrays.
  Device &device = *program.device;
  std::vector<std::vector<uint8_t>> outputs(ranks);
  for (uint32_t r = 0; r < ranks; ++r) {
    std::span<const uint8_t> inbound =
        members.ranks[r].subspan(FusedProgram::HeadBytes + sends + rest, what.inboundBytes);
    std::copy(inbound.begin(), inbound.end(), device.memory().begin());
    device.setDeadline(std::max<uint64_t>(1, MostSteps / ranks));
    device.push(packets[r]);
    if (Status status = device.run(); !status || device.trap())
      return FusedOutcome::Failed;
    if (!device.pop(outputs[r]) || outputs[r].size() != what.outputBytes)
      return FusedOutcome::Failed;
  }

  // The second collective, and the answers.
  std::vector<std::span<const uint8_t>> sent;
  std::vector<std::span<uint8_t>> received;
  for (uint32_t r = 0; r < ranks; ++r) {
    std::span<uint8_t> body = members.ranks[r].subspan(FusedProgram::HeadBytes);
    std::copy_n(packets[r].begin(), results, body.begin());
    std::copy(outputs[r].begin(), outputs[r].end(), body.begin() + long(results));
    sent.push_back(std::span<const uint8_t>(outputs[r]).first(what.second.sendBytes(ranks)));
    received.push_back(body.subspan(results + what.outputBytes, what.second.resultBytes(ranks)));
  }
  what.second.perform(sent, received);
  return FusedOutcome::Done;
}

} // namespace acis::sw
