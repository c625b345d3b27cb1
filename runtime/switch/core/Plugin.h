// What a part of the switch is to its core. The core has ports, sessions, jobs, keys and
// limits; it parses and checks every packet and hands it to the plugin that takes its type.
// Collectives are one plugin; handlers on the wire, kernels and control are others.
#pragma once

#include "runtime/switch/direct/Network.h"
#include "runtime/switch/wire/Address.h"
#include "runtime/switch/wire/Clock.h"
#include "runtime/switch/wire/Control.h"
#include "runtime/switch/wire/Header.h"
#include "runtime/switch/wire/Tagger.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace acis::sw {

using SessionId = uint32_t; ///< 0 is none
using JobId = uint32_t;

/// A child of the switch as the core knows it.
struct SessionInfo {
  JobId job = 0;
  bool isSwitch = false;
  uint32_t id = 0; ///< world rank, or number of the switch
  wire::Address address;
  uint32_t packetBytes = 0; ///< most payload of a datagram to it and from it

  std::string name() const { return (isSwitch ? "switch " : "rank ") + std::to_string(id); }
};

/// A datagram as it came from a socket.
struct Ingress {
  unsigned port = 0; ///< numbered by the driver; 0 speaks ACiS
  wire::Address from;
  std::span<const uint8_t> bytes;
};

/// A checked packet: its tag, session and number were good. The payload is valid during
/// the call.
struct Packet {
  const wire::Header &header;
  std::span<const uint8_t> payload;
  SessionId session = 0; ///< 0: from the switch above
  JobId job = 0;
  /// Of the payload, under the job's key; nullptr: not at hand.
  const wire::Digest *digest = nullptr;
};

/// What the core does for plugins. All calls are cheap and never re-enter a plugin, but
/// fail(), which ends in jobEnded().
class Services {
public:
  virtual wire::Time now() const = 0;
  /// Sends to a child; job, session, number, length and tag are filled in.
  virtual void send(SessionId session, const wire::Header &header,
                    std::span<const uint8_t> payload) = 0;
  /// The same to several children of one job, in this order, with what differs. `digest`: of the
  /// payload, under the job's key, if it is at hand.
  struct Recipient {
    SessionId session = 0;
    uint32_t sequence = 0; ///< of the header
  };
  virtual void sendEach(std::span<const Recipient> recipients, const wire::Header &header,
                        std::span<const uint8_t> payload, const wire::Digest *digest) = 0;
  /// In between, payloads of sendEach() and sendCast() stay as they are, so that they need not be
  /// copied.
  virtual void beginStaying() {}
  virtual void endStaying() {}
  /// A cast for what is for several hosts of one job; without number where hosts do not hear any.
  virtual wire::Cast openCast(JobId job) = 0;
  virtual void closeCast(uint32_t number) = 0;
  /// Sends to all who listen to it; `digest` as above.
  virtual void sendCast(uint32_t number, const wire::Header &header,
                        std::span<const uint8_t> payload, const wire::Digest *digest) = 0;
  virtual const SessionInfo *session(SessionId id) const = 0;

  /// The switch above; a job's link to it opens with the first call.
  virtual bool hasParent() const = 0;
  virtual void sendAbove(JobId job, const wire::Header &header,
                         std::span<const uint8_t> payload) = 0;
  /// Join, Leave, Blob: repeated until answered; the answer comes to Plugin::fromAbove().
  virtual void requestAbove(JobId job, wire::PacketType type, uint32_t context,
                            std::vector<uint8_t> payload) = 0;
  /// Payload of one datagram on the link above; 0 while it is not open.
  virtual uint32_t packetBytesAbove(JobId job) const = 0;

  /// The direct network that this is an engine of; nullptr: of none.
  virtual const direct::Network *network() const = 0;
  /// Opens the job's session with another engine; true when that is there: has it, or has answered.
  virtual bool reach(JobId job, uint16_t engine) = 0;
  /// Meet, Message or Heard to an engine; lost while there is no session.
  virtual void sendAcross(JobId job, uint16_t engine, const wire::Header &header,
                          std::span<const uint8_t> payload) = 0;

  /// Takes (or, negative, gives back) bytes of the job's share; false: none left.
  virtual bool charge(JobId job, int64_t bytes) = 0;
  /// Ends a job: all its sessions here and above are told `what`.
  virtual void fail(JobId job, const std::string &what) = 0;

  /// A datagram from a port that does not speak the ACiS protocol.
  virtual void sendRaw(unsigned port, const wire::Address &to,
                       std::span<const uint8_t> datagram) = 0;

  /// For a capture: what became of the datagram that is being handled. `dropped`: why it went
  /// no further, or "". `cycles`: of the overlay; 0 if they are not known.
  struct Verdict {
    uint64_t cycles = 0;
    std::string_view dropped;
  };
  virtual void note(const Verdict &verdict) {}

protected:
  ~Services() = default;
};

/// Name and value, for statistics; names are stable and in snake_case.
using Statistics = std::vector<std::pair<std::string, uint64_t>>;

class Plugin {
public:
  virtual ~Plugin() = default;
  virtual std::string_view name() const = 0;

  /// The types that packet() gets; each type belongs to one plugin.
  virtual bool takes(wire::PacketType type) const { return false; }
  virtual void packet(const Packet &packet) {}
  /// The same for packets and answers from the switch above.
  virtual void fromAbove(const Packet &packet) {}
  /// Meet, Message or Heard of another engine.
  virtual void fromEngine(uint16_t engine, const Packet &packet) {}
  virtual void engineOpened(JobId job, uint16_t engine) {} ///< the session with it
  /// Datagrams on one port other than 0. Nothing about them was checked.
  virtual void datagrams(std::span<const Ingress> batch) {}

  /// All of a batch has been handed over; what was put off until now goes out.
  virtual void batchEnded() {}

  virtual void linkOpened(JobId job) {} ///< to the switch above
  virtual void sessionEnded(SessionId session, JobId job) {}
  /// What the death of a child is to this plugin: nothing, the end of the job, or that it has left,
  /// which sessionEnded() says. The job ends if one says so, or none anything.
  enum class Death : uint8_t { Nothing, Fatal, Leaves };
  virtual Death death(SessionId session, JobId job) const { return Death::Nothing; }
  /// False: something of the job is on its way to the switch above and must arrive, although
  /// its sessions here have ended.
  virtual bool isDrained(JobId job) const { return true; }
  virtual void jobEnded(JobId job) {}
  /// Time passes; returns when to be called again at the latest.
  virtual wire::Time tick() { return wire::Never; }
  virtual void statistics(Statistics &out) const {}
};

} // namespace acis::sw
