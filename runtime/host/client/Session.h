// The host's end of a switch: one rank of one job. Collectives are started here, sent as
// UDP datagrams to the leaf switch, and completed by what comes back.
//
// A session may be used by several threads. Nothing here blocks but wait(), open() and
// close(); nothing prints. Every Status that fails names who is missing: a rank, a switch.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/wire/Near.h"
#include "runtime/switch/wire/Steering.h"
#include "runtime/switch/wire/Types.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace acis {

using Nanoseconds = std::chrono::nanoseconds;

/// The leaf switch of this host and what the job is to it.
struct Endpoint {
  std::string address; ///< "host:port"; IPv6 as "[::1]:9000"
  uint32_t job = 0;
  std::string key; ///< 32 hexadecimal digits, or "" on a trusted fabric
};

/// Faults that are made on purpose, for tests: each outgoing datagram is hit with these
/// probabilities (0..1), reproducibly by seed.
struct FaultOptions {
  double loss = 0, duplicate = 0, reorder = 0, corrupt = 0, delay = 0;
  Nanoseconds delayTime = std::chrono::milliseconds(1);
  uint64_t seed = 1;
};

struct SessionOptions {
  /// leafOfRank[r] is the number of the switch that world rank r is attached to, as in
  /// the topology file; empty: all ranks are on one switch. Must be the same on all ranks.
  std::vector<uint16_t> leafOfRank;
  /// parentOfSwitch[s] is the switch above s in this job's tree, or NoSwitch; collective::
  /// DirectNetwork where the switches are engines of one. Empty: no switch has one.
  std::vector<uint16_t> parentOfSwitch;
  static constexpr uint16_t NoSwitch = 0xffff;
  /// Which of the switches above it each switch uses, of those that its topology file names: that
  /// behind the job's own by so many places. parentOfSwitch says the same. Of all ranks alike.
  uint32_t turn = 0;

  /// How engines of a direct network do what this session starts (docs/engines.md). Of all ranks
  /// alike; trees of switches do not ask.
  Way way = Way::Automatic;

  /// Time to poll the socket before sleeping in wait(), unless the core has other work
  /// (wire/Spinner.h). 0: sleep at once.
  Nanoseconds spin = std::chrono::milliseconds(1);
  /// A switch that says nothing for so long is dead; each rank is reported dead by its
  /// switch after the time that the switch was given (acisd --dead-after).
  Nanoseconds deadAfter = std::chrono::seconds(10);
  /// open() gives up after this.
  Nanoseconds openTimeout = std::chrono::seconds(10);
  /// A thread that retransmits and says "alive" while the program computes.
  bool background = true;
  /// Contributions that expect no answer (Bcast at its root, Reduce elsewhere) up to so
  /// many bytes are copied and complete at once.
  uint32_t eagerBytes = 4096;
  FaultOptions faults;
};

struct SwitchTask;

/// One collective, as MPI defines it. Buffers are contiguous, hold elements of `type`,
/// and belong to the session until the request is complete. Where MPI allows
/// MPI_IN_PLACE, `send` (Scatter's root: `recv`) may be nullptr, with MPI's meaning.
struct Collective {
  Kind kind = Kind::Barrier;
  uint32_t context = 0; ///< of addCommunicator()
  ReduceOp op = ReduceOp::None;
  ElementType type = ElementType::Uint8;
  uint32_t root = 0; ///< rank in the communicator
  /// Allreduce, Reduce, Bcast, Scan, Exscan: elements of the buffer. Gather, Allgather,
  /// Scatter, ReduceScatterBlock, Alltoall: elements of one rank's block (counts that
  /// differ between ranks are not supported but for ReduceScatter).
  uint64_t count = 0;
  /// ReduceScatter: elements that each rank gets. Copied.
  std::span<const uint64_t> counts;
  const void *send = nullptr;
  void *recv = nullptr;
  uint64_t operatorHandle = 0; ///< ReduceOp::User: of loadOperator()
  /// ReduceOp::User: elements that the operator takes as one, of which counts are multiples. Long
  /// calls are cut between items. ReduceOp::Merge: places of a sparse vector, of which `count` is a
  /// multiple; each is merged with the others' in its place.
  uint64_t itemElements = 1;
  const SwitchTask *task = nullptr; ///< what follows; read by start() only
  bool commutative = true;          ///< false: folded strictly in rank order
};

