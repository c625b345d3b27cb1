// A communicator on the host: its collectives in order, cut into slots of the uplink.
#pragma once

#include "runtime/host/client/TaskCall.h"
#include "runtime/switch/collective/Uplink.h"

#include <deque>
#include <functional>
#include <map>

namespace acis::client {

/// Where the payload of a packet belongs in the caller's buffer.
struct Place {
  uint32_t context = 0;
  uint64_t slot = 0;
  uint16_t part = 0;
  std::span<uint8_t> bytes;

  /// Whether a datagram with this header and as much payload, if it is one, is that packet.
  bool isFor(std::span<const uint8_t> head) const;
};

class HostCommunicator final : public collective::Uplink::Owner {
public:
  /// `stays`: the payload lies in the caller's buffer of a call that is not complete.
  using Send = std::function<void(const wire::Header &, std::span<const uint8_t>, bool stays)>;

  HostCommunicator(uint32_t context, std::vector<uint32_t> worldRanks, uint32_t me,
                   collective::Tree tree, const wire::Welcome &limits, Send send);

  /// How engines are to do what is started from here on.
  void ask(Way wanted) { way = wanted; }
  const collective::Tree &tree() const { return shape; }
  uint32_t rank() const { return me; }
  uint32_t messageBytes() const { return limits.messageBytes; }
  uint32_t packetBytes() const { return limits.packetBytes; }
  uint32_t cutBytes() const { return limits.cutBytes; }
  bool idle() const { return calls.empty(); }

  /// Takes a plan; `id` is complete when isDone() says so. An eager call keeps a copy of
  /// what it gives and is complete at once.
  void start(Request id, Plan plan, bool eager);
  /// The same of one with a task.
  void start(Request id, Plan plan, TaskCall task);
  bool isDone(Request id) const;
  /// Bytes of each member that the switch has to take in before the request is complete, where it
  /// folds them; else 0.
  uint64_t bytesToFold(Request id) const;
  /// What the oldest fragment of a call waits for.
  std::string missing(Request id) const;

  void receive(const wire::Header &header, std::span<const uint8_t> payload, wire::Time now);
  /// Adds where payloads of packets that are to come may be received, as long as there are less
  /// than `most` of them.
  void expect(std::vector<Place> &places, size_t most) const;
  wire::Time pump(wire::Time now);
  void late(wire::Time by) { uplink.late(by); }
  const collective::Uplink::Counters &counters() const { return uplink.counters(); }
  uint64_t completed() const { return finished; }
  /// Of ops, on switches that count them.
  uint64_t opCycles() const { return cycles; }
  void fingerprint(std::vector<uint64_t> &out) const { uplink.fingerprint(out); }

private:
  struct Call {
    Request id = 0;
    Plan plan;
    uint64_t first = 0; ///< slot of fragment 0
    uint64_t next = 0;  ///< fragment to offer
    uint64_t done = 0;  ///< answered
    bool eager = false;
    std::vector<uint8_t> copy;
    std::string name;
    uint32_t sequence = 0;
    std::optional<TaskCall> task; ///< what follows it has the next slot
    bool isMade = false;          ///< by the switch
    bool isNextDue = false;       ///< the task is over, and what follows not yet offered

    uint64_t slots() const { return plan.fragments() + (task && task->next() ? 1 : 0); }
    bool isOfTask(uint64_t slot) const { return task && slot == first; }
    /// That a slot belongs to, and the slot's fragment of it.
    const Plan &planOf(uint64_t slot) const { return task && slot != first ? *task->next() : plan; }
    uint64_t fragmentOf(uint64_t slot) const { return task ? 0 : slot - first; }
  };

  const Call &callOf(uint64_t slot) const;
  Call &callOf(uint64_t slot) { return const_cast<Call &>(std::as_const(*this).callOf(slot)); }
  std::deque<Call>::const_iterator find(Request id) const;
  collective::Uplink::Manner mannerOf(const Call &call, const wire::Header &header) const;
  void enter(Call call, uint32_t collectives);
  void offer();
  void offerTask(Call &call);
  void offerNext(Call &call);
  void removeFinished();

  std::span<const uint8_t> contribution(uint64_t slot) override;
  bool takePart(uint64_t slot, size_t from, std::span<const uint8_t> part) override;
  void answered(uint64_t slot, std::span<const uint8_t> result) override;
  void sendUp(const wire::Header &header, std::span<const uint8_t> payload) override;

  uint32_t context;
  std::vector<uint32_t> worldRanks;
  uint32_t me;
  collective::Tree shape;
  wire::Welcome limits;
  Send send;
  collective::Uplink uplink;
  std::deque<Call> calls; ///< not complete, in order
  uint64_t nextSlot = 0;
  uint32_t sequence = 0;
  Way way = Way::Automatic;
  uint64_t finished = 0, cycles = 0;
  std::vector<uint8_t> scratch;
};

} // namespace acis::client
