// CCCFs in the switch (type 3): programs that jobs have loaded, and how one is run on the
// blocks of all members, with the op on engine `fast`.
#pragma once

#include "runtime/engine/device/Device.h"
#include "runtime/switch/collective/Fused.h"

#include <map>
#include <memory>

namespace acis::sw {

struct FusedCounters {
  uint64_t programs = 0, runs = 0, refused = 0, failed = 0;
};

class FusedPrograms {
public:
  /// Without an overlay every load() fails.
  explicit FusedPrograms(const Overlay *overlay) : overlay(overlay) {}

  /// Verifies a program and its binary and keeps it for the job under the low half of its
  /// hash. One that is there already costs nothing. Jobs share nothing: a binary has state.
  Status load(uint32_t job, uint64_t hash, std::span<const uint8_t> bytes,
              const std::string &handler);
  void jobEnded(uint32_t job) { programs.erase(job); }

  /// `blocks` has a block of `unit` bytes for each member, as collective/Fused.h says; each
  /// becomes the member's answer. Whatever is wrong is told to the members in the answer; they
  /// then do the work themselves. Bounded in time: all ops together have a number of steps.
  void run(uint32_t job, uint32_t handle, uint64_t unit, std::span<uint8_t> blocks);

  const FusedCounters &counters() const { return count; }

private:
  struct Program {
    collective::FusedProgram what;
    std::shared_ptr<const Image> image;
    std::string handler;
    std::unique_ptr<Device> device;

    /// As after loading.
    Status restart();
  };
  collective::FusedOutcome compute(Program &program, uint64_t unit, std::span<uint8_t> blocks);

  const Overlay *overlay;
  std::map<uint32_t, std::map<uint32_t, Program>> programs; ///< by job and handle
  FusedCounters count;
};

} // namespace acis::sw
