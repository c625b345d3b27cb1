// An entry of the communicator table with the slots that are in use on it.
//
// The entry holds what the hosts derived: the positions below each child that is a member,
// and this switch's own place. Its size grows with the children here, which the radix of
// the switch bounds, not with the group.
#pragma once

#include "runtime/switch/collective/Task.h"
#include "runtime/switch/collective/Uplink.h"
#include "runtime/switch/core/Kept.h"
#include "runtime/switch/core/Plugin.h"
#include "runtime/switch/core/Slot.h"
#include "runtime/switch/core/Tasks.h"
#include "runtime/switch/direct/Exchange.h"

#include <deque>
#include <memory>
#include <unordered_map>

namespace acis::sw {

/// What a job's program (`handle`) makes of a collective's result and of what a task gives. See
/// Tasks.h.
using TaskRunner = std::function<TaskRun(
    JobId job, uint32_t handle, std::span<const uint8_t> result, std::span<const uint8_t> given)>;

struct CommunicatorCounters {
  uint64_t slots = 0, contributions = 0, duplicates = 0, outOfWindow = 0, malformed = 0,
           noMemory = 0, notMember = 0, mixedOperations = 0;
  direct::Exchange::Counters across;
};

class Communicator final : public collective::Uplink::Owner, public direct::Exchange::Owner {
public:
  struct Config {
    JobId job = 0;
    uint32_t context = 0;
    uint32_t slots = 64, messageBytes = 65'536, packetBytes = 16'384;
    /// In an engine: the number of this use, which no other has had.
    uint32_t use = 0;
  };

  /// As the first Join says; the other members must say the same of what is above them. `engine`:
  /// of what `combine` and `runProgram` do.
  Communicator(Services &services, const Config &config, const wire::Join &join,
               const Combiner &combine, const TaskRunner &runProgram, EngineClock &engine,
               Kept &kept, CommunicatorCounters &count);
  ~Communicator() override;

  /// "" if the member fits, or why not. The same session may join again. `asked`: the packet.
  std::string join(SessionId session, const wire::Join &join, uint64_t asked);
  /// Whether this is of a member that has not joined yet, or asks again.
  bool expects(SessionId session, const wire::Join &join) const;
  /// False: others wait for what this member has not given; the job has failed, and with it this
  /// communicator is gone.
  bool leave(SessionId session);
  bool anyLeft() const { return left > 0; }
  bool allLeft() const { return left == children.size(); }
  /// Whether the switch above has all that members gave: their contributions are confirmed
  /// here, so they may leave before it has.
  bool isDrained() const { return (!uplink || uplink->idle()) && (!exchange || exchange->idle()); }
  /// Of what goes to all members here; opened when a host asks for it first.
  const wire::Cast &hostCast();
  bool isMember(SessionId session) const { return childOfSession.contains(session); }
  /// Who has joined and not left, and the number of the packet that asked.
  struct Member {
    SessionId session = 0;
    uint64_t asked = 0;
  };
  std::vector<Member> members() const;

  /// The join to make above, or one without levels if this is the top.
  const wire::Join &above() const { return upper; }
  bool isTop() const { return upper.levels.empty(); }
  void linkOpened(uint32_t packetBytes);
  bool isLinked() const { return isTop() || uplink != nullptr; }

  /// Of a member; its digest is used for what goes out with the same payload.
  void contribute(const Packet &packet);
  void poll(const Packet &packet);
  /// A child says with what it is done.
  void done(SessionId session, const wire::Header &header);
  /// False: the job has failed, and with it this communicator is gone.
  bool fromAbove(const wire::Header &header, std::span<const uint8_t> payload);
  /// In an engine, of a communicator whose members are on several; nullptr: it is none.
  direct::Exchange *engines() { return exchange.get(); }
  /// Of another engine; false: as of fromAbove().
  bool fromEngine(uint16_t engine, const wire::Header &header, std::span<const uint8_t> payload);
  bool engineEnded(uint16_t engine);
  /// Sends the results that are ready. Who comes in the same batch shares one that goes to all.
  void deliver();
  wire::Time tick();
  /// Tasks whose collective's result is here: each answers its host and gives what the host would
  /// give next, by which others may become ready. Goes on with what the engine has done by now.
  /// False: as of fromAbove().
  bool runTasks();
  bool hasRunnable() const {
    return exchange || !runnable.empty() || nextComputed() <= services.now();
  }
  /// When something of this communicator has been computed, or has to go to other engines.
  wire::Time nextEnd() const { return std::min(nextComputed(), exchangeAt); }

