// An engine's side of one communicator among the engines of a direct network: what its own members
// have given goes through the steps of a schedule, message by message, whatever the network does.
//
// Both ends of every pair repeat what they have sent until they hear that it is here. A message is
// known by its number among all of one engine to the other in this use of the communicator; what
// comes early, before the own members have called, waits in the slot for its step. Slots do not
// wait for each other. Pure state machine: no sockets, no clock.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/collective/Row.h"
#include "runtime/switch/direct/Ways.h"
#include "runtime/switch/wire/Across.h"
#include "runtime/switch/wire/RoundTrip.h"

#include <deque>
#include <memory>
#include <span>

namespace acis::direct {

class Exchange {
public:
  struct Owner {
    virtual ~Owner() = default;
    /// What the own members give in an offered slot; empty where a source is elsewhere.
    virtual std::span<const uint8_t> contribution(uint64_t slot) = 0;
    /// What is left of the schedule's buffer: the fold, the source's, or all blocks by position.
    /// False: that failed, and so did the job.
    virtual bool exchanged(uint64_t slot, std::span<const uint8_t> all) = 0;
    virtual void sendAcross(uint16_t engine, const wire::Header &header,
                            std::span<const uint8_t> payload) = 0;
    virtual Status fold(const wire::Header &header, std::span<const uint8_t> a,
                        std::span<const uint8_t> b, std::span<uint8_t> out) = 0;
    /// When all folds until now are done; past: they are.
    virtual wire::Time foldedBy() const = 0;
    /// Takes (or, negative, gives back) memory of the job; false: none left.
    virtual bool charge(int64_t bytes) = 0;
    /// Begins the slot of a message that came before the own members' calls, or compares them.
    enum class Verdict : uint8_t { Accepted, Dropped, Failed };
    virtual Verdict expect(const wire::Header &message) = 0;
    /// Slots below may be used.
    virtual uint64_t credit() const = 0;
    /// Ends the job, and with it the owner and this.
    virtual void failed(const std::string &what) = 0;
  };

  struct Config {
    uint32_t context = 0, use = 0;
    uint16_t number = 0; ///< of this engine
    uint32_t slots = 64, messageBytes = 65'536, packetBytes = 16'384;
    uint32_t members = 0; ///< of the communicator
    uint64_t fingerprint = 0;
    collective::Row row;
    wire::Group group;
    const Fabric *fabric = nullptr; ///< outlives this
  };
  struct Counters {
    uint64_t messages = 0, repeated = 0, early = 0, duplicates = 0, dropped = 0;
  };

  Exchange(Owner &owner, const Config &config, Counters &count);
  ~Exchange();