/// An op that the switch does for this member when the collective's result is there, and the
/// collective that the op's result goes to (collective/Task.h). To other members these are two
/// collectives that were started one after the other: they may do so. The request is complete with
/// the last of them.
struct SwitchTask {
  uint64_t program = 0; ///< of loadOperator(), of a collective::TaskProgram
  /// Rest of the op's packet, then its memory, one piece behind the other; each with zeros to a
  /// multiple of 64 if it is padded. Read by weigh() and start(). One that was the same in the call
  /// before is kept by the switch, and not sent again while it stays so.
  struct Piece {
    std::span<const uint8_t> bytes;
    bool isPadded = false;
  };
  std::vector<Piece> given;
  /// For weigh(): so many bytes more than its collectives the call may send and get.
  uint64_t mostMore = UINT64_MAX;
  uint32_t outputBytes = 0;         ///< what the program gives
  const Collective *next = nullptr; ///< sends the first bytes of that; its op is not User
  /// One of them is called, once, when the collective's result is in its buffer and before anything
  /// of `next` is: with what the switch's op gave; or, if the switch did not run it, to do it here,
  /// so that `next` can send from its buffer. In whatever thread makes progress, under the
  /// session's lock: they may not use the session.
  std::function<void(std::span<const uint8_t>)> ran;
  std::function<void()> run;
};

/// A started collective. 0 is no request (complete).
using Request = uint64_t;

/// What a session has sent and received since it was opened.
struct SessionCounters {
  uint64_t packetsSent = 0, packetsReceived = 0, bytesSent = 0, bytesReceived = 0;
  uint64_t retransmissions = 0, polls = 0;
  uint64_t dropped = 0; ///< received and refused: damaged, replayed, foreign
  uint64_t collectives = 0;
  uint64_t opCycles = 0; ///< of fused calls' ops, on switches whose engine counts them
};

/// What a member of a control group knows (docs/control.md).
struct ControlState {
  uint64_t done = 0;      ///< by this member
  uint64_t allowed = 0;   ///< iterations below may begin
  uint64_t floor = 0;     ///< iterations below are done by the quorum
  uint64_t signalled = 0; ///< in iterations below no more extra work is begun
  Nanoseconds deadline{}; ///< in force; 0: none
  uint32_t staleness = 0; ///< in force
  uint32_t slowest = 0;   ///< world rank of a member that has done least
  uint64_t slowestDone = 0;
};

/// What a member was given to do (docs/control.md).
struct NextTask {
  enum class What : uint8_t { None, Task, Ended } what = What::None;
  std::vector<uint8_t> task;
  std::string waitsFor; ///< None: a member that still has tasks, or may put some
};

/// A sum of those who gave their share in time.
struct GroupSum {
  uint64_t number = 0;
  bool isMade = false;
  bool isMine = false;   ///< this member's share is in it
  std::vector<bool> who; ///< of each rank of the group: it is in the sum; not made: it has given
  std::vector<double> values;
};

class Session {
public:
  /// Attaches world rank `rank` of `size` to its switch. Fails after
  /// options.openTimeout, or when the switch refuses (key, limits), with its reason.
  static Result<std::unique_ptr<Session>> open(const Endpoint &endpoint, uint32_t rank,
                                               uint32_t size, const SessionOptions &options = {});
  virtual ~Session() = default; ///< leaves as after close()

  /// Tells the switch a communicator: `ranks[i]` is the world rank of its rank i. Every
  /// member calls it with the same list; the caller must be one. Context ids are the
  /// caller's choice, the same on all members and not in use by them. Returns when the
  /// switch has the entry; fails with a message that starts with "full:" when there is no
  /// room. Members on other switches may have succeeded: agree, and free it on all.
  virtual Status addCommunicator(uint32_t context, std::span<const uint32_t> ranks) = 0;
  /// Whether all switches between these ranks can be reached; every one of them calls it, and none
  /// has a communicator yet. Nothing is left of it.
  virtual Status reach(std::span<const uint32_t> ranks) { return {}; }
  /// After the last collective on it, on every member.
  virtual Status freeCommunicator(uint32_t context) = 0;
  /// The same, but does not wait: the entry is freed when the switch has what was given on it.
  virtual void retireCommunicator(uint32_t context) = 0;

  /// Gives a user operator to the switches: an ELF of acisc whose handler `name` ("" if it
  /// has one) sends op(mem[i], in[i]) for each element of its packet, where `mem` has the
  /// operands of the lower ranks. Or a task's program (collective::TaskProgram). The handle depends
  ///  on the bytes only. Every rank loads it.
  virtual Result<uint64_t> loadOperator(std::span<const uint8_t> elf, const std::string &name) = 0;

