#include "runtime/host/device/Choices.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>

using namespace acis;
using namespace acis::device;

namespace {

std::map<std::string, std::string> variables;

const char *environment(const char *name) {
  const auto found = variables.find(name);
  return found == variables.end() ? nullptr : found->second.c_str();
}

Result<Settings> read(std::map<std::string, std::string> set) {
  variables = std::move(set);
  return Settings::read(environment);
}

std::string errorOf(std::map<std::string, std::string> set) {
  const Result<Settings> made = read(std::move(set));
  return made ? "none" : made.error().str();
}

TEST(Choices, AreThePublications) {
  const Choices choices;
  for (bool isSameHost : {true, false}) {
    EXPECT_EQ(choices.of(0, isSameHost).way, Way::Whole);
    EXPECT_EQ(choices.of((2 << 20) - 1, isSameHost).way, Way::Whole);
    EXPECT_EQ(choices.of(2 << 20, isSameHost), (Step{2 << 20, Way::Chunks, 1 << 20}));
  }
}

TEST(Choices, AreReadAsWritten) {
  Choices choices;
  choices.host = {{0, Way::Whole}, {1 << 20, Way::Chunks, 65536}, {8 << 20, Way::Peer}};
  choices.rowBytes = 77;
  const Result<Choices> again = Choices::parse(choices.json());
  ASSERT_TRUE(again) << again.error().str();
  EXPECT_EQ(again->host, choices.host);
  EXPECT_EQ(again->network, choices.network);
  EXPECT_EQ(again->rowBytes, 77u);
  EXPECT_EQ(again->of(2 << 20, true).chunk, 65536u);
  EXPECT_EQ(again->of(2 << 20, false).chunk, size_t(1) << 20);
}

TEST(Choices, NameThePlaceOfAnError) {
  const auto error = [](const char *text) {
    const Result<Choices> made = Choices::parse(text);
    return made ? std::string("none") : made.error().str();
  };
  EXPECT_EQ(error("["), "is not a JSON object");
  EXPECT_EQ(error("{}"), "host: is not an array of steps");
  EXPECT_EQ(error(R"({"host": [{"from": 5, "way": "whole"}]})"),
            "host[0]: \"from\" is not above the step before; the first is 0");
  EXPECT_EQ(error(R"({"host": [{"from": 0, "way": "fast"}]})"),
            "host[0]: 'fast' is not whole, chunks or peer");
  EXPECT_EQ(error(R"({"host": [{"from": -1, "way": "whole"}]})"),
            "host[0]: has no \"from\", a number of bytes, and \"way\"");
  EXPECT_EQ(error(R"({"host": [{"from": 0, "way": "chunks", "chunk": 1}]})"),
            "host[0]: \"chunk\" is not a number of bytes, 4096 to 1073741824");
  EXPECT_EQ(error(R"({"host": [{"from": 0, "way": "whole"}], "network": 3})"),
            "network: is not an array of steps");
}

TEST(Settings, ForceEachWay) {
  EXPECT_EQ(read({{"ACIS_DEVICE_WAY", "whole"}})->choices.of(1 << 30, false).way, Way::Whole);
  EXPECT_EQ(read({{"ACIS_DEVICE_WAY", "peer"}})->choices.of(16384, true).way, Way::Peer);
  const Result<Settings> chunks = read({{"ACIS_DEVICE_FROM", "1M"}, {"ACIS_DEVICE_CHUNK", "64K"}});
  EXPECT_EQ(chunks->choices.of((1 << 20) - 1, true).way, Way::Whole);
  EXPECT_EQ(chunks->choices.of(1 << 20, true), (Step{1 << 20, Way::Chunks, 65536}));
}

/// A receive below an announcement's size must not meet one.
TEST(Settings, NeverAnnounceWhatIsSmallerThanAnAnnouncement) {
  EXPECT_EQ(read({{"ACIS_DEVICE_WAY", "chunks"}})->choices.of(16383, true).way, Way::Whole);
  Choices choices;
  choices.host = {{0, Way::Chunks}};
  EXPECT_EQ(choices.of(16383, true).way, Way::Whole);
  EXPECT_EQ(choices.of(16384, true).way, Way::Chunks);
}

TEST(Settings, NameTheVariableOfAnError) {
  EXPECT_EQ(errorOf({{"ACIS_DEVICE_WAY", "best"}}),
            "ACIS_DEVICE_WAY: 'best' is not whole, chunks or peer");
  EXPECT_EQ(errorOf({{"ACIS_DEVICE_FROM", "16383"}}),
            "ACIS_DEVICE_FROM: '16383' is not a number of bytes, 16384 or more");
  EXPECT_EQ(errorOf({{"ACIS_DEVICE_FROM", "1MB"}}),
            "ACIS_DEVICE_FROM: '1MB' is not a number of bytes, 16384 or more");
  EXPECT_EQ(errorOf({{"ACIS_DEVICE_FROM", "99999999999999999G"}}),
            "ACIS_DEVICE_FROM: '99999999999999999G' is not a number of bytes, 16384 or more");
  EXPECT_EQ(errorOf({{"ACIS_DEVICE_P2P", "yes"}}), "ACIS_DEVICE_P2P: 'yes' is not 0 or 1");
  EXPECT_EQ(errorOf({{"ACIS_DEVICE_TABLE", "/nowhere"}}),
            "ACIS_DEVICE_TABLE: /nowhere cannot be read");
}

} // namespace
