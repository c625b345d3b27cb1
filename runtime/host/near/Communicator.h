// The memory communicator: one session for each node, and what lies there. Behind acis_near.h.
#pragma once

#include "runtime/host/near/acis_near.h"

#include "runtime/host/client/Session.h"
#include "runtime/switch/wire/Channel.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct acis_near_block {
  std::vector<uint64_t> handles; ///< one for each node
  uint64_t bytes = 0;
};

struct acis_near_function {
  std::vector<uint64_t> stages; ///< hashes
  uint32_t inBytes = 0, outBytes = 0;
};

namespace acis::near {

/// What is wrong, of which kind.
struct Problem {
  acis_near_class kind = ACIS_NEAR_OK;
  std::string what;
  explicit operator bool() const { return kind != ACIS_NEAR_OK; }
};

inline Problem argument(std::string what) { return {ACIS_NEAR_ARGUMENT, std::move(what)}; }

/// Under way on one node.
struct Started {
  unsigned node;
  uint64_t id;
};

} // namespace acis::near

struct acis_near {
  using Access = acis::wire::Access;
  using Outcome = acis::wire::Outcome;
  using Problem = acis::near::Problem;
  using Started = acis::near::Started;

  std::vector<std::string> names;
  std::vector<std::unique_ptr<acis::Session>> nodes;
  std::vector<std::unique_ptr<acis_near_block>> blocks;
  std::vector<std::unique_ptr<acis_near_function>> functions;
  struct Launch {
    std::vector<Started> parts;
    uint64_t gives = 0; ///< bytes, on each node
    bool ended = false; ///< all parts have been waited for; then how
    Problem problem;
    uint64_t cycles = 0; ///< the most of a node
  };
  /// Whether the nodes have a switch that folds (acisd --fold-at); asked at the first reduction.
  enum class Folds : uint8_t { NotAsked, InSwitch, Here };
  Folds folds = Folds::NotAsked;
  uint32_t foldContext = uint32_t(acis::wire::randomBits()); ///< names its folds on all nodes
  std::map<acis_near_request, Launch> launches;
  acis_near_request lastRequest = 0;
  acis::Nanoseconds timeout = std::chrono::seconds(60);
  Problem last;

  /// Who is told of errors, and what that gave the last time.
  struct Told {
    acis_near_handler *handler = nullptr;
    void *context = nullptr;
    int code(const Problem &problem) const {
      return problem && handler ? handler(context, problem.kind, problem.what.c_str())
                                : int(problem.kind);
    }
  };
  Told told;
  static Told toldWithout; ///< of calls that have no communicator
  int lastCode = ACIS_NEAR_OK;

  /// Those that this thread has opened and not closed; MPI_Local_* are of the last.
  static thread_local std::vector<acis_near *> opened;
  static acis_near *current() { return opened.empty() ? nullptr : opened.back(); }

  /// The end of every function of the interface, and what it returns.
  const char *give(Problem problem);

  bool knows(const acis_near_block *block) const;
  bool knows(const acis_near_function *function) const;
  /// Whether it is a block of this communicator with so many bytes.
  Problem check(const acis_near_block *block, uint64_t bytes) const;

  Problem start(unsigned node, const Access &access, std::vector<Started> &into);
  Problem wait(const Started &one, Outcome &out);
  /// Waits for all of them, whatever becomes of some; the first problem. `use(i, outcome)`.
  template <typename Use> Problem waitAll(const std::vector<Started> &all, Use use) {
    Problem first;
    for (size_t i = 0; i < all.size(); ++i) {
      Outcome out;
      if (Problem problem = wait(all[i], out); problem && !first)
        first = std::move(problem);
      else if (!problem)
        use(i, out);
    }
    return first;
  }
  Problem waitAll(const std::vector<Started> &all) {
    return waitAll(all, [](size_t, const Outcome &) {});
  }
  /// The same request on every node; `use(node, outcome)`.
  template <typename Use> Problem everywhere(const Access &access, Use use) {
    std::vector<Started> started;
    Problem problem;
    for (unsigned i = 0; i < nodes.size(); ++i)
      if (Problem one = start(i, access, started); one && !problem)
        problem = std::move(one);
    Problem waited = waitAll(started, [&](size_t i, Outcome &out) { use(started[i].node, out); });
    return problem ? problem : waited;
  }

  // What several functions of the interface do, without its end.
  Problem alloc(uint64_t bytes, acis_near_block *&block);
  Problem free(const acis_near_block *block);
  /// Starts a function that gives `gives` bytes on each node.
  Problem launch(const acis_near_function *function, const acis_near_block *in,
                 const acis_near_block *operand, const acis_near_block *out, uint64_t length,
                 uint64_t gives, acis_near_request &request);
  /// Waits for all parts of a launch.
  void settle(Launch &launch);
  /// Waits for a launch and forgets it; `cycles`: the most of a node.
  Problem finish(acis_near_request request, uint64_t &cycles);
};