  /// Whether start() would take this collective, without its task: operation and type, size of
  /// the group. Its buffers need not be there yet. The error says why not.
  virtual Status supports(const Collective &collective) const = 0;
  /// Whether a call with a task is worth it, to be asked once for each call before start(): not
  /// where it sends and gets more than its collectives and `mostMore`. More than that is given once
  /// the last calls, in which so much did not change, would together have saved it if the switch
  /// had kept that: so at most twice the bytes are moved that somebody would need who knows what
  /// comes. The program need not be loaded yet.
  virtual bool weigh(const Collective &collective) { return true; }
  /// Members start the collectives of one communicator in the same order.
  virtual Result<Request> start(const Collective &collective) = 0;
  /// Makes progress; true when the request is complete and its buffers may be used. A
  /// failed session gives its error.
  virtual Result<bool> test(Request request) = 0;
  /// Until the request is complete or `timeout` has passed. The error then names the
  /// ranks that have not come, or the switch that does not answer; the request stays.
  virtual Status wait(Request request, Nanoseconds timeout) = 0;
  /// Sends and receives what there is, without blocking.
  virtual Status progress() = 0;

  /// Waits until the switch has all that was sent. After it, close() waits for nobody but it.
  virtual Status drain(Nanoseconds timeout) = 0;
  /// Waits (at most `timeout`) until the switch has all that was sent, and leaves.
  virtual Status close(Nanoseconds timeout) = 0;

  /// Control groups; a session that has none fails. Every member calls openControl with the same
  /// list and policy; contexts are the caller's choice and independent of communicators'. The first
  /// iteration may begin when all have called. A group that has failed, for a reason that the error
  /// says, fails every call but closeControl(); collectives go on.
  virtual Status openControl(uint32_t context, std::span<const uint32_t> ranks,
                             const wire::Policy &policy) {
    return noControl();
  }
  /// Waits until the member's next iteration, which this must be, may begin. After `timeout` the
  /// error names the rank that is waited for and for how long, with what the caller has `waited`
  /// before, and the call may be repeated.
  virtual Status beginIteration(uint32_t context, uint64_t iteration, Nanoseconds timeout,
                                Nanoseconds waited = {}) {
    return noControl();
  }
  /// The iteration that has begun is done. Does not wait.
  virtual Status endIteration(uint32_t context, uint64_t iteration) { return noControl(); }
  /// Makes progress, without blocking.
  virtual Result<ControlState> control(uint32_t context) { return noControl().error(); }
  /// A task, an opaque text of at most taskBytes(), to the end of the member's queue. Does not
  /// wait.
  virtual Status putTask(uint32_t context, std::span<const uint8_t> task) { return noControl(); }
  virtual size_t taskBytes() const { return 0; }
  /// The member's last task is over. Waits for the next one, its own or one that the switch has
  /// moved here; Ended: all queues have, once for each such time. None: after `timeout`; may be
  /// repeated.
  virtual Result<NextTask> nextTask(uint32_t context, Nanoseconds timeout) {
    return noControl().error();
  }
  /// Gives a share to the group's next sum, or goes on waiting for it if that is under way. Not
  /// made: after `timeout`; may be repeated. A share without data only asks whether it is made.
  virtual Result<GroupSum> sum(uint32_t context, std::span<const double> share,
                               Nanoseconds timeout) {
    return noControl().error();
  }
  /// The member does no more: it holds nobody up. Waits until the switch has heard it.
  virtual Status closeControl(uint32_t context, Nanoseconds timeout) { return noControl(); }

  /// Requests to a memory node (docs/near-data.md); a session that is with none fails. They take
  /// effect in the order in which they were started. `polled`: the node does not say that it is
  /// done, and is asked.
  virtual Result<uint64_t> startAccess(const wire::Access &access, bool polled = false) {
    return noMemory();
  }
  /// Makes progress, without blocking.
  virtual Result<bool> testAccess(uint64_t id) { return noMemory(); }
  /// Its outcome, once. After `timeout` the request goes on.
  virtual Result<wire::Outcome> waitAccess(uint64_t id, Nanoseconds timeout) { return noMemory(); }
  /// Most data of a request and of an answer.
  virtual uint32_t accessBytes() const { return 0; }

  virtual const SessionCounters &counters() const = 0;

private:
  static Error noMemory() { return {"", "this session is with no memory node"}; }
  static Status noControl() { return Error{"", "this session has no control groups"}; }
};

} // namespace acis
