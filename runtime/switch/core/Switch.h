// The switch without its sockets: datagrams in, datagrams out, time as an argument.
// Single-threaded and deterministic; what it sends depends on what it was given only (and
// on the configured secret, from which session numbers and cookies come).
//
//   ports -> parser (header, tag, session, replay, rate) -> plugin -> deparser (number, tag)
//
// A packet that fails a check is counted and changes nothing else.
#pragma once

#include "runtime/switch/collective/ParentLink.h"
#include "runtime/switch/core/Journal.h"
#include "runtime/switch/core/SourceRates.h"

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

namespace acis::sw {

struct SwitchConfig {
  uint32_t id = 0;
  std::optional<wire::Key> master; ///< no value: tags are checksums, for a trusted fabric
  /// Switches above; job j uses number j % size. Empty: this is the top.
  std::vector<wire::Address> parents;
  /// This is an engine of a direct network, and has no parents; nullptr: it is not.
  std::shared_ptr<const direct::Network> network;
  wire::Time deadAfter = 10 * wire::Second; ///< silence after which a child is dead
  /// Children that are silent for a quarter of it are sent to, so that refused() is called.
  bool probes = false;

  uint32_t messageBytes = 65'536; ///< a slot's message
  uint32_t packetBytes = 16'384;  ///< payload of one datagram, where the path takes so much
  uint32_t slots = 64;            ///< of a communicator, in use at once
  uint32_t maxJobs = 64, maxSessions = 4096, maxContexts = 4096;
  uint64_t maxJobBytes = uint64_t(256) << 20; ///< slot memory and operators of one job
  /// Of it for what the ops of tasks read and the switch keeps from call to call (Kept.h).
  uint64_t maxKeptBytes = uint64_t(16) << 20;
  uint64_t packetsPerSecond = 0; ///< of one source; 0: no limit
  uint64_t secret = 1;           ///< unpredictable in a real switch
  /// The first of 65,536 IPv4 multicast groups for what is for all hosts of a communicator; no
  /// value: each gets a datagram of its own.
  std::optional<wire::Address> casts;
};

/// Datagrams that the switch sends. Ports are numbered by the driver; 0 speaks ACiS.
struct Output {
  virtual ~Output() = default;
  virtual void send(unsigned port, const wire::Address &to, std::span<const uint8_t> datagram) = 0;
  /// Where a datagram of so many bytes that is sent next on port 0 is best written; empty:
  /// anywhere.
  virtual std::span<uint8_t> room(size_t) { return {}; }
  /// Whether datagrams on port 0 may be sent in two pieces, of which the second stays as it is
  /// until sendStaying() is called.
  virtual bool takesPieces() const { return false; }
  virtual void sendPieces(const wire::Address &to, std::span<const uint8_t> head,
                          std::span<const uint8_t> body) {}
  virtual void sendStaying() {}
  /// Most payload of a datagram that the path from port 0 takes in one piece, as far as is known.
  virtual uint32_t packetBytes(const wire::Address &to) { return UINT32_MAX; }
};

/// Sees every datagram, for a capture: arrived(), then verdicts, of which the last counts, then
/// what was sent because of it.
struct Tap {
  virtual ~Tap() = default;
  virtual void arrived(const Ingress &in, wire::Time now) = 0;
  virtual void verdict(const Services::Verdict &verdict) = 0;
  virtual void sent(unsigned port, const wire::Address &to, std::span<const uint8_t> datagram,
                    wire::Time now) = 0;
};

struct SwitchCounters {
  uint64_t received = 0, sent = 0, bytesReceived = 0, bytesSent = 0;
  // Dropped, by cause.
  uint64_t malformed = 0, otherVersion = 0, unauthenticated = 0, foreign = 0, rateLimited = 0,
           failedJob = 0, outOfOrder = 0, otherNetwork = 0, strayed = 0;
  uint64_t handedOn = 0; ///< datagrams between other engines
  uint64_t jobsStarted = 0, jobsFailed = 0, sessionsOpened = 0, sessionsDead = 0, refused = 0;
};

class Switch final : Services {
public:
  /// `rates`: shared with other cores of the same switch; nullptr: an own one.
  Switch(const SwitchConfig &config, Output &output, std::shared_ptr<SourceRates> rates = nullptr);
  ~Switch();

  /// Plugins are asked in the order in which they were added, and end in the reverse one.
  void add(std::unique_ptr<Plugin> plugin);
  Services &services() { return *this; }
  /// `tap` outlives the switch; nullptr: nobody watches.
  void watch(Tap *watcher) { tap = watcher; }
  /// `log` outlives the switch; nullptr: nobody keeps one.
  void keep(Journal *log) { journal = log; }
  const SwitchConfig &configuration() const { return config; }

  /// Handles what arrived. Jobs take turns by bytes, so that one with many packets in the
  /// batch does not delay the others.
  void receive(std::span<const Ingress> batch, wire::Time now);
  /// The machine of `to` has answered that nobody listens there. Who is silent and was sent to
  /// hears no more, so that a death is noticed long before deadAfter.
  void refused(const wire::Address &to, wire::Time now);
  /// Repeats and expires; returns when to call again at the latest.
  wire::Time tick(wire::Time now);

  const SwitchCounters &counters() const { return count; }
  Statistics statistics() const;
  size_t jobs() const { return jobTable.size(); }
  size_t sessions() const { return sessionTable.size(); }
  /// The state without times, for exploration.
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  struct Job;
  struct Child;
  struct Link;
  struct OpenCast;

