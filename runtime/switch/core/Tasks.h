// Programs of tasks (collective/Task.h) that jobs have loaded, and how one is run, on engine
// `fast`.
#pragma once

#include "runtime/engine/device/Device.h"
#include "runtime/switch/collective/Task.h"

#include <map>
#include <memory>

namespace acis::sw {

struct TaskCounters {
  uint64_t programs = 0, runs = 0, notRun = 0;
};

class Tasks {
public:
  /// Without an overlay every load() fails.
  explicit Tasks(const Overlay *overlay) : overlay(overlay) {}

  /// Verifies a program and its binary and keeps it for the job under the low half of its
  /// hash. One that is there already costs nothing. Jobs share nothing: a binary has state.
  Status load(uint32_t job, uint64_t hash, std::span<const uint8_t> bytes,
              const std::string &handler);
  void jobEnded(uint32_t job) { programs.erase(job); }

  /// What the op makes of the first collective's `result` and of what a task has behind its
  /// NextStep; no value: it was not run. Bounded in time.
  std::optional<std::vector<uint8_t>> run(uint32_t job, uint32_t handle,
                                          std::span<const uint8_t> result,
                                          std::span<const uint8_t> given);

  const TaskCounters &counters() const { return count; }

private:
  struct Program {
    uint64_t hash = 0;
    collective::TaskProgram what;
    std::shared_ptr<const Image> image;
    std::string handler;
    std::unique_ptr<Device> device;

    /// As after loading.
    Status restart();
    std::optional<std::vector<uint8_t>> run(std::span<const uint8_t> result,
                                            std::span<const uint8_t> given);
  };

  const Overlay *overlay;
  std::map<uint32_t, std::map<uint32_t, Program>> programs; ///< by job and handle
  TaskCounters count;
};

} // namespace acis::sw
