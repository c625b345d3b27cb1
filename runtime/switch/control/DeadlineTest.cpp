#include "runtime/switch/control/Deadline.h"

#include <gtest/gtest.h>

#include <random>

using namespace acis::control;

namespace {

void expectSplit(const Split &split, double work, double extra, double idle, double whole) {
  EXPECT_DOUBLE_EQ(split.extra, extra);
  EXPECT_DOUBLE_EQ(split.idle, idle);
  EXPECT_DOUBLE_EQ(split.whole, whole);
  EXPECT_DOUBLE_EQ(work + split.extra + split.idle, split.whole);
}

// Figure 6-4, and the laggard of each case.
TEST(Deadline, CaseAAllAreEarly) {
  expectSplit(splitOf(3, 5, 8), 3, 5, 0, 8);
  expectSplit(splitOf(5, 5, 8), 5, 3, 0, 8); // the laggard
  EXPECT_DOUBLE_EQ(workRate(3, 5, 8, 0.5), (3 + 0.5 * 5) / 8);
}
TEST(Deadline, CaseBIsEarlyWhereTheLaggardIsNot) {
  expectSplit(splitOf(3, 9, 5), 3, 2, 4, 9);
  expectSplit(splitOf(9, 9, 5), 9, 0, 0, 9);
  EXPECT_DOUBLE_EQ(workRate(3, 9, 5, 0.5), (3 + 0.5 * 2) / 9);
}
TEST(Deadline, CaseCIsLateToo) {
  expectSplit(splitOf(6, 9, 5), 6, 0, 3, 9);
  EXPECT_DOUBLE_EQ(workRate(6, 9, 5, 0.5), 6.0 / 9);
}
TEST(Deadline, AtTheBordersOfTheCases) {
  expectSplit(splitOf(5, 9, 5), 5, 0, 4, 9); // its work ends at the deadline
  expectSplit(splitOf(3, 5, 5), 3, 2, 0, 5); // the deadline is the lag
  expectSplit(splitOf(3, 5, 0), 3, 0, 2, 5); // no deadline
  EXPECT_DOUBLE_EQ(workRate(0, 0, 0, 0.5), 1);
  EXPECT_DOUBLE_EQ(workRate(0, 0, 4, 0.5), 0.5);
}

/// Everything that could be better, and a grid.
Choice exhaustive(const Samples &samples, double utility) {
  std::vector<double> tried = {0};
  double last = 0;
  for (size_t i = 0; i < samples.iterations(); ++i)
    last = std::max(last, samples.lag(i));
  for (double work : samples.work)
    tried.insert(tried.end(), {work, work + last * 1e-9});
  for (int k = 0; k <= 2000; ++k)
    tried.push_back(last * 1.2 * k / 2000);
  Choice best;
  best.baseline = meanRate(samples, 0, utility);
  best.rate = -1;
  for (double deadline : tried)
    if (const double rate = meanRate(samples, deadline, utility); rate > best.rate)
      best = {deadline, rate, best.baseline};
  return best;
}

TEST(Deadline, IsTheBestOfAll) {
  std::mt19937 random(7);
  for (unsigned trial = 0; trial < 300; ++trial) {
    Samples samples;
    samples.members = 1 + random() % 6;
    const size_t iterations = 1 + random() % 12;
    std::lognormal_distribution<double> time(0, 0.1 + double(random() % 20) / 10);
    for (size_t i = 0; i < iterations * samples.members; ++i)
      samples.work.push_back(random() % 8 ? time(random) : double(random() % 3));
    const double utility = double(random() % 11) / 10;
    const Choice found = bestDeadline(samples, utility), best = exhaustive(samples, utility);
    EXPECT_NEAR(found.rate, best.rate, 1e-9) << "trial " << trial << ", utility " << utility;
    EXPECT_NEAR(found.baseline, best.baseline, 1e-12);
    EXPECT_NEAR(found.rate, meanRate(samples, found.deadline, utility), 1e-9) << trial;
    EXPECT_GE(found.rate, found.baseline);
  }
}

// Worthless extra work has no deadline; work of full worth goes on until the last iteration ends.
TEST(Deadline, FollowsTheUtility) {
  const Samples samples{2, {1, 2, 1, 4, 3, 2}};
  EXPECT_EQ(bestDeadline(samples, 0).deadline, 0);
  EXPECT_EQ(bestDeadline(samples, 1).deadline, 4);
  EXPECT_DOUBLE_EQ(bestDeadline(samples, 1).rate, 1);
  EXPECT_EQ(bestDeadline({}, 0.5).rate, 0);
}

} // namespace