  /// Bytes of the entry without slots: the table's row.
  uint64_t entryBytes() const;
  uint64_t slotBytes() const { return charged; }
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  struct Child {
    SessionId session = 0;
    uint32_t id = 0;    ///< world rank, or number of the switch
    uint64_t asked = 0; ///< number of its last Join; packets before it are of an earlier use
    bool joined = false, left = false, isHost = false;
    uint64_t done = 0; ///< it has the answers of all slots below
    uint64_t next = 0; ///< it has contributed to none from here on, nor got an answer
    uint64_t here = 0; ///< it has contributed to all below to which it has to
    unsigned owed = 0; ///< confirmations that nobody waits for
    wire::Time owedSince = 0;
    uint64_t credit = 0;
    bool hears = false;       ///< Shared packets, as it last said
    uint32_t packetBytes = 0; ///< of datagrams to it and from it
    collective::Subtree range;
  };

  wire::Time nextComputed() const {
    return computing.empty() ? wire::Never : computing.front().until;
  }
  Child *senderOf(SessionId session, const wire::Header &header);
  Child *childOf(SessionId session);
  bool isThisGroup(const wire::Join &join) const;
  uint32_t indexOf(const Child &child) const { return uint32_t(&child - children.data()); }
  Slot &slotAt(uint64_t number) { return ring[number % config.slots]; }
  uint64_t credit() const override { return lowest + config.slots; }

  /// Whether nothing of the child's is missing in a slot: nor is it of one who only receives.
  bool isComplete(const Child &child, uint64_t number) {
    const Slot &slot = slotAt(number);
    return slot.begun() && slot.number() == number &&
           (slot.has(indexOf(child)) || comesUnasked(child, slot));
  }
  /// What a packet to the child says of its messages; with it nothing is owed.
  uint32_t confirmation(Child &child) {
    child.owed = 0;
    return uint32_t(child.here);
  }
  void owe(Child &child);
  void sendCredit(Child &child);
  void acknowledge(Child &child, uint64_t done);
  void advance();
  void drop(uint64_t &counter, std::string_view why) {
    ++counter;
    services.note({0, why});
  }
  /// Dropped: for now, or as it is of no good host. Failed: so has the job, and with it this
  /// communicator is gone.
  enum class Verdict : uint8_t { Accepted, Dropped, Failed };
  Verdict accept(Child &child, const wire::Header &header);
  bool isWellFormed(const wire::Header &header) const;
  bool isGoodTask(const Child &child, const wire::Header &header) const;
  uint64_t messageBytes(const Child &child, const wire::Header &header) const;
  bool hasRoom(uint64_t bytes);
  bool reserve(Slot &slot, const wire::Header &header);
  Verdict begin(const wire::Header &header);
  void keepTask(Child &child, const wire::Header &header, std::span<const uint8_t> task);
  bool give(Child &child, const wire::Header &header, std::span<const uint8_t> message,
            const wire::Digest *digest);
  bool runTask(Child &child, Slot &slot);
  bool endTask(Child &child, Slot &slot);
  bool waitForFolds(Slot &slot, wire::Time before);
  bool endFolds(Slot &slot);
  bool endComputed();
  bool readStep(const Child &child, const Slot &slot, std::optional<wire::Header> &step) const;
  void compute(const Child &child, Slot &slot, const std::optional<wire::Header> &step);
  bool isSilent(const Child &child, const wire::Header &header) const;
  bool progress(Slot &slot);
  bool pumpEngines();
  void deliverAll(Slot &slot);
  void deliverTo(Child &child, const Slot &slot);
  void deliverShared(const Slot &slot);
  bool isWorthHolding(const Slot &slot) const;
  bool isHere(uint64_t number) {
    return slotAt(number).begun() && slotAt(number).number() == number;
  }
  void release(Slot &slot);
  void releaseIfAsked(Slot &slot);
  wire::Time releaseOverdue();
  bool isWorthSharing(const Slot &slot) const;
  std::span<const uint8_t> resultForAll(const Slot &slot) const;
  void sendShared(const Slot &slot);
  /// Parts of a result that a child which asks has, a bit for each; no value: it has not asked.
  using Have = std::optional<uint64_t>;
  void answer(Child &child, const wire::Header &header, uint64_t have = 0);
  bool isUnderWay(const Child &child, const Slot &slot) const;
  bool isOneWay(const Child &child, const Slot &slot) const;
  bool isNeeded(const Child &child, const Slot &slot) const;
  void failWithout(const Child &child, const Slot &slot);
  bool comesUnasked(const Child &child, const Slot &slot) const;
  void sendResult(Child &child, const Slot &slot, Have have = {});
  void sendTaskAnswer(Child &child, const Slot &slot, Have have = {});
  void sendResult(std::span<Child *const> to, const Slot &slot, std::span<const uint8_t> result,
                  Have have = {});
  /// Calls send(header, part of the payload) for each packet.
  template <typename F>
  void inParts(wire::Header &header, std::span<const uint8_t> result, uint32_t packetBytes,
               F send) const;
  uint32_t castBytes() const { return children.front().packetBytes; }
  void sendWait(Child &child, const wire::Header &header);
  void failWith(const std::string &what);
  bool account(Slot &slot, uint64_t before);

