// Programs of tasks (collective/Task.h) that jobs have loaded, and how one is run.
#pragma once

#include "runtime/switch/collective/Task.h"
#include "runtime/switch/core/Engine.h"

#include <map>
#include <memory>

namespace acis::sw {

/// What came of a task.
struct TaskRun {
  std::optional<std::vector<uint8_t>> output; ///< no value: it was not run
  uint64_t cycles = 0;                        ///< of an engine that counts them, in any case
  wire::Time takes = 0;                       ///< these at its clock
};

struct TaskCounters {
  uint64_t programs = 0, runs = 0, notRun = 0;
};

class Tasks {
public:
  /// Without an overlay every load() fails.
  explicit Tasks(const EngineChoice &engine) : engine(engine) {}

  /// Verifies a program and its binary and keeps it for the job under the low half of its
  /// hash. One that is there already costs nothing. Jobs share nothing: a binary has state.
  Status load(uint32_t job, uint64_t hash, std::span<const uint8_t> bytes,
              const std::string &handler);
  void jobEnded(uint32_t job) { programs.erase(job); }

  /// What the op makes of the first collective's `result` and of what a task has behind its
  /// NextStep. Bounded in time.
  TaskRun run(uint32_t job, uint32_t handle, std::span<const uint8_t> result,
              std::span<const uint8_t> given);

  const TaskCounters &counters() const { return count; }

private:
  struct Program {
    uint64_t hash = 0;
    collective::TaskProgram what;
    std::shared_ptr<const Image> image;
    std::string handler;
    EngineChoice engine;
    std::unique_ptr<Device> device;

    /// As after loading.
    Status restart();
    TaskRun run(std::span<const uint8_t> result, std::span<const uint8_t> given);
    std::optional<std::vector<uint8_t>> compute(std::span<const uint8_t> result,
                                                std::span<const uint8_t> given);
  };

  const EngineChoice engine;
  std::map<uint32_t, std::map<uint32_t, Program>> programs; ///< by job and handle
  TaskCounters count;
};

} // namespace acis::sw
