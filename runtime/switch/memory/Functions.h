// Functions that jobs have loaded into a memory node, and one launch of some of them.
#pragma once

#include "runtime/engine/device/Device.h"
#include "runtime/switch/wire/Near.h"

#include <list>
#include <map>
#include <memory>

namespace acis::memory {

/// A verified binary and which of its handlers is meant.
struct Function {
  std::shared_ptr<const Image> image;
  std::string handler;
  bool keepsState = false; ///< an invocation may see what one before has left
};

/// Of all jobs, which share nothing. By the hash of binary and name.
class Functions {
public:
  static constexpr size_t MostOfJob = 256;
  /// Without an overlay every load() fails.
  explicit Functions(const Overlay *overlay) : overlay(overlay) {}

  Status load(uint32_t job, uint64_t hash, std::span<const uint8_t> elf, const std::string &name);
  /// nullptr: it was not loaded.
  std::shared_ptr<const Function> find(uint32_t job, uint64_t hash) const;
  /// One that is known already.
  void adopt(uint32_t job, uint64_t hash, std::shared_ptr<const Function> function) {
    table[job][hash] = std::move(function);
  }
  void jobEnded(uint32_t job) { table.erase(job); }

private:
  const Overlay *overlay;
  std::map<uint32_t, std::map<uint64_t, std::shared_ptr<const Function>>> table;
};

/// What an engine is given. The bytes belong to the region, and to this launch while it runs.
struct Launch {
  uint64_t id = 0;
  uint32_t job = 0;
  std::vector<std::shared_ptr<const Function>> stages;
  std::vector<uint8_t> head;                ///< the first bytes of the first function's packet,
  std::span<const uint8_t> input;           ///< and the others
  std::span<uint8_t> memory;                ///< behind the memory port
  std::optional<std::span<uint8_t>> output; ///< no value: into the answer,
  size_t mostAnswered = 0;                  ///< which holds so many bytes
};

/// Runs launches, one after the other, on devices of its own. One for each thread.
class Engine {
public:
  Engine(const Overlay &overlay, bool exact) : overlay(overlay), exact(exact) {}

  /// Each function starts as after loading. Fails as a Trapped outcome; what the function has
  /// written into its memory until then stays.
  /// `mostSteps`: of each function; 0: a bound by what it is given.
  wire::Outcome run(const Launch &launch, uint64_t mostSteps = 0);

private:
  struct Loaded {
    std::shared_ptr<const Function> function;
    std::unique_ptr<Device> device;
    uint64_t cycles = 0;
  };
  Result<Loaded *> deviceFor(const std::shared_ptr<const Function> &function);

  const Overlay &overlay;
  bool exact;
  std::list<Loaded> devices; ///< the last used one first
  std::vector<uint8_t> packet, sent;
};

/// Where launches run. Their ends are told in any order.
class Runner {
public:
  virtual ~Runner() = default;
  virtual void start(Launch launch) = 0;
  struct End {
    uint64_t id = 0;
    wire::Outcome outcome;
  };
  /// One that has ended; no value: none has.
  virtual std::optional<End> ended() = 0;
  /// Does not return before every launch has ended.
  virtual void finish() = 0;
};

/// In the caller's thread.
class RunHere final : public Runner {
public:
  explicit RunHere(std::unique_ptr<Engine> engine) : engine(std::move(engine)) {}
  void start(Launch launch) override { ends.push_back({launch.id, engine->run(launch)}); }
  std::optional<End> ended() override {
    if (ends.empty())
      return std::nullopt;
    End end = std::move(ends.front());
    ends.pop_front();
    return end;
  }
  void finish() override {}

private:
  std::unique_ptr<Engine> engine;
  std::list<End> ends;
};

/// This node's part of a fold in the switch above.
struct Fold {
  uint64_t id = 0;
  uint32_t job = 0;
  uint32_t session = 0;             ///< of who asks; those of one are done in their order
  uint32_t context = 0;             ///< the same on all nodes, and of this session
  uint32_t position = 0, nodes = 0; ///< the first one gets the result
  ReduceOp op = ReduceOp::None;
  ElementType type = ElementType::Uint8;
  std::vector<uint8_t> data; ///< whole elements; none: asks whether it can be done
};

/// Gives this node's parts to a switch. Ends are told in any order, as of launches: the result as
/// data on the first node, nothing on others, or a failure NoFold.
class Folder {
public:
  virtual ~Folder() = default;
  virtual void start(Fold fold) = 0;
  virtual std::optional<Runner::End> ended() = 0;
  /// Who has asked is gone: its folds need not end.
  virtual void forget(uint32_t session) = 0;
};

} // namespace acis::memory