  std::span<const uint8_t> contribution(uint64_t slot) override;
  void answered(uint64_t slot, std::span<const uint8_t> result) override;
  void sendUp(const wire::Header &header, std::span<const uint8_t> payload) override;

  bool exchanged(uint64_t slot, std::span<const uint8_t> all) override;
  void sendAcross(uint16_t engine, const wire::Header &header,
                  std::span<const uint8_t> payload) override;
  Status fold(const wire::Header &header, std::span<const uint8_t> a, std::span<const uint8_t> b,
              std::span<uint8_t> out) override {
    return combine(header, a, b, out);
  }
  wire::Time foldedBy() const override { return engine.end(); }
  bool charge(int64_t bytes) override { return services.charge(config.job, bytes); }
  direct::Exchange::Owner::Verdict expect(const wire::Header &message) override;
  void failed(const std::string &what) override { failWith(what); }

  Services &services;
  Config config;
  Combiner combine;
  TaskRunner runProgram;
  EngineClock &engine;
  Kept &kept;
  CommunicatorCounters &count;
  wire::Join upper;
  uint64_t groupFingerprint = 0;
  collective::Subtree own;
  std::vector<Child> children;
  std::unordered_map<SessionId, uint32_t> childOfSession;
  uint32_t left = 0;
  std::vector<Slot> ring;
  uint64_t lowest = 0; ///< slots below are done everywhere
  uint64_t charged = 0;
  wire::Time confirmAt = wire::Never; ///< what is owed goes out then
  std::unique_ptr<collective::Uplink> uplink;
  std::unique_ptr<direct::Exchange> exchange;
  wire::Time exchangeAt = wire::Never; ///< it is pumped then
  std::optional<wire::Cast> cast;      ///< no value: nobody has asked for it
  unsigned trials = 4;                 ///< Shared packets to find out who hears them
  unsigned untried = 0; ///< results that went to several alone since the last of these
  struct Due {
    uint64_t slot;
    uint32_t child;
  };
  std::vector<Due> due;     ///< of deliver()
  std::deque<Due> runnable; ///< tasks whose collective's result is here
  /// What the engine still does: folds of a slot, or a child's task.
  struct Computing {
    uint64_t slot;
    std::optional<uint32_t> task;
    wire::Time until;
  };
  std::deque<Computing> computing; ///< in order of time; may name slots that are not
  struct Held {
    uint64_t slot;
    wire::Time until;
  };
  std::deque<Held> held;                       ///< in order of time; may name slots that are not
  std::vector<Child *> receivers;              ///< of deliver(), kept for its memory
  std::vector<Services::Recipient> recipients; ///< of sendResult()
};

} // namespace acis::sw
