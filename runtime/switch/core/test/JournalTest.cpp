// What a switch tells its journal: jobs and sessions from their beginning to their end.
#include "runtime/switch/core/test/Reference.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;

namespace {

/// Events as words, without numbers of sessions, which must be those that were opened.
struct Recorder final : sw::Journal {
  std::vector<std::string> lines;
  std::map<sw::SessionId, std::string> sessions;

  void event(const sw::Event &event) override {
    using What = sw::Event::What;
    constexpr const char *names[] = {"started", "ended", "failed", "opened",
                                     "closed",  "dead",  "refused"};
    if (event.what == What::SessionOpened)
      sessions[event.session] = event.peer;
    else if (event.session != 0)
      EXPECT_EQ(sessions[event.session], event.peer);
    EXPECT_EQ(event.address != nullptr, !event.peer.empty());
    std::string line = names[unsigned(event.what)];
    line += event.peer.empty() ? "" : " " + event.peer;
    lines.push_back(line + (event.reason.empty() ? "" : ": " + std::string(event.reason)));
  }
};

struct Watched {
  explicit Watched(const Cluster &cluster) : network(cluster) { network.device(0).keep(&journal); }
  void wait(Time time) {
    network.run([] { return false; }, time);
  }

  Recorder journal; // outlives the switches
  Network network;
};

Cluster two() {
  Cluster cluster;
  cluster.ranks = 2;
  cluster.config.deadAfter = 2 * Second;
  return cluster;
}

using Lines = std::vector<std::string>;

TEST(Journal, AJobThatEndsWell) {
  Watched watched(two());
  watched.network.attach();
  ASSERT_EQ(watched.journal.lines.size(), 3u);
  EXPECT_EQ(watched.journal.lines[0], "started");
  EXPECT_EQ(watched.journal.lines[1].substr(0, 11), "opened rank");
  watched.journal.lines.clear();
  for (uint32_t r : {0, 1}) {
    watched.network.host(r).close(watched.network.now);
    watched.wait(100 * Millisecond);
  }
  EXPECT_EQ(watched.journal.lines, (Lines{"closed rank 0", "closed rank 1"}));
  watched.wait(10 * Second);
  EXPECT_EQ(watched.journal.lines, (Lines{"closed rank 0", "closed rank 1", "ended"}));
}

TEST(Journal, ADeadRankAndItsJob) {
  Watched watched(two());
  watched.network.attach();
  watched.journal.lines.clear();
  watched.network.kill(1);
  watched.wait(10 * Second);
  ASSERT_GE(watched.journal.lines.size(), 2u);
  EXPECT_EQ(watched.journal.lines[0].substr(0, 35), "dead rank 1: it has said nothing fo");
  EXPECT_EQ(watched.journal.lines[1].substr(0, 48),
            "failed: rank 1 (10.1.0.1:9000) is gone: it has s");
  watched.network.kill(0);
  watched.wait(10 * Second);
  EXPECT_EQ(watched.journal.lines.back(), "ended");
}

TEST(Journal, WhoFindsNoPlace) {
  Cluster cluster = two();
  cluster.config.maxSessions = 1;
  Watched watched(cluster);
  watched.wait(Second);
  const Lines &lines = watched.journal.lines;
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string &line) {
                            return line.ends_with(
                                       ": there are 1 sessions already, the most allowed") &&
                                   line.starts_with("refused rank ");
                          }),
            1);
}

} // namespace
