// A collective with a task (collective/Task.h) as its host gives it: the message, and the
// collective that follows.
#pragma once

#include "runtime/host/client/Plan.h"
#include "runtime/host/client/TaskMemory.h"
#include "runtime/switch/collective/Task.h"

#include <functional>
#include <optional>

namespace acis::client {

class TaskCall {
public:
  /// `first` and `next`, which may be missing, are the plans of the two collectives. Fails where
  /// the switches cannot do it: one is more than a message, or positions are not ranks. `memory`
  /// says what of the task is sent, hears what came of it, and outlives this.
  static Result<TaskCall> make(const SwitchTask &task, const Plan &first, std::optional<Plan> next,
                               const collective::Tree &tree, uint32_t messageBytes,
                               uint32_t packetBytes, TaskMemory &memory);
  /// What the pieces of a task may take in its message, if it is to cost at most `mostMore` bytes
  /// more than the collectives themselves, in both directions; less than 0: the rest is too much.
  static int64_t bytesFor(const SwitchTask &task, const Plan *next);

  /// Of the message with the task: all but slot and sequence.
  const wire::Header &header() const { return descriptor; }
  std::span<const uint8_t> message() const { return bytes; }
  /// Of the answer, without what the op gives.
  uint32_t answerBytes() const { return resultBytes + uint32_t(collective::OutcomeBytes); }
  const std::optional<Plan> &next() const { return following; }

  /// Puts an answer where the user wants it, runs the op here if the switch has not, or gives
  /// another number of bytes. Whether the switch has, and gives the next message.
  bool answered(std::span<const uint8_t> answer, const Plan &first) const;
  /// Of the op, as an answer says; 0: not known.
  static uint32_t cyclesOf(std::span<const uint8_t> answer);

private:
  wire::Header descriptor;
  std::vector<uint8_t> bytes;
  uint32_t resultBytes = 0, outputBytes = 0;
  std::optional<Plan> following;
  std::function<void(std::span<const uint8_t>)> ran;
  std::function<void()> run;
  std::function<void(bool)> settle;
};

} // namespace acis::client
