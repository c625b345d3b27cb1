// All that a network can do to control groups, up to a number of faults: iterations, tasks that
// move, sums.
#include "runtime/switch/core/test/ExploreScenes.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace acis;
using namespace acis::explore;

namespace {

// Control groups: iterations under a bound, never further apart, and all end.
Scene paced(const std::vector<uint16_t> &leaves, const Script &script, uint32_t staleness,
            uint32_t most, unsigned calm) {
  Scene scene = calls(uint32_t(leaves.size()), {});
  if (*std::max_element(leaves.begin(), leaves.end()) > 0)
    scene = tree(leaves, {}, 0);
  scene.calm = calm;
  scene.policy.staleness = staleness;
  scene.policy.mostStaleness = most;
  scene.scripts.assign(leaves.size(), script);
  return scene;
}
const Script twoIterations = {attach(), enlist(), work(), work(), dismiss()};
const Script fourIterations = {attach(), enlist(), work(), work(), work(), work(), dismiss()};
const Script groupAgain = {attach(), enlist(), work(), dismiss(), enlist(), work(), dismiss()};
const Script withoutLeaving = {attach(), enlist(), work(), close()};
const Budget lossAndHold = {.losses = 1, .holds = 1};
const Budget lossAndTwice = {.losses = 1, .duplicates = 1};
const Budget twoLosses = {.losses = 2};
TEST(Explore, ControlTwoRanks) {
  exploreAll(paced({0, 0}, twoIterations, 0, 0, 1), {.losses = 1, .timers = 1}, 500);
  exploreAll(paced({0, 0}, twoIterations, 0, 0, 1), lossAndHold, 500);
}
TEST(Explore, ControlTwoRanksTwice) {
  exploreAll(paced({0, 0}, twoIterations, 0, 0, 1), lossAndTwice, 500);
  exploreAll(paced({0, 0}, twoIterations, 0, 0, 1), twoLosses, 500);
}
TEST(Explore, ControlTwoRanksAnyOrder) {
  exploreAll(paced({0, 0}, {attach(), enlist(), work(), dismiss()}, 0, 0, 1), anyOrder(1, 0, 0),
             500);
}
TEST(Explore, ControlTwoRanksStale) {
  exploreAll(paced({0, 0}, fourIterations, 1, 1, 2), {.losses = 1, .pauses = 1}, 500);
}
TEST(Explore, ControlTwoRanksDynamic) {
  exploreAll(paced({0, 0}, fourIterations, 0, 2, 2), {.losses = 1, .timers = 1}, 500);
}
TEST(Explore, ControlThreeRanks) {
  exploreAll(paced({0, 0, 0}, twoIterations, 0, 0, 2), lossAndTwice, 500);
}
TEST(Explore, ControlThreeRanksStale) {
  exploreAll(paced({0, 0, 0}, fourIterations, 1, 1, 2), {.losses = 1, .pauses = 1}, 500);
}
TEST(Explore, ControlGroupAgain) {
  exploreAll(paced({0, 0}, groupAgain, 0, 0, 1), lossAndHold, 500);
  exploreAll(paced({0, 0}, groupAgain, 0, 0, 1), lossAndTwice, 500);
}
TEST(Explore, ControlWithoutLeaving) {
  exploreAll(paced({0, 0}, withoutLeaving, 0, 0, 1), lossAndHold, 500);
}
TEST(Explore, ControlTree) { exploreAll(paced({0, 1}, twoIterations, 0, 0, 1), lossAndHold, 500); }
TEST(Explore, ControlTreeThreeRanks) {
  exploreAll(paced({0, 0, 1}, twoIterations, 1, 1, 1), lossAndTwice, 500);
}
TEST(Explore, ControlTreeAgain) {
  exploreAll(paced({0, 1}, groupAgain, 0, 0, 1), {.losses = 1, .holds = 1}, 500);
}
TEST(Explore, ControlTreeWithoutLeaving) {
  exploreAll(paced({0, 1}, withoutLeaving, 0, 0, 1), lossAndHold, 500);
}

// Tasks that are moved: each is run once, whatever happens. Rank 0 has some, others get them.
const Script gives = {attach(), enlist(), put(1), put(2), put(3), run(), dismiss()};
const Script gets = {attach(), enlist(), run(), dismiss()};
Scene moved(const std::vector<uint16_t> &leaves, unsigned calm) {
  Scene scene = paced(leaves, gets, 0, 0, calm);
  scene.policy.staleness = scene.policy.mostStaleness = wire::Policy::Unbounded;
  scene.policy.imbalance = 100'000;
  scene.policy.settled = 50'000;
  scene.scripts[0] = gives;
  return scene;
}
TEST(Explore, MovesTwoRanks) {
  exploreAll(moved({0, 0}, 2), {.losses = 1, .timers = 1}, 500);
  exploreAll(moved({0, 0}, 2), lossAndHold, 500);
}
TEST(Explore, MovesTwoRanksTwice) {
  exploreAll(moved({0, 0}, 2), lossAndTwice, 500);
  exploreAll(moved({0, 0}, 2), twoLosses, 500);
}
TEST(Explore, MovesThreeRanks) {
  exploreAll(moved({0, 0, 0}, 2), lossAndTwice, 500);
  exploreAll(moved({0, 0, 0}, 2), {.losses = 1, .pauses = 1}, 500);
}
TEST(Explore, MovesTree) { exploreAll(moved({0, 1}, 2), lossAndHold, 500); }
TEST(Explore, MovesTreeThreeRanks) { exploreAll(moved({0, 0, 1}, 2), lossAndTwice, 500); }
TEST(Explore, MovesWhoLeavesGetsNoMore) {
  Scene scene = moved({0, 0, 0}, 2);
  scene.scripts[1] = {attach(), enlist(), dismiss()};
  exploreAll(scene, {.losses = 1, .timers = 1}, 500);
}
TEST(Explore, MovesContextAgain) {
  Scene scene = moved({0, 0}, 2);
  scene.scripts[0] = {attach(), enlist(), put(1), put(2), run(),    dismiss(),
                      enlist(), put(3),   put(4), run(),  dismiss()};
  scene.scripts[1] = {attach(), enlist(), run(), dismiss(), enlist(), run(), dismiss()};
  exploreAll(scene, lossAndHold, 500);
}
/// Rank `who` dies, whatever it has then.
Scene dying(const std::vector<uint16_t> &leaves, uint32_t who, const Script &script) {
  Scene scene = moved(leaves, 2);
  scene.policy.survive = scene.mortal = true;
  scene.scripts[who] = script;
  return scene;
}
/// At any moment: before it is sent a task, while that is on its way, when it has it.
TEST(Explore, MovesAndTheTakerDies) {
  for (const std::vector<uint16_t> &leaves : {std::vector<uint16_t>{0, 0}, {0, 0, 0}, {0, 1}}) {
    Scene scene = dying(leaves, 1, gets);
    scene.mayDie = 1;
    exploreAll(scene, {.losses = 1, .deaths = 1}, 500);
  }
}
TEST(Explore, MovesAndTheTakerDiesLate) {
  Scene scene = dying({0, 0}, 1, gets);
  scene.mayDie = 1;
  exploreAll(scene, {.duplicates = 1, .holds = 1, .deaths = 1}, 500);
}
/// What has not left it is gone with it, and nothing else.
TEST(Explore, MovesAndTheGiverDies) {
  for (const std::vector<uint16_t> &leaves : {std::vector<uint16_t>{0, 0}, {0, 0, 0}, {0, 1}}) {
    Scene scene =
        dying(leaves, 0, {attach(), enlist(), put(1), put(2), put(3), put(4), run(), dismiss()});
    scene.mayDie = 0;
    exploreAll(scene, {.losses = 1, .deaths = 1}, 500);
  }
}

// Sums of the first k: all get the same, of those who are in it.
Scene summed(const std::vector<uint16_t> &leaves, uint32_t quorum) {
  Scene scene = paced(leaves, {attach(), enlist(), add(), add(), dismiss()}, 0, 0, 2);
  scene.policy.quorum = quorum;
  return scene;
}
TEST(Explore, SumsOfAll) {
  exploreAll(summed({0, 0}, 0), lossAndHold, 500);
  exploreAll(summed({0, 0}, 0), {.losses = 1, .timers = 1}, 300);
}
TEST(Explore, SumsOfTheFirst) {
  exploreAll(summed({0, 0}, 1), lossAndHold, 500);
  exploreAll(summed({0, 0}, 1), lossAndTwice, 300);
}
TEST(Explore, SumsOfTwoOfThree) {
  exploreAll(summed({0, 0, 0}, 2), lossAndTwice, 500);
  exploreAll(summed({0, 0, 0}, 2), {.losses = 1, .pauses = 1}, 500);
}
TEST(Explore, SumsAskedFor) {
  Scene scene = summed({0, 0}, 1);
  scene.scripts[1] = {attach(), enlist(), ask(), add(), ask(), add(), dismiss()};
  exploreAll(scene, lossAndHold, 500);
  exploreAll(scene, {.losses = 1, .timers = 1}, 500);
  exploreAll(scene, {.duplicates = 1, .holds = 1}, 500);
}
TEST(Explore, SumsTree) { exploreAll(summed({0, 1}, 1), lossAndHold, 500); }
TEST(Explore, SumsWhoGivesLess) {
  Scene scene = summed({0, 0, 0}, 0);
  scene.scripts[2] = {attach(), enlist(), add(), dismiss()};
  exploreAll(scene, {.losses = 1, .timers = 1}, 300);
}
TEST(Explore, SumsWithoutWhoDies) {
  Scene scene = summed({0, 0, 0}, 0);
  scene.policy.survive = scene.mortal = true;
  scene.scripts[2] = {attach(), enlist(), add(), die()};
  exploreAll(scene, {.losses = 1}, 200);
}

} // namespace
