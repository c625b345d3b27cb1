// Lines of the log in both formats, and a log that nobody reads.
#include "runtime/switch/acisd/Log.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

using namespace acis;
using namespace acis::acisd;

namespace {

LogLine failure(std::string what) {
  LogLine line;
  line.level = LogLevel::Error;
  line.event = "job-failed";
  line.job = 7;
  line.message = std::move(what);
  return line;
}

TEST(Log, TextHasItsFieldsInOrder) {
  LogLine line = failure("rank 3 is gone");
  line.session = 12;
  line.peer = "rank 3";
  line.address = "10.0.0.1:9";
  EXPECT_EQ(formatLine(LogFormat::Text, line, 1'790'000'000'007),
            "2026-09-21T14:13:20.007Z error job-failed job=7 session=12 peer=\"rank 3\" "
            "address=10.0.0.1:9 \"rank 3 is gone\"\n");
}

TEST(Log, JsonIsOneObject) {
  const std::string text = formatLine(LogFormat::Json, failure("a \"b\"\n\xff"), 0);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  const nlohmann::json read = nlohmann::json::parse(text);
  EXPECT_EQ(read["time"], "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(read["level"], "error");
  EXPECT_EQ(read["event"], "job-failed");
  EXPECT_EQ(read["job"], 7);
  EXPECT_EQ(read["message"], "a \"b\"\n\xef\xbf\xbd");
  EXPECT_FALSE(read.contains("session"));
  EXPECT_FALSE(read.contains("peer"));
}

TEST(Log, LongMessagesAreCut) {
  for (LogFormat format : {LogFormat::Text, LogFormat::Json})
    EXPECT_LT(formatLine(format, failure(std::string(1 << 20, '\x01')), 0).size(), MostLineBytes);
}

TEST(Log, WithoutAFormatNothingIsWritten) {
  Log log(std::nullopt, -1);
  log.write(failure("x"));
  log.event({sw::Event::What::JobStarted, 1, 0, {}, nullptr, {}});
}

/// What a pipe holds.
std::string drain(int descriptor) {
  std::string text(1 << 20, '\0');
  const ssize_t got = ::read(descriptor, text.data(), text.size());
  text.resize(got > 0 ? size_t(got) : 0);
  return text;
}

TEST(Log, AFullPipeLosesLinesAndDoesNotWait) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Log log(LogFormat::Json, ends[1]);
  for (int i = 0; i < 5000; ++i)
    log.event({sw::Event::What::JobStarted, 1, 0, {}, nullptr, {}});
  const std::string first = drain(ends[0]);
  EXPECT_EQ(first.back(), '\n');
  const auto kept = std::count(first.begin(), first.end(), '\n');
  EXPECT_LT(kept, 5000);
  log.event({sw::Event::What::JobEnded, 1, 0, {}, nullptr, {}});
  const std::string then = drain(ends[0]);
  EXPECT_NE(then.find("\"lines-lost\",\"message\":\"" + std::to_string(5000 - kept) + " lines"),
            std::string::npos)
      << then;
  EXPECT_NE(then.find("job-ended"), std::string::npos);
  close(ends[0]);
  close(ends[1]);
}

TEST(Log, EventsOfTheSwitch) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Log log(LogFormat::Text, ends[1]);
  const wire::Address from = *wire::parseAddress("127.0.0.1:9");
  log.event({sw::Event::What::SessionRefused, 7, 0, "rank 3", &from, "there are 64 jobs already"});
  log.event({sw::Event::What::SessionDead, 7, 5, "switch 1", &from, "it has said nothing"});
  const std::string text = drain(ends[0]);
  EXPECT_NE(text.find(" warning session-refused job=7 peer=\"rank 3\" address=127.0.0.1:9 "
                      "\"there are 64 jobs already\"\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" warning session-dead job=7 session=5 peer=\"switch 1\" "),
            std::string::npos);
  close(ends[0]);
  close(ends[1]);
}

} // namespace
