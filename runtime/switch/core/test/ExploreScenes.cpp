#include "runtime/switch/core/test/ExploreScenes.h"

#include <gtest/gtest.h>

#include <unordered_set>

namespace acis::explore {

namespace {

class Explorer {
public:
  Explorer(const Scene &scene, const Budget &budget) : scene(scene) {
    open.push_back({{}, budget});
  }

  /// Visits all; returns the number of states. A path goes on without faults to its end, and
  /// each of its states opens others.
  size_t run() {
    while (!open.empty() && !testing::Test::HasFailure()) {
      Path path = std::move(open.back());
      open.pop_back();
      follow(std::move(path));
    }
    return seen.size();
  }

private:
  struct Path {
    std::vector<Action> actions;
    Budget left;
  };

  void follow(Path path) {
    World world(scene);
    std::unordered_set<uint64_t> own; // a state of this path may come again while time passes
    for (Action action : path.actions)
      world.apply(action);
    for (;;) {
      const Budget &b = path.left;
      const uint64_t budget =
          (((b.losses * 8 + b.duplicates) * 8 + b.timers) * 64 + b.holds * 8 + b.pauses) * 2 +
          b.deaths;
      const uint64_t state = world.fingerprint(b.anyOrder) * 4099 + budget;
      if (!seen.insert(state).second && !own.contains(state))
        return;
      const bool isAgain = !own.insert(state).second;
      if (std::string what = world.wrong(); !what.empty())
        return fail(what, path);
      if (!isAgain)
        for (auto &[action, rest] : world.others(path.left)) {
          open.push_back({path.actions, rest});
          open.back().actions.push_back(action);
        }
      const std::optional<Action> next = world.next();
      if (!next)
        break;
      path.actions.push_back(*next);
      world.apply(*next);
    }
    if (std::string what = world.remains(); !what.empty())
      fail(what, path);
  }

  void fail(const std::string &what, const Path &path) {
    std::string text;
    for (Action action : path.actions)
      text += "DLXHRTPSK"[action.kind] +
              (action.index == Action::AllNodes ? "*" : std::to_string(action.index)) + " ";
    ADD_FAILURE() << what << " after " << text
                  << "(D deliver, L lose, X duplicate, H hold back, R release, T timer, P pause a "
                     "rank, S let it go on, K kill it)";
  }

  Scene scene;
  std::vector<Path> open;
  std::unordered_set<uint64_t> seen;
};

constexpr uint16_t Top = SessionOptions::NoSwitch;

} // namespace

std::vector<uint32_t> iota(uint32_t n) {
  std::vector<uint32_t> out(n);
  for (uint32_t i = 0; i < n; ++i)
    out[i] = i;
  return out;
}

void exploreAll(const Scene &scene, const Budget &budget, size_t least) {
  const size_t states = Explorer(scene, budget).run();
  testing::Test::RecordProperty("states", int(states));
  std::printf("%zu states\n", states);
  EXPECT_GE(states, least) << "the exploration has lost its way";
}

Scene calls(uint32_t ranks, const std::vector<Kind> &kinds) {
  Scene scene;
  scene.groups = {iota(ranks)};
  scene.calm = 2;
  Script script = {attach(), join()};
  for (size_t i = 0; i < kinds.size(); ++i)
    script.push_back(start(kinds[i], uint32_t(i) % ranks));
  script.push_back(await());
  scene.scripts.assign(ranks, script);
  return scene;
}

Scene sharing(uint32_t ranks, const std::vector<Kind> &kinds) {
  Scene scene = calls(ranks, kinds);
  scene.casts = true;
  return scene;
}

Scene inParts(Scene scene) {
  scene.pathBytes = 96;
  scene.count = 48;
  return scene;
}

Budget anyOrder(unsigned losses, unsigned duplicates, unsigned timers) {
  Budget budget;
  budget.losses = losses;
  budget.duplicates = duplicates;
  budget.timers = timers;
  budget.anyOrder = true;
  return budget;
}

Scene tree(const std::vector<uint16_t> &leaves, const Script &script, unsigned calm) {
  Scene scene;
  scene.leafOfRank = leaves;
  scene.parentOfSwitch = {2, 2, Top};
  scene.groups = {iota(uint32_t(leaves.size()))};
  scene.scripts.assign(leaves.size(), script);
  scene.calm = calm;
  return scene;
}

Scene engines(uint32_t ranks, const Script &script, unsigned calm, bool isChain) {
  Scene scene;
  for (uint32_t r = 0; r < ranks; ++r)
    scene.leafOfRank.push_back(uint16_t(r));
  scene.parentOfSwitch.assign(ranks, collective::DirectNetwork);
  using direct::Form;
  scene.fabric =
      isChain ? direct::Fabric{Form::Tree, {ranks, 1}} : direct::Fabric{Form::Ring, {ranks}};
  scene.groups = {iota(ranks)};
  scene.scripts.assign(ranks, script);
  scene.calm = calm;
  return scene;
}

Script callsOf(const std::vector<Kind> &kinds) {
  Script script = {attach(), join()};
  for (size_t i = 0; i < kinds.size(); ++i)
    script.push_back(start(kinds[i], uint32_t(i) % 2));
  script.push_back(await());
  return script;
}

} // namespace acis::explore
