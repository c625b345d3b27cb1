// What the switch keeps for the tasks of a host (collective/Task.h, core/Kept.h), and whether a
// task is worth its bytes.
//
// A piece that is the same in two calls of a program, one after the other, is given with a number,
// under which the switch keeps it. Once an answer says that the op was run with it, calls with the
// same piece, byte for byte, name the number. When an op was not run, what the switch has of its
// program is unknown: it gets everything again, under new numbers. So what a number stands for
// never changes, and a piece that the switch has lost costs one op that is run by the host.
#pragma once

#include "runtime/host/client/Session.h"

#include <map>

namespace acis::client {

class TaskMemory {
public:
  using Pieces = std::span<const SwitchTask::Piece>;

  /// Below that a piece is not kept.
  static constexpr size_t LeastKept = 64;

  /// See Session::weigh(). `most`: bytes that the pieces may take in a message.
  bool weigh(uint64_t program, Pieces pieces, int64_t most);

  /// A task under way.
  struct Ticket {
    uint64_t program = 0;
    uint32_t last = 0; ///< the newest number at that time
  };
  /// Appends what the switch is to get of a task's pieces.
  Ticket give(uint64_t program, Pieces pieces, std::vector<uint8_t> &out);
  /// What came of it.
  void settle(const Ticket &ticket, bool isDone);

  /// All pieces, as the op has them.
  static uint64_t bytesOf(Pieces pieces);
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  struct Part {
    // Of the last call:
    uint64_t hash = 0;
    bool isSame = false; ///< as in the one before
    // At the switch:
    uint32_t number = 0; ///< 0: nothing
    bool isThere = false;
    std::vector<uint8_t> bytes;

    bool isKept(const SwitchTask::Piece &piece) const;
  };
  struct Program {
    std::vector<Part> parts;
    /// Bytes below the limit that the last calls would have stayed if the switch had kept what did
    /// not change; less what was spent on that.
    int64_t saved = 0;
    unsigned calm = 0;     ///< calls since an op was not run
    unsigned patience = 1; ///< so many of them before pieces are given to be kept
    bool isSpent = false;  ///< they were
  };
  Program &of(uint64_t program, Pieces pieces);
  void look(Program &program, Pieces pieces);

  std::map<uint64_t, Program> programs;
  uint32_t last = 0;
};

} // namespace acis::client
