// The session's state machine without socket, thread and lock: what a Session does, and
// what the in-memory tests run.
#pragma once

#include "runtime/host/client/HostCommunicator.h"
#include "runtime/host/client/HostControl.h"
#include "runtime/host/client/HostMemory.h"
#include "runtime/switch/collective/ParentLink.h"

#include <map>
#include <memory>
#include <set>

namespace acis::client {

class HostSession final : collective::ParentLink::Owner {
public:
  struct Config {
    collective::ParentLink::Config link;
    collective::Placement placement;
    uint32_t eagerBytes = 4096;
    Way way = Way::Automatic; ///< of engines
  };
  using Output = std::function<void(std::span<const uint8_t>)>;
  /// Begins or ends to receive what is sent to a multicast group; false: that cannot be done.
  using Listen = std::function<bool(const wire::Address &group, bool begin)>;

  /// Where the datagram of so many bytes that is sent next is best written.
  using Room = std::function<std::span<uint8_t>(size_t bytes)>;
  /// Sends a datagram in two pieces, of which the second stays as it is until receive(), tick()
  /// or start() returns, and is not to be looked at later.
  using InPieces =
      std::function<void(std::span<const uint8_t> head, std::span<const uint8_t> body)>;
  /// See ParentLink::Owner::packetBytes.
  using Path = std::function<uint32_t()>;

  /// Without `listen` the switch sends everything to this host alone; without `room` datagrams are
  /// written anywhere.
  HostSession(const Config &config, Output output, Listen listen = {}, Room room = {},
              Path path = {});

  /// From now on long messages go from where they lie.
  void sendInPieces(InPieces way) { pieces = std::move(way); }

  void receive(std::span<const uint8_t> datagram, wire::Time now);
  /// The same of one whose payload does not lie behind its header: it is in its Place.
  void receive(std::span<const uint8_t> head, std::span<const uint8_t> payload, wire::Time now);
  /// Where the payloads of the next packets may be received, at most so many.
  void expect(std::vector<Place> &places, size_t most) const;
  /// Sends what is due; returns when to call again at the latest.
  wire::Time tick(wire::Time now);
  /// Who waits was woken so much later than tick() said: waits for answers may be longer.
  void late(wire::Time by) {
    for (auto &[context, communicator] : communicators)
      communicator->late(by);
  }

  collective::ParentLink::State state() const { return link.state(); }
  /// Why it is not attached yet.
  std::string whyWaiting() const { return link.whyWaiting(); }
  /// "" or why the job is over.
  const std::string &failure() const { return link.failure(); }
  void nobodyListens() { link.nobodyListens(); }
  /// Asks whether the switch is there.
  void ask(wire::Time now) { link.ask(now); }
  uint64_t refusedDatagrams() const { return link.refusedDatagrams(); }

  /// Begins; the answer is in joinAnswer() when it is there.
  Status join(uint32_t context, std::span<const uint32_t> worldRanks, wire::Time now);
  std::optional<std::string> joinAnswer(uint32_t context) const;
  /// After a refusal, or with nothing under way.
  void leave(uint32_t context, wire::Time now);
  bool isLeaving(uint32_t context) const { return leaving.contains(context); }
  /// Leaves as soon as nothing is under way.
  void retire(uint32_t context, wire::Time now);

  void upload(std::span<const uint8_t> elf, const std::string &name, uint64_t hash, wire::Time now);
  /// The answer to the last upload.
  const std::optional<wire::BlobAck> &uploadAnswer() const { return blobAnswer; }

