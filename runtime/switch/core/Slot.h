// One message of a collective while it is in the switch: a row of the reduction (or
// gather) table.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/collective/Message.h"
#include "runtime/switch/collective/Shapes.h"
#include "runtime/switch/wire/Clock.h"
#include "runtime/switch/wire/Header.h"
#include "runtime/switch/wire/Tagger.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace acis::sw {

/// out = a op b; see collective/Combine.h.
using Combiner = std::function<Status(const wire::Header &, std::span<const uint8_t> a,
                                      std::span<const uint8_t> b, std::span<uint8_t> out)>;

/// Children contribute in any order; the fold's order is fixed: neighbours in pairs, the
/// results in pairs, and so on, an odd one out goes on alone; the lower one is the left
/// operand. The same contributions give the same bits always. Where the members of a Reduce name
/// different operations, each pair is combined by that of the lowest member in it.
class Slot {
public:
  /// Starts over for a message like `header`. `own` is what lies below this switch.
  void begin(const wire::Header &header, const collective::Subtree &own, uint32_t children);
  bool begun() const { return active; }
  void release() { active = false; }
  uint64_t number() const { return signature.slot; }
  /// Of a Reduce whose members name different operations, once all have contributed: with that of
  /// the lowest child.
  const wire::Header &header() const { return signature; }
  uint64_t unit() const { return collective::unitOf(signature); }

  /// Field by field what two ranks must agree on; "" or what differs.
  std::string mismatch(const wire::Header &header) const;

  bool has(uint32_t child) const { return contributed[child]; }
  /// A part of a message; true when the message is whole, then in `message`.
  bool assemble(uint32_t child, const wire::Header &header, std::span<const uint8_t> payload,
                uint32_t packetBytes, uint64_t bytes, std::span<const uint8_t> &message);
  /// Of a message that is not whole: a bit for each part that is here.
  uint64_t partsOf(uint32_t child) const {
    return child < assemblies.size() ? assemblies[child].seen : 0;
  }
  /// The message of a child, whose size was checked, and the operation that it names.
  struct Contribution {
    const collective::Subtree &range;
    ReduceOp op;
    std::span<const uint8_t> message;
    const wire::Digest *digest; ///< of the message; nullptr: not at hand
  };
  Status contribute(uint32_t child, const Contribution &given, const Combiner &combine);

  /// What the switch is to compute for a child from the result, and what came of it.
  struct Task {
    uint32_t program = 0; ///< handle
    std::vector<uint8_t> given;
    /// Once the result was there: what the op gives; no value: it was not run.
    bool over = false;
    std::optional<std::vector<uint8_t>> output;
    uint64_t cycles = 0;
  };
  /// With the child's contribution.
  void setTask(uint32_t child, Task task);
  bool hasTask(uint32_t child) const { return tasks.contains(child); }
  Task &task(uint32_t child) { return tasks.at(child); }
  const Task &task(uint32_t child) const { return tasks.at(child); }
  /// What a child has of the collective, once the slot is ready: its result, or what it gave itself
  /// to all. No value: it gets none.
  std::optional<std::span<const uint8_t>> valueFor(const collective::Subtree &child) const;

  bool allContributed() const { return missing == 0; }
  /// Source shapes: the root's data is here.
  bool hasSource() const { return sourced; }
  /// What goes up: everything of this subtree. Valid until setResult().
  std::span<const uint8_t> message() const { return data; }

  /// All contributions are here and this is the top: makes the result of them.
  Status finishTop(const Combiner &combine);
  /// The result came from above: for this subtree, not for the whole group.
  void setResult(std::span<const uint8_t> result);
  /// The same of what there is at the top of a tree: folded, or all blocks by position.
  Status setWhole(std::span<const uint8_t> all, const Combiner &combine);
  void setReady() { complete = true; }
  bool ready() const { return complete && busyUntil == 0; }
  /// Until then the engine folds what this is made of; 0: it does not. Who sets it ends it.
  wire::Time busyUntil = 0;
  /// A child's part of the result.
  std::span<const uint8_t> resultFor(const collective::Subtree &child) const;
  /// Of a piece of a result, if it is what one member gave, with its digest; else nullptr.
  const wire::Digest *digestOf(std::span<const uint8_t> piece) const;

  bool offered = false; ///< to the switch above
  /// Ready, but kept back until all who have begun the call have asked; over: not again.
  enum class Hold : uint8_t { None, Held, Over };
  Hold hold = Hold::None;

  /// Bytes that the slot holds on to, for the job's account.
  uint64_t capacity() const;
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  Status fold(uint32_t child, std::span<const uint8_t> message, const Combiner &combine);
  Status scan(const Combiner &combine);
  void transpose();
  void keepDigest(const Contribution &given);

  struct Assembly {
    uint64_t seen = 0;
    std::vector<uint8_t> bytes;
  };

  bool active = false, complete = false, sourced = false;
  wire::Header signature;
  collective::Subtree own;
  uint32_t missing = 0;
  std::vector<bool> contributed;
  std::vector<ReduceOp> ops; ///< by child, of those that have contributed
  std::vector<uint8_t> data; ///< gathered, folded, or the result
  /// By block of a result that is made of what members gave, as it is; no value: not known.
  std::vector<std::optional<wire::Digest>> digests;
  uint32_t base = 0;                         ///< position of the first block in a split result
  std::vector<std::vector<uint8_t>> partial; ///< by the first child it covers
  std::vector<uint8_t> partialLevel;         ///< level + 1, or 0: none
  std::vector<Assembly> assemblies;          ///< by child, while messages have parts
  std::map<uint32_t, Task> tasks;            ///< by child
};

} // namespace acis::sw
