#include "runtime/host/client/TaskCall.h"

#include "runtime/io/Bytes.h"
#include "runtime/switch/collective/Shapes.h"

#include <algorithm>
#include <utility>

namespace acis::client {

using namespace collective;

namespace {

/// What a datagram costs beside its payload: our header, and those of Ethernet, IPv4 and UDP.
constexpr uint64_t DatagramBytes = wire::HeaderBytes + 42;

/// Whether the message can be taken, or given, by the switch as the host would: it is the only one
/// of its collective, and the switch does all of that.
bool standsAlone(const Plan &plan) {
  const wire::Header header = plan.header(0);
  return plan.fragments() == 1 && header.shape == shapeOf(header.kind) && header.handle == 0;
}

} // namespace

int64_t TaskCall::bytesFor(const SwitchTask &task, const Plan *next) {
  // What the host would give to the next collective goes from the switch, without a packet.
  std::vector<uint8_t> scratch;
  const uint64_t gives = next && next->fragments() == 1 ? next->message(0, scratch).size() : 0;
  const uint64_t saved = gives > 0 ? DatagramBytes + gives : 0;
  const uint64_t more = NextStep::Bytes + OutcomeBytes + task.outputBytes;
  const uint64_t may = std::min<uint64_t>(task.mostMore, INT64_MAX / 2) + saved;
  return int64_t(may) - int64_t(more);
}

Result<TaskCall> TaskCall::make(const SwitchTask &task, const Plan &first, std::optional<Plan> next,
                                const Tree &tree, uint32_t messageBytes, uint32_t packetBytes,
                                TaskMemory &memory) {
  for (const Plan *plan : {&first, next ? &std::as_const(*next) : nullptr})
    if (plan && !standsAlone(*plan))
      return Error{"", "a task after or before " + std::string(nameOf(plan->header(0).kind)) +
                           " that is not one message of the switch"};
  const bool hasBlocks =
      upOf(first.header(0).shape) == Up::Gather || (next && contributesAll(next->header(0).shape));
  if (hasBlocks && !tree.rankOrder)
    return Error{"", "a task with a block for each rank needs the ranks placed in blocks on the "
                     "leaves"};
  TaskCall call;
  std::vector<uint8_t> scratch;
  const std::span<const uint8_t> message = first.message(0, scratch);
  call.bytes.assign(message.begin(), message.end());
  NextStep step;
  if (next)
    step = NextStep::of(next->header(0));
  call.bytes.resize(message.size() + NextStep::Bytes);
  step.write(std::span(call.bytes).last(NextStep::Bytes));
  const TaskMemory::Ticket ticket = memory.give(task.program, task.given, call.bytes);
  call.resultBytes = first.resultBytes(0);
  call.outputBytes = task.outputBytes;
  const uint64_t answer = OutcomeBytes + call.resultBytes + task.outputBytes;
  const uint64_t gives = call.bytes.size() - message.size();
  const uint64_t reads = NextStep::Bytes + TaskMemory::bytesOf(task.given);
  if (std::max<uint64_t>({gives, reads, task.outputBytes}) > messageBytes ||
      std::max<uint64_t>(call.bytes.size(), answer) > uint64_t(packetBytes) * wire::MaxParts)
    return Error{"", "a task of " + std::to_string(call.bytes.size()) +
                         " bytes with an answer of " + std::to_string(answer) +
                         " does not fit a message"};
  call.descriptor = first.header(0);
  call.descriptor.flags |= wire::flag::Task;
  call.descriptor.handle = uint32_t(task.program);
  call.descriptor.fragment = uint32_t(gives);
  call.following = std::move(next);
  call.ran = task.ran;
  call.run = task.run;
  call.settle = [&memory, ticket](bool isDone) { memory.settle(ticket, isDone); };
  return call;
}

bool TaskCall::answered(std::span<const uint8_t> answer, const Plan &first) const {
  const std::span<const uint8_t> output = answer.subspan(answerBytes());
  const bool isDone = io::load<uint32_t>(answer.data()) == uint32_t(TaskOutcome::Done) &&
                      output.size() == outputBytes;
  settle(io::load<uint32_t>(answer.data()) == uint32_t(TaskOutcome::Done));
  first.result(0, answer.subspan(OutcomeBytes, resultBytes));
  if (isDone)
    ran(output);
  else
    run();
  return isDone;
}

uint32_t TaskCall::cyclesOf(std::span<const uint8_t> answer) {
  return io::load<uint32_t>(answer.data() + sizeof(TaskOutcome));
}

} // namespace acis::client