  wire::Time now() const override { return time; }
  void send(SessionId session, const wire::Header &header,
            std::span<const uint8_t> payload) override {
    const Recipient one{session, header.sequence};
    sendEach({&one, 1}, header, payload, nullptr);
  }
  void sendEach(std::span<const Recipient> recipients, const wire::Header &header,
                std::span<const uint8_t> payload, const wire::Digest *digest) override;
  void beginStaying() override { staying = true; }
  void endStaying() override;
  wire::Cast openCast(JobId job) override;
  void closeCast(uint32_t number) override;
  void sendCast(uint32_t number, const wire::Header &header, std::span<const uint8_t> payload,
                const wire::Digest *digest) override;
  const SessionInfo *session(SessionId id) const override;
  bool hasParent() const override { return !config.parents.empty(); }
  void sendAbove(JobId job, const wire::Header &header, std::span<const uint8_t> payload) override;
  void requestAbove(JobId job, wire::PacketType type, uint32_t context,
                    std::vector<uint8_t> payload) override;
  uint32_t packetBytesAbove(JobId job) const override;
  const direct::Network *network() const override { return config.network.get(); }
  bool reach(JobId job, uint16_t engine) override;
  void sendAcross(JobId job, uint16_t engine, const wire::Header &header,
                  std::span<const uint8_t> payload) override;
  bool charge(JobId job, int64_t bytes) override;
  void fail(JobId job, const std::string &what) override;
  void sendRaw(unsigned port, const wire::Address &to, std::span<const uint8_t> datagram) override;
  void note(const Verdict &verdict) override {
    if (tap)
      tap->verdict(verdict);
  }
  /// Counts a datagram that goes no further.
  void drop(uint64_t &counter, std::string_view why) {
    ++counter;
    note({0, why});
  }

  void dispatch(std::span<const Ingress> batch);
  void raw(std::span<const Ingress> batch);
  void one(const Ingress &in);
  void parse(const Ingress &in);
  void transit(const Ingress &in);
  void called(const Ingress &in, const wire::Header &header);
  wire::Time call();
  void leaveEngines();
  bool isVia(const wire::Address &end, const wire::Address &neighbour) const;
  std::string nameOf(const SessionInfo &info) const;
  void fromParent(const Ingress &in);
  void fromChild(const Ingress &in, const wire::Header &header);
  void partFromChild(Child &child, wire::Header header, std::span<const uint8_t> payload);
  void control(Child &child, const wire::Header &header, std::span<const uint8_t> payload);
  void hello(const Ingress &in, const wire::Header &header);
  void open(const Ingress &in, const wire::Header &header, const wire::Hello &hello);
  bool isOver(JobId id, const wire::Hello &hello);
  bool hasRival(JobId id, std::pair<bool, uint32_t> member);
  bool isEnding(JobId id, std::pair<bool, uint32_t> member);
  bool awaits(JobId id, std::pair<bool, uint32_t> member, uint64_t nonce) const;
  bool isOfAnotherRun(JobId id, std::pair<bool, uint32_t> member) const;
  uint32_t packetBytesFor(const wire::Address &to, uint32_t theirs);
  std::string admit(const wire::Header &header, const wire::Hello &hello, const Ingress &in);
  void welcome(const Ingress &in, const wire::Header &header, const wire::Hello &hello,
               const std::string &refusal, SessionId session);
  void reset(const Ingress &in, const wire::Header &header);
  void bare(const Ingress &in, wire::Header header, std::span<const uint8_t> payload,
            const std::optional<wire::Key> &key);
  void deny(const Ingress &in, const wire::Header &header);
  uint64_t cookie(const wire::Address &from, uint32_t job, const wire::Hello &hello,
                  uint64_t period) const;
  SessionId freshNumber();
  void sweep();
  void dies(SessionId id);
  wire::Time probe(SessionId id, Child &child);
  wire::Time serve();
  void endSession(SessionId id);
  void endJob(JobId id);
  void forget(JobId id);
  void tell(const Event &event) {
    if (journal)
      journal->event(event);
  }
  Link *linkOf(JobId job);
  Link *linkTo(JobId job, uint16_t engine);
  std::unique_ptr<Link> makeLink(JobId id, const Job &job, const wire::Address &to,
                                 const std::string &name);
  Plugin *pluginFor(wire::PacketType type) const;
  std::optional<wire::Key> keyOf(uint32_t job) const;
  std::span<uint8_t> room(size_t payload);
  void transmit(unsigned port, const wire::Address &to, std::span<const uint8_t> datagram);
  void pass(wire::Channel &channel, const wire::Address &to, const wire::Header &header,
            std::span<const uint8_t> payload, const wire::Digest *digest);

  SwitchConfig config;
  Output &output;
  Tap *tap = nullptr;
  Journal *journal = nullptr;
  wire::Time time = 0;
  wire::Tagger secret;
  wire::Tagger fabric; ///< of transit headers
  std::map<JobId, std::unique_ptr<Job>> jobTable;
  std::unordered_map<SessionId, std::unique_ptr<Child>> sessionTable;
  std::unordered_map<uint32_t, std::unique_ptr<OpenCast>> casts;
  std::vector<std::unique_ptr<Plugin>> plugins;
  const std::shared_ptr<SourceRates> rates;
  uint64_t sessionSeed = 0;
  wire::Time nextSweep = 0;
  wire::Time promised = wire::Never; ///< when tick() asked to be called
  bool staying = false;              ///< see beginStaying()
  bool hasPieces = false;            ///< some were sent since
  SwitchCounters count;
  std::vector<uint8_t> buffer;
};

} // namespace acis::sw
