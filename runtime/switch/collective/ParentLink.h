// A child's session with the switch above it: attaches, stays alive, sends, repeats
// requests until they are answered, and notices that the switch is gone. The same for
// hosts and for switches. Pure state machine.
#pragma once

#include "runtime/switch/wire/Channel.h"
#include "runtime/switch/wire/Clock.h"
#include "runtime/switch/wire/Control.h"
#include "runtime/switch/wire/Parts.h"
#include "runtime/switch/wire/RoundTrip.h"

#include <list>
#include <string>
#include <unordered_map>

namespace acis::collective {

class ParentLink {
public:
  struct Owner {
    virtual ~Owner() = default;
    virtual void sendDatagram(std::span<const uint8_t> datagram) = 0;
    /// Where a datagram of so many bytes that is sent next is best written; empty: anywhere.
    virtual std::span<uint8_t> room(size_t) { return {}; }
    /// Whether datagrams may go out in two pieces, so that a payload which stays is not copied.
    virtual bool takesPieces() const { return false; }
    virtual void sendPieces(std::span<const uint8_t> head, std::span<const uint8_t> body) {}
    /// Most payload of a datagram that the path to the parent takes in one piece, as far as is
    /// known now.
    virtual uint32_t packetBytes() { return UINT32_MAX; }
    /// The session is open; limits are in welcome().
    virtual void attached() {}
    /// Joined, Left or BlobAck, once for each request.
    virtual void answer(const wire::Header &header, std::span<const uint8_t> payload) = 0;
    /// Result, Shared, Wait, Credit, Order or Outcome; of an engine Meet, Message or Heard.
    virtual void collective(const wire::Header &header, std::span<const uint8_t> payload) = 0;
    /// The job is over, with a reason. Once.
    virtual void failed(const std::string &what) = 0;
  };

  struct Config {
    uint32_t job = 0;
    std::optional<wire::Key> key;
    wire::Hello who;        ///< nonce and cookie are filled in
    std::string parentName; ///< for messages: "switch 127.0.0.1:9000"
    wire::Time deadAfter = 10 * wire::Second;
    wire::Time retryAfter = 20 * wire::Millisecond; ///< as long as no answer was measured
    wire::Time openWithin = wire::Never; ///< from the first tick() on; then it has failed
    uint64_t nonce = 1;                  ///< unpredictable
  };

  ParentLink(Owner &owner, const Config &config);

  enum class State : uint8_t { Hello, Open, Attached, Closing, Closed, Failed };
  State state() const { return current; }
  const wire::Welcome &welcome() const { return limits; }
  const std::string &failure() const { return failureText; }
  uint64_t refusedDatagrams() const { return refused; }

  void receive(std::span<const uint8_t> datagram, wire::Time now);
  /// The same of one whose payload does not lie behind its header, which is whole.
  void receive(std::span<const uint8_t> head, std::span<const uint8_t> payload, wire::Time now);
  /// Asks whether the parent is there, if it has not just been asked.
  void ask(wire::Time now);
  /// The machine there answers that no process has the parent's port: the link has failed.
  void nobodyListens();
  /// Repeats, says alive, notices silence; returns when to call again at the latest.
  wire::Time tick(wire::Time now);

  /// Requires that the session is open; else nothing is sent. `stays`: the payload may be sent from
  /// where it lies, as Owner::sendPieces() does.
  void send(const wire::Header &header, std::span<const uint8_t> payload, wire::Time now,
            bool stays = false);
  /// Sends a Join, Leave or Blob until its answer comes. One of a type and context at once; a
  /// Leave ends a Join.
  void request(wire::PacketType type, uint32_t context, std::vector<uint8_t> payload,
               wire::Time now);
  /// Why there is no session yet.
  std::string whyWaiting() const;
  bool hasRequests() const { return !requests.empty(); }
  /// From here on packets of this cast belong to the communicator. One for a context at once.
  void openCast(uint32_t cast, uint32_t context);
  void closeCast(uint32_t context);
  /// Tells the parent that the job has failed here, in place of every Alive.
  void reportFailure(const std::string &what, wire::Time now);
  /// Says Bye until it is acknowledged.
  void close(wire::Time now);
  /// The state without times, for exploration.
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  struct Request {
    wire::PacketType type, answer;
    uint32_t context;
    std::vector<uint8_t> payload;
    wire::Time sent; ///< 0: more than once
    wire::Time due, backoff;
    uint64_t first; ///< number of the packet that asked first: older answers are not meant
  };

  std::span<uint8_t> room(size_t payload);
  void sendHandshake(wire::Time now);
  uint32_t provenBytes(uint32_t heard);
  void sendFailure(wire::Time now);
  bool handshake(const wire::Header &header, std::span<const uint8_t> head,
                 std::span<const uint8_t> payload, wire::Time now);
  bool shared(const wire::Header &header, std::span<const uint8_t> head,
              std::span<const uint8_t> payload, wire::Time now);
  void put(const wire::Header &header, std::span<const uint8_t> payload);
  void dispatch(const wire::Header &header, std::span<const uint8_t> payload, wire::Time now);
  void answered(const wire::Header &header, std::span<const uint8_t> payload, wire::Time now);
  void advance(State to, wire::Time now);
  wire::Time again(wire::Time now);
  void fail(const std::string &what);
  wire::Time aliveInterval() const;
  wire::Time repeat(wire::Time now);

  Owner &owner;
  Config config;
  wire::Channel channel;
  wire::Tagger tagger; ///< for packets before the session
  bool denied = false; ///< the parent has said so
  State current = State::Hello;
  wire::Welcome limits;
  std::string failureText, reported;
  std::list<Request> requests;
  /// Number of the packet that said Joined, by context: what came before it is of an earlier use.
  std::unordered_map<uint32_t, uint64_t> joinedAt;
  struct Cast {
    uint32_t context;
    wire::Channel channel;
  };
  std::unordered_map<uint32_t, Cast> casts; ///< by number
  wire::Assembler parts;
  wire::Time due = 0;    ///< of the handshake or Bye
  wire::RoundTrip trip;  ///< of the handshake, requests and Bye
  wire::Time sentAt = 0; ///< what `due` repeats
  unsigned repeats = 0;  ///< so often
  unsigned hellos = 0;
  wire::Time challenged = 0;
  wire::Time began = wire::Never; ///< the first tick()
  wire::Time lastSent = 0, lastHeard = 0, lastProbe = 0;
  wire::Time promised = wire::Never; ///< when tick() asked to be called
  uint64_t refused = 0;
  std::vector<uint8_t> buffer;
};

} // namespace acis::collective