  /// A member of a control group begins; its context is one of its own, whatever communicators
  /// have. The answer is in control() when that is heard.
  Status openControl(uint32_t context, std::span<const uint32_t> worldRanks,
                     const wire::Policy &policy, wire::Time now);
  /// Payload of what is said at once, in as many packets as the path needs: most bytes of a task,
  /// and of what goes into a sum with who is in it.
  uint32_t datagramBytes() const { return link.welcome().cutBytes; }
  /// nullptr: there is none.
  HostControl *control(uint32_t context);
  /// Why it cannot be used instead: not opened, or failed as the session has.
  Result<HostControl *> usableControl(uint32_t context);
  /// As Session's calls, without waiting. Whether the iteration may begin, and then it has.
  Result<bool> beginIteration(uint32_t context, uint64_t iteration, wire::Time now);
  Status endIteration(uint32_t context, uint64_t iteration, wire::Time now);
  Result<ControlState> controlState(uint32_t context);
  /// Forgets one that has left, or that has failed.
  void closeControl(uint32_t context) { controls.erase(context); }

  /// Of a memory node.
  HostMemory &memory() { return blocks; }
  const HostMemory &memory() const { return blocks; }
  /// Most data of a request to it, and of an answer.
  uint32_t accessBytes() const {
    constexpr uint32_t overhead = 64; // of Access and Outcome
    return std::max(datagramBytes(), 2 * overhead) - overhead;
  }
  Result<Plan> plan(const Collective &call) const;
  Result<Request> start(const Collective &call, wire::Time now);
  /// See Session.
  bool weigh(const Collective &call);
  /// A request that is complete is forgotten; it stays complete.
  bool isDone(Request request);
  /// Bytes of each member that the switch has to take in before the request is complete, where it
  /// folds them; else 0.
  uint64_t bytesToFold(Request request) const;
  std::string missing(Request request) const;
  /// Nothing waits for an answer of the switch, on one communicator or at all.
  bool idle(uint32_t context) const;
  bool idle() const;
  void close(wire::Time now) { link.close(now); }

  /// All of them but packets and bytes, which who has the socket knows.
  void count(SessionCounters &out) const;
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  void sendDatagram(std::span<const uint8_t> datagram) override { output(datagram); }
  std::span<uint8_t> room(size_t bytes) override {
    return whereToWrite ? whereToWrite(bytes) : std::span<uint8_t>();
  }
  bool takesPieces() const override { return bool(pieces); }
  void sendPieces(std::span<const uint8_t> head, std::span<const uint8_t> body) override {
    pieces(head, body);
  }
  uint32_t packetBytes() override { return path ? path() : UINT32_MAX; }
  void answer(const wire::Header &header, std::span<const uint8_t> payload) override;
  void collective(const wire::Header &header, std::span<const uint8_t> payload) override;
  void failed(const std::string &what) override {}
  Result<std::optional<Plan>> planAfter(const Collective &call) const;
  Result<std::optional<TaskCall>> taskOf(const Collective &call, const Plan &first);
  void sendPiece(uint32_t offset, size_t most);
  void hear(uint32_t context, const wire::Cast &cast);
  void hearNoMore(uint32_t context);
  static void add(const HostCommunicator &communicator, SessionCounters &out);

  Config config;
  Output output;
  Listen listen;
  Room whereToWrite;
  InPieces pieces;
  Path path;
  collective::ParentLink link;
  wire::Time time = 0;
  TaskMemory kept;
  std::map<uint32_t, std::unique_ptr<HostCommunicator>> communicators;
  std::map<uint32_t, std::unique_ptr<HostControl>> controls;
  HostMemory blocks;
  uint64_t controlVersion = 0;                           ///< of Reports
  std::map<uint32_t, std::string> joined;                ///< answers
  std::map<uint32_t, std::vector<uint8_t>> refusedJoins; ///< what was asked for
  std::map<uint32_t, bool> leaving;
  std::set<uint32_t> retired;                ///< to be left when idle
  std::map<uint32_t, wire::Address> groupOf; ///< multicast, of each context that has one
  std::map<Request, uint32_t> contextOf;
  Request lastRequest = 0;
  SessionCounters freed; ///< of communicators that are left
  struct {
    std::vector<uint8_t> elf;
    std::string name;
    uint64_t hash = 0;
  } blob;
  std::optional<wire::BlobAck> blobAnswer;
};

} // namespace acis::client
