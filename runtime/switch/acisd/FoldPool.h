// Gives this node's parts of folds to the switch above, as a member of a job of its own there: the
// nodes' job, with a number that hosts' jobs do not have. Who asks has a thread and a communicator,
// whose collectives are its folds; so nobody's wait for another's. What fails, or lasts longer than
// a death is noticed, ends as NoFold, and the asker folds by itself.
#pragma once

#include "runtime/host/client/Session.h"
#include "runtime/switch/memory/Functions.h"
#include "runtime/switch/wire/Channel.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace acis::acisd {

class FoldPool final : public memory::Folder {
public:
  /// Set in the number of the nodes' job; jobs of hosts that have it cannot fold.
  static constexpr uint32_t OfNodes = uint32_t(1) << 31;
  static constexpr size_t MostAskers = 64;

  struct Config {
    std::string above;               ///< the switch, "host:port"
    std::optional<wire::Key> master; ///< the fabric's
    Nanoseconds patience = std::chrono::seconds(10);
    FaultOptions faults;
  };
  explicit FoldPool(const Config &config);
  ~FoldPool() override;

  void start(memory::Fold fold) override;
  std::optional<memory::Runner::End> ended() override;
  void forget(uint32_t session) override;

  /// Readable while there is something for ended().
  int descriptor() const { return alarm; }
  bool hasEnded();

private:
  /// This node in the nodes' job of one job of hosts.
  struct Member {
    std::mutex lock;
    std::list<memory::Fold> given; ///< given up: the session may still use them
    std::list<std::vector<uint8_t>> results;
    uint32_t position = 0, nodes = 0;
    std::string broken;               ///< "", or why it can do no more
    std::unique_ptr<Session> session; ///< ends before what it uses
  };
  struct Asker {
    std::deque<memory::Fold> waiting;
    std::shared_ptr<Member> member;
    std::atomic<bool> isGone = false;
    bool hasJoined = false, isOver = false;
    uint32_t context = 0;
    std::thread thread;
  };

  void work(Asker &asker);
  void fold(Asker &asker, std::deque<memory::Fold> batch);
  Status join(Asker &asker, const memory::Fold &first);
  Status open(Member &member, const memory::Fold &first);
  Status wait(Asker &asker, Request request);
  void end(uint64_t id, wire::Outcome outcome);
  void reap();

  const Config config;
  std::mutex lock;
  std::condition_variable changed;
  std::map<uint32_t, std::unique_ptr<Asker>> askers; ///< by session
  std::list<std::unique_ptr<Asker>> gone;            ///< whose threads end
  std::map<uint32_t, std::weak_ptr<Member>> members; ///< by job
  std::deque<memory::Runner::End> ends;
  int alarm = -1; ///< an eventfd
};

} // namespace acis::acisd
