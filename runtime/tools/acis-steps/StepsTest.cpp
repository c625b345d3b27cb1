#include "runtime/tools/acis-steps/Report.h"
#include "runtime/tools/acis-steps/Trace.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::steps;

namespace {

const std::string header = "step,rank,call,begin_ns,arrival_ns,end_ns\n";
const std::string two = header + "0,0,barrier,0,10,40\n0,1,barrier,5,35,40\n"
                                 "1,0,allreduce,40,90,95\n1,1,allreduce,40,60,95\n";

std::string whyRefused(const std::string &text) {
  const Result<Trace> trace = parseTrace(text);
  return trace ? "" : trace.error().str();
}

TEST(Steps, ReadsWhatTheLibraryWrites) {
  const Result<Trace> trace = parseTrace(two);
  ASSERT_TRUE(trace) << trace.error().str();
  EXPECT_EQ(trace->ranks, 2u);
  EXPECT_EQ(trace->calls, (std::vector<std::string>{"barrier", "allreduce"}));
  const control::Samples samples = trace->samples();
  ASSERT_EQ(samples.work.size(), 4u);
  EXPECT_DOUBLE_EQ(samples.work[1], 30e-9);
  EXPECT_DOUBLE_EQ(samples.lag(1), 50e-9);
}

TEST(Steps, SaysWhereAFileIsDamaged) {
  EXPECT_EQ(
      whyRefused(""),
      "line 1: expected 'step,rank,call,begin_ns,arrival_ns,end_ns', which ACIS_STEPS writes");
  EXPECT_EQ(whyRefused(header), "line 1: there is no superstep");
  EXPECT_EQ(whyRefused(two.substr(0, two.size() - 5)), "line 5: the file is cut off");
  EXPECT_EQ(whyRefused(two + "2,0,barrier,95,99,100\n"),
            "line 6: the file is cut off: the last step has 1 of 2 ranks");
  EXPECT_EQ(whyRefused(header + "0,0,barrier,9,8,40\n"),
            "line 2: expected step, rank, call, and three times that do not fall");
  EXPECT_EQ(whyRefused(two + "3,0,barrier,95,99,100\n"),
            "line 6: step 3 of rank 0; step 2 of rank 0 is missing");
  EXPECT_NE(whyRefused(header + "0,0,<script>,1,2,3\n"), "");
}

TEST(Steps, SumsUp) {
  const control::Samples samples{2, {1, 3, 2, 4, 5, 1, 2, 2}};
  const Report report = analyse(samples, 8);
  EXPECT_DOUBLE_EQ(report.idleTime, (2 + 2 + 4 + 0) / 8.0);
  EXPECT_DOUBLE_EQ(report.idleRatio, (2.0 / 3 + 2.0 / 4 + 4.0 / 5) / 8);
  EXPECT_DOUBLE_EQ(report.lag, 3.5);
  EXPECT_EQ(report.laggards, (std::vector<double>{1, 1}));
  EXPECT_DOUBLE_EQ(report.deadlines[4].choice.baseline, 1 - report.idleRatio);
  for (const Report::Best &best : report.deadlines)
    EXPECT_GE(best.choice.rate, best.choice.baseline);
  EXPECT_DOUBLE_EQ(report.deadlines.back().choice.rate, 1);
}

TEST(Steps, DrawsWhatIsAskedFor) {
  Model model;
  model.ranks = 48;
  model.steps = 100;
  for (const double ratio : {0.027, 0.32, 0.89}) {
    model.idleRatio = ratio;
    model.idleSeconds = 0.1;
    const Result<control::Samples> samples = drawSamples(model);
    ASSERT_TRUE(samples);
    const Report report = analyse(*samples, 64);
    EXPECT_NEAR(report.idleRatio, ratio, 1e-6);
    EXPECT_NEAR(report.idleTime, 0.1, 1e-6);
  }
  model.idleRatio = 0.99;
  EXPECT_NE(drawSamples(model) ? "" : drawSamples(model).error().str(), "");
}

} // namespace
