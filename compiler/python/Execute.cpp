// What acis-run does, from memory to memory.
#include "compiler/python/Execute.h"

#include "runtime/engine/fast/Fast.h"
#include "runtime/engine/model/Model.h"
#include "runtime/tools/acis-run/Report.h"
#include "runtime/tools/acis-run/TraceWriter.h"

#include <algorithm>
#include <chrono>

namespace acis::python {
namespace {

void takeOutput(Device &device, RunOutcome &outcome) {
  std::vector<uint8_t> packet;
  while (device.pop(packet)) {
    outcome.lengths.push_back(packet.size());
    if (outcome.lengths.size() == 1) // often the only one, and then not copied
      outcome.output.swap(packet);
    else
      outcome.output.insert(outcome.output.end(), packet.begin(), packet.end());
  }
}

Status prepare(Device &device, const Program &program, const RunRequest &request) {
  uint64_t whole = 0;
  for (const uint64_t length : request.lengths)
    whole += std::min<uint64_t>(length, request.data.size() + 1);
  if (whole != request.data.size())
    return Error{"", "the lengths of the packets are not those of the data"};
  if (Status status = device.load(program.image, request.handler); !status)
    return status;
  if (!request.memory.empty())
    if (Status status = device.attachMemory(request.memory); !status)
      return status;
  if (request.deadline)
    device.setDeadline(request.deadline);
  uint64_t begin = 0;
  for (const uint64_t length : request.lengths) {
    device.push(request.data.subspan(begin, length));
    begin += length;
  }
  return Status::ok();
}

} // namespace

RunOutcome execute(const Program &program, const RunRequest &request) {
  RunOutcome outcome;
  std::unique_ptr<Device> device;
  const SteppedDevice *stepped = nullptr;
  if (request.exact) {
    std::unique_ptr<ModelDevice> model =
        makeModelDevice(program.overlay, {.trace = request.trace, .interrupt = request.interrupt});
    stepped = model.get();
    device = std::move(model);
  } else {
    device = makeFastDevice(program.overlay, {.interrupt = request.interrupt});
  }
  Status status = prepare(*device, program, request);
  const auto start = std::chrono::steady_clock::now();
  if (status)
    status = device->run();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  if (stepped && request.trace)
    outcome.trace = tools::chromeTrace(*stepped);
  if (!status) {
    outcome.where = status.error().where;
    outcome.what = status.error().what;
    if (const Trap *trap = device->trap()) {
      outcome.trapped = true;
      outcome.pc = trap->pc;
    }
    return outcome;
  }
  outcome.good = true;
  takeOutput(*device, outcome);
  const Result<const Handler *> handler = program.image->handler(request.handler);
  outcome.statistics = tools::jsonReport({.engine = request.exact ? "model" : "fast",
                                          .handler = (*handler)->name, // load() saw to it
                                          .overlay = &program.overlay,
                                          .counters = device->counters(),
                                          .hostSeconds = passed.count()});
  return outcome;
}

} // namespace acis::python