  uint32_t use() const { return config.use; }
  /// Numbers of the engines that this one exchanges with.
  std::vector<uint16_t> partners() const;
  /// All slots below are over, and what was sent in them is there.
  uint64_t low() const { return lowest; }
  /// Nothing is under way.
  bool idle() const;
  /// The own members have given all in the slot. Requires credit. The calls that return a bool give
  /// false when the job has failed, and with it this is gone.
  bool offer(const wire::Header &descriptor, wire::Time now);
  /// Meet, Message or Heard of an engine.
  bool receive(uint16_t engine, const wire::Header &header, std::span<const uint8_t> payload,
               wire::Time now);
  /// There is a session with the engine.
  void opened(uint16_t engine);
  /// An engine has ended the job: its members have left.
  bool ended(uint16_t engine);
  /// Tells all partners that this use is over; idle() before.
  void end();
  /// Sends what may and must be sent and goes on with what waited for folds. `next`: when to call
  /// again at the latest.
  bool pump(wire::Time now, wire::Time &next);
  /// Positions that the lowest slot waits for.
  std::vector<wire::Range> missing() const;
  /// The state without times and counters, for exploration.
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  /// A message to a partner until it is there.
  struct Sent {
    wire::Header header;
    uint32_t ordinal = 0;
    std::vector<uint8_t> bytes;
    bool isOut = false, isThere = false;
    bool isAgain = false; ///< sent more than once
    wire::Time firstAt = 0, sentAt = 0;
  };
  struct Partner {
    uint32_t place = 0;
    uint16_t number = 0;
    uint32_t theirs = 0;    ///< its use; 0: not known, nothing is sent
    uint32_t tentative = 0; ///< what it said before it was known to mean this use
    bool isOver = false;    ///< its use has ended
    std::deque<Sent> sent;  ///< numbers from `first` on
    uint32_t first = 0;
    uint32_t here = 0;   ///< all of its messages below have come
    uint64_t later = 0;  ///< bit i: here + 1 + i has, too
    uint64_t credit = 0; ///< slots below it takes
    uint64_t told = 0;   ///< own credit as it last heard
    unsigned owed = 0;   ///< its messages that were not confirmed
    wire::Time owedSince = 0;
    bool asksNow = false;      ///< it repeats: confirm at once
    wire::RoundTrip trip;      ///< from a message until it is confirmed
    wire::Time heardAt = 0;    ///< something of this use
    wire::Time repeatedAt = 0; ///< the last repetition that may have been needless; 0: none
    wire::Time due = 0, backoff = 0;
    unsigned patience = 0; ///< waits that are still short
  };
  struct Arrival {
    uint64_t seen = 0;
    bool isWhole = false;
    std::vector<uint8_t> bytes;
  };
  enum class State : uint8_t { Empty, Early, Going, Over };
  struct Run {
    State state = State::Empty;
    wire::Header header;
    Way way = Way::Automatic;
    std::shared_ptr<const Course> course;
    size_t next = 0;
    bool isSent = false;
    std::vector<uint8_t> buffer;
    std::vector<Arrival> arrivals; ///< by step
    unsigned unheard = 0;          ///< messages of it that may not be there
    uint64_t charged = 0;
    wire::Time busyUntil = 0;
  };

  Run &runAt(uint64_t slot) { return ring[slot % config.slots]; }
  const Run &runAt(uint64_t slot) const { return ring[slot % config.slots]; }
  Partner *partnerNumbered(uint16_t engine);
  Partner &partnerAt(uint32_t place);
  uint32_t placeOf(uint32_t position) const;
  bool hasRootHere(const wire::Header &header) const;
  uint64_t blockOf(const wire::Header &header) const;
  std::pair<uint64_t, uint64_t> bytesOf(const Run &run, algorithms::Range range) const;
  uint64_t bufferBytes(const wire::Header &header) const;

  bool prepare(Run &run, const wire::Header &header);
  void load(Run &run);
  bool start(Run &run, wire::Time now);
  void forget(Run &run);
  bool advance(Run &run, wire::Time now);
  Status take(Run &run, const algorithms::Step &step, std::span<const uint8_t> bytes);
  void queue(Run &run, const algorithms::Step &step);
  void release();
  bool failWithout(const Partner &partner, const Run &run);

  bool meet(Partner &partner, const wire::Header &header, std::span<const uint8_t> payload);
  bool message(Partner &partner, const wire::Header &header, std::span<const uint8_t> payload,
               wire::Time now);
  bool heard(Partner &partner, std::span<const uint8_t> payload, wire::Time now);
  bool isHere(const Partner &partner, uint32_t number) const;
  void markHere(Partner &partner, uint32_t number, wire::Time now);
  bool confirm(Partner &partner, uint32_t here, uint64_t later, wire::Time now);
  void isMet(Partner &partner, uint32_t theirs);
  static void beginWaits(Partner &partner);
  static void lengthenWait(Partner &partner);
  bool endsWithout(Partner &partner);
  bool isWaitedFor(const Partner &partner) const;
  size_t dataBytes() const;
  void transmit(Partner &partner, uint32_t number, bool again, wire::Time now);
  void repeat(Partner &partner, wire::Time now);
  void flush(Partner &partner, wire::Time now);
  void sayMeet(Partner &partner, bool isAnswer);
  void sayHeard(Partner &partner, bool isOver);
  wire::Time serve(Partner &partner, wire::Time now);

  Owner &owner;
  Config config;
  Counters &count;
  Party party;
  std::vector<Partner> all;
  std::vector<Run> ring;
  std::shared_ptr<const Course> last; ///< of the last run, whose header and way are lastOf
  wire::Header lastOf;
  uint64_t lowest = 0, highest = 0;
  std::vector<wire::Header> starved; ///< offered while there was no memory for them
};

} // namespace acis::direct
