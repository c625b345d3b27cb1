// Type 1 of in-switch computing as a plugin: the communicator table, collectives on its
// entries, and the user operators that they fold with.
#pragma once

#include "runtime/switch/core/Communicator.h"
#include "runtime/switch/core/Operators.h"
#include "runtime/switch/core/Tasks.h"

#include <map>

namespace acis::sw {

class Collectives final : public Plugin {
public:
  struct Limits {
    uint32_t contexts = 4096; ///< entries of the table
    uint32_t slots = 64, messageBytes = 65'536, packetBytes = 16'384;
    uint32_t operatorBytes = 1 << 20; ///< of one binary
    uint64_t keptBytes = 16 << 20;    ///< of a job's tasks, kept from call to call
  };

  /// `engine`: for user operators and tasks. `runTask`: in place of one, for tests.
  Collectives(Services &services, const Limits &limits, const EngineChoice &engine,
              TaskRunner runTask = {});

  std::string_view name() const override { return "collectives"; }
  bool takes(wire::PacketType type) const override;
  void packet(const Packet &packet) override;
  void fromAbove(const Packet &packet) override;
  void fromEngine(uint16_t engine, const Packet &packet) override;
  void engineOpened(JobId job, uint16_t engine) override;
  void batchEnded() override;
  void linkOpened(JobId job) override;
  void sessionEnded(SessionId session, JobId job) override;
  Death death(SessionId session, JobId job) const override;
  bool isDrained(JobId job) const override;
  void jobEnded(JobId job) override;
  wire::Time tick() override;
  void statistics(Statistics &out) const override;

  size_t contexts() const { return table.size(); }
  uint64_t keptBytes(JobId job) const { return kept.bytes(job); }
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  using Key = std::pair<JobId, uint32_t>;
  struct Entry {
    std::unique_ptr<Communicator> communicator;
    enum class Above : uint8_t { None, Asked, Joined, Leaving } above = Above::None;
  };
  /// A binary on its way in, and on its way up.
  struct Upload {
    std::string name;
    std::vector<uint8_t> bytes;
    uint32_t total = 0;
    bool loaded = false, above = false;
    std::string refusal;
    /// One host gives the pieces, unless it falls silent; others that ask hear when all are here.
    SessionId giver = 0;
    wire::Time heard = 0;
    std::map<SessionId, uint64_t> waiting; ///< with the numbers of the packets that asked
    bool isReady() const { return loaded && above; }
  };

  void join(const Packet &packet);
  std::string tableRefusal(JobId job) const;
  void leave(SessionId session, Key key);
  void leaveRefused(const Packet &packet);
  void leaveAbove(Key key, Entry &entry);
  std::string misplaced(const wire::Join &join) const;
  void reachEngines(Key key, Entry &entry);
  void sayOver(const Packet &packet, uint16_t engine);
  void endAmongEngines();
  void answer(SessionId session, wire::PacketType type, uint32_t context,
              const std::string &refusal, uint64_t asked);
  void joinedAbove(Key key, const std::string &refusal);
  void blob(const Packet &packet);
  void blobAbove(const Packet &packet);
  void sendBlobAbove(JobId job, uint64_t hash, const Upload &upload, uint32_t offset);
  bool isForAnother(const Packet &packet, Upload &upload);
  void take(JobId job, const wire::Blob &blob, Upload &upload);
  void acknowledgeBlob(SessionId session, uint64_t asked, uint64_t hash, const Upload &upload);
  Status combine(const wire::Header &header, std::span<const uint8_t> a, std::span<const uint8_t> b,
                 std::span<uint8_t> out);

  Services &services;
  Limits limits;
  Operators operators;
  Tasks tasks;
  Kept kept;
  const std::shared_ptr<EngineClock> clock;
  TaskRunner runTask;
  std::map<Key, Entry> table;
  std::vector<Key> delivering; ///< communicators with results to send when the batch is over
  std::vector<Key> running;    ///< of tick(): with tasks to run
  std::map<std::pair<JobId, uint64_t>, Upload> uploads;
  CommunicatorCounters count;
  uint64_t refusedFull = 0, joins = 0;
  uint32_t uses = 0; ///< of communicators so far: the number of the last
};

} // namespace acis::sw
