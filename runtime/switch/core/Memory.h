// A memory node as a plugin: blocks of a region, which hosts write, read, and compute on where they
// are (docs/near-data.md). Requests of a session are numbered and take effect in that order, each
// exactly once: what came before its turn waits, what comes again gets the answer that was given.
// A launch takes effect when it ends; what touches its blocks waits until then. A fold reads when
// it begins, so nothing waits for it.
#pragma once

#include "runtime/switch/core/Plugin.h"
#include "runtime/switch/memory/Blocks.h"
#include "runtime/switch/memory/Functions.h"

#include <map>
#include <set>

namespace acis::sw {

class Memory final : public Plugin {
public:
  /// Requests of a session that have no answer, or one that was not confirmed.
  static constexpr uint64_t Window = 64;

  struct Limits {
    uint32_t packetBytes = 16'384;
    bool keeps = false; ///< blocks stay when their job has ended
  };
  /// All outlive the plugin.
  struct Parts {
    memory::Blocks &blocks;
    memory::Functions &functions;
    memory::Runner &runner;
    memory::Folder *folder = nullptr; ///< nullptr: there is no switch to fold in
  };
  Memory(Services &services, const Parts &parts, const Limits &limits)
      : services(services), blocks(parts.blocks), functions(parts.functions), runner(parts.runner),
        folder(parts.folder), limits(limits) {}

  std::string_view name() const override { return "memory"; }
  bool takes(wire::PacketType type) const override { return type == wire::PacketType::Access; }
  void packet(const Packet &packet) override;
  void batchEnded() override { collect(); }
  void sessionEnded(SessionId session, JobId job) override;
  void jobEnded(JobId job) override;
  wire::Time tick() override;
  void statistics(Statistics &out) const override;
  /// What decides what it does from here on, but for the region.
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  struct Given {
    bool ready = false, polled = false;
    std::vector<uint8_t> bytes; ///< the answer
    int64_t charged = 0;
  };
  struct Client {
    JobId job = 0;
    uint64_t next = 0; ///< the request whose turn it is
    std::map<uint64_t, std::pair<uint8_t, std::vector<uint8_t>>> early; ///< flags, request
    std::map<uint64_t, Given> given;
    int64_t charged = 0;
    /// A binary on its way.
    uint64_t loading = 0;
    std::vector<uint8_t> binary;
  };
  struct Running {
    SessionId session = 0;
    uint64_t slot = 0;
    std::vector<uint64_t> reads, writes; ///< handles
    int64_t charged = 0;                 ///< of a fold: what it has read
  };
  struct Use {
    unsigned readers = 0, writers = 0;
  };
  /// Why a place cannot be used, or its bytes.
  struct Found {
    std::optional<wire::Outcome> wrong;
    std::span<uint8_t> bytes;
  };

  void confirm(Client &client, uint64_t below);
  bool charge(Client &client, int64_t bytes);
  void advance(SessionId session, Client &client);
  bool begin(SessionId session, Client &client, uint64_t slot, uint8_t flags,
             std::span<const uint8_t> request);
  std::optional<wire::Outcome> perform(Client &client, const wire::Access &access);
  wire::Outcome allocate(JobId job, const wire::Access &access);
  wire::Outcome release(JobId job, const wire::Access &access);
  wire::Outcome transfer(JobId job, const wire::Access &access);
  wire::Outcome load(Client &client, const wire::Access &access);
  wire::Outcome list(JobId job, const wire::Access &access);
  std::optional<wire::Outcome> launch(SessionId session, Client &client, uint64_t slot,
                                      const wire::Access &access);
  std::optional<wire::Outcome> fold(SessionId session, Client &client, uint64_t slot,
                                    const wire::Access &access);
  Found find(JobId job, const wire::Place &place, uint64_t reach) const;
  bool mustWait(const wire::Access &access) const;
  void settle(SessionId session, Client &client, uint64_t slot, bool polled,
              const wire::Outcome &outcome);
  void send(SessionId session, uint64_t slot, std::span<const uint8_t> answer);
  void collect();
  std::optional<memory::Runner::End> nextEnd();
  void letGo(const Running &launch);
  size_t room() const { return limits.packetBytes - wire::Outcome::FixedBytes; }

  Services &services;
  memory::Blocks &blocks;
  memory::Functions &functions;
  memory::Runner &runner;
  memory::Folder *const folder;
  const Limits limits;
  std::map<SessionId, Client> clients;
  std::map<SessionId, JobId> ended; ///< have said Bye: what still comes is late
  std::map<uint64_t, Running> running;
  std::map<uint64_t, Use> inUse; ///< by handle
  std::set<uint64_t> doomed;     ///< to be freed when they are not in use any more
  uint64_t launches = 0;         ///< numbers them, and folds
  struct {
    uint64_t puts = 0, gets = 0, bytesPut = 0, bytesGot = 0, launched = 0, cycles = 0,
             bytesLaunched = 0, bytesGiven = 0, folded = 0, loaded = 0, failed = 0, repeated = 0,
             outside = 0, waited = 0;
  } count;
};

} // namespace acis::sw
