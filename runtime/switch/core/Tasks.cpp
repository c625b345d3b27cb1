#include "runtime/switch/core/Tasks.h"

#include "runtime/engine/loader/Image.h"
#include "runtime/switch/wire/Control.h"

#include <algorithm>

namespace acis::sw {

using namespace collective;

namespace {

/// Instructions and iterations of an op: far below a tenth of a second.
constexpr uint64_t MostSteps = uint64_t(1) << 22;
constexpr size_t Padding = 4096;

/// A job may have so many at once.
constexpr size_t MostPrograms = 256;

} // namespace

Status Tasks::Program::restart() {
  if (Status status = device->load(image, handler); !status)
    return status;
  return device->resizeMemory(what.memoryBytes + Padding);
}

Status Tasks::load(uint32_t job, uint64_t hash, std::span<const uint8_t> bytes,
                   const std::string &handler) {
  if (!engine.overlay)
    return Error{"task's program", "this switch has no overlay; start acisd with --config"};
  if (wire::operatorHash(bytes, handler) != hash)
    return Error{"task's program", "the bytes do not have the hash that names them"};
  std::map<uint32_t, Program> &own = programs[job];
  if (const auto at = own.find(uint32_t(hash)); at != own.end())
    return at->second.hash == hash
               ? Status::ok()
               : Status(Error{"task's program", "another program of the job has its handle"});
  if (own.size() == MostPrograms)
    return Error{"task's program", "the job has " + std::to_string(MostPrograms) +
                                       " already, the most that are allowed"};
  Result<TaskProgram> what = TaskProgram::read(bytes);
  if (!what)
    return what.error();
  Result<std::shared_ptr<const Image>> image = loadImage(what->elf, *engine.overlay);
  if (!image)
    return image.error();
  Program program{hash, std::move(*what), std::move(*image), handler, engine, engine.make()};
  program.what.elf.clear();
  if (Status status = program.restart(); !status)
    return status;
  own.emplace(uint32_t(hash), std::move(program));
  ++count.programs;
  return Status::ok();
}

TaskRun Tasks::run(uint32_t job, uint32_t handle, std::span<const uint8_t> result,
                   std::span<const uint8_t> given) {
  TaskRun out;
  const auto own = programs.find(job);
  if (own != programs.end())
    if (const auto at = own->second.find(handle); at != own->second.end())
      out = at->second.run(result, given);
  ++(out.output ? count.runs : count.notRun);
  return out;
}

TaskRun Tasks::Program::run(std::span<const uint8_t> result, std::span<const uint8_t> given) {
  if (result.size() > what.packetBytes ||
      result.size() + given.size() != uint64_t(what.packetBytes) + what.memoryBytes)
    return {};
  const uint64_t before = device->counters().cycles;
  TaskRun out{compute(result, given)};
  out.cycles = device->counters().cycles - before;
  out.takes = engine.timeOf(out.cycles);
  if (!out.output)
    (void)restart(); // it did start when it was loaded
  return out;
}

std::optional<std::vector<uint8_t>> Tasks::Program::compute(std::span<const uint8_t> result,
                                                            std::span<const uint8_t> given) {
  const size_t rest = what.packetBytes - result.size();
  std::vector<uint8_t> packet(result.begin(), result.end());
  packet.insert(packet.end(), given.begin(), given.begin() + long(rest));
  std::copy(given.begin() + long(rest), given.end(), device->memory().begin());
  device->setDeadline(MostSteps);
  device->push(packet);
  std::vector<uint8_t> out, more;
  const Status status = device->run();
  if (status && !device->trap() && device->pop(out) && out.size() == what.outputBytes &&
      !device->pop(more))
    return out;
  return std::nullopt;
}

} // namespace acis::sw
