// Jobs, children and links of a switch. Private to the core.
#pragma once

#include "runtime/switch/core/Switch.h"
#include "runtime/switch/wire/Absence.h"
#include "runtime/switch/wire/Across.h"
#include "runtime/switch/wire/Parts.h"

#include <set>

namespace acis::sw {

struct Switch::Child {
  SessionInfo info;
  wire::Channel channel;
  uint64_t nonce = 0;
  wire::Time lastHeard = 0, probed = 0;
  wire::Time rivalled = 0; ///< since when another has asked for its place; 0: none has
  wire::Absence absence;
  bool ended = false;       ///< said Bye; kept to acknowledge it again
  uint64_t lastRequest = 0; ///< number of the packet
  wire::Assembler parts;

  Child(const SessionInfo &info, const std::optional<wire::Key> &key)
      : info(info), channel(wire::Side::Parent, info.job, key) {}
};

/// A stream of packets to several children at once, sealed under their job's key.
struct Switch::OpenCast {
  wire::Address address;
  wire::Channel channel;
};

/// One job's session with the switch above, or with an engine of a lower number.
struct Switch::Link : collective::ParentLink::Owner {
  Switch &owner;
  JobId job;
  wire::Address parent;
  collective::ParentLink link;
  wire::Absence absence;
  /// Requests made before the link was open.
  struct Early {
    wire::PacketType type;
    uint32_t context;
    std::vector<uint8_t> payload;
  };
  std::vector<Early> early;

  Link(Switch &owner, JobId job, const wire::Address &parent,
       const collective::ParentLink::Config &config)
      : owner(owner), job(job), parent(parent), link(*this, config) {}

  void sendDatagram(std::span<const uint8_t> datagram) override {
    owner.transmit(0, parent, datagram);
  }
  std::span<uint8_t> room(size_t bytes) override { return owner.output.room(bytes); }
  uint32_t packetBytes() override { return owner.output.packetBytes(parent); }
  void attached() override;
  void answer(const wire::Header &header, std::span<const uint8_t> payload) override;
  void collective(const wire::Header &header, std::span<const uint8_t> payload) override;
  void failed(const std::string &what) override { owner.fail(job, what); }
};

struct Switch::Job {
  uint32_t size = 0, turn = 0; ///< as all members say
  std::string failure;         ///< "" while it goes on
  wire::Time failed = 0;       ///< when
  uint64_t bytes = 0;          ///< charged
  /// Role and id to session, the only one of that member.
  std::map<std::pair<bool, uint32_t>, SessionId> members;
  std::unique_ptr<Link> link;
  /// With engines of lower numbers; those of higher ones are members.
  std::map<uint16_t, std::unique_ptr<Link>> across;
  /// Engines of higher numbers that have no session yet: asked whether they are there.
  struct Call {
    wire::Time since = 0, due = 0;
    wire::Time heard = 0;  ///< 0: never
    uint64_t instance = 0; ///< of the job there; 0: it has none
  };
  std::map<uint16_t, Call> calls;

  /// Tells this run of the job, here, from others of its number; the nonce of sessions that this
  /// engine opens.
  uint64_t instance = 0;
  bool hadHosts = false;   ///< some have attached here
  std::set<uint32_t> left; ///< engines whose sessions here have ended

  /// Whether an engine of this run may open its session though all members here have gone: what
  /// they gave to its own has yet to go there.
  bool awaits(uint32_t engine, uint64_t nonce) const {
    const auto call = calls.find(uint16_t(engine));
    return failure.empty() && call != calls.end() &&
           (call->second.instance == 0 || call->second.instance == nonce);
  }

  template <typename F> void forLinks(F visit) const {
    if (link)
      visit(*link);
    for (const auto &[engine, one] : across)
      visit(*one);
  }
};

} // namespace acis::sw
