#include "runtime/switch/memory/Blocks.h"
#include "runtime/switch/memory/Mapping.h"

#include "runtime/io/Bytes.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <random>
#include <unistd.h>

using namespace acis;
using namespace acis::memory;

TEST(Blocks, AreReadAgainAsTheyWere) {
  std::vector<uint8_t> region(1 << 20);
  Result<Blocks> blocks = Blocks::make(region, 7);
  ASSERT_TRUE(blocks);
  std::mt19937 random(3);
  std::vector<std::pair<uint32_t, uint64_t>> held;
  for (int i = 0; i < 2000; ++i) {
    if (!held.empty() && random() % 2) {
      const size_t k = random() % held.size();
      blocks->free(held[k].second);
      held.erase(held.begin() + long(k));
      continue;
    }
    const uint32_t job = random() % 3;
    const uint64_t bytes = 1 + random() % 40'000;
    if (std::optional<Block> block = blocks->allocate(job, bytes)) {
      EXPECT_GE(block->handle, 7u);
      for (uint8_t &byte : blocks->bytesOf(*block)) {
        ASSERT_EQ(byte, 0) << "what a job has left is seen by the next one";
        byte = uint8_t(block->handle);
      }
      held.push_back({job, block->handle});
    }
  }
  ASSERT_FALSE(held.empty());
  Result<Blocks> again = Blocks::open(region);
  ASSERT_TRUE(again) << again.error().str();
  EXPECT_EQ(again->count(), held.size());
  EXPECT_EQ(again->used(), blocks->used());
  for (const auto &[job, handle] : held) {
    const Block *block = again->find(job, handle);
    ASSERT_TRUE(block);
    for (uint8_t byte : again->bytesOf(*block))
      ASSERT_EQ(byte, uint8_t(handle)) << "another block was written over it";
    EXPECT_EQ(again->find(job + 1, handle), nullptr);
  }
  const uint64_t last = held.back().second;
  again->free(last);
  again->free(last);
  EXPECT_EQ(again->find(held.back().first, last), nullptr);
}

TEST(Blocks, NoRoomAndNoBytesAreNoBlock) {
  std::vector<uint8_t> region(8192);
  Result<Blocks> blocks = Blocks::make(region, 1);
  ASSERT_TRUE(blocks);
  EXPECT_FALSE(blocks->allocate(1, 0));
  EXPECT_FALSE(blocks->allocate(1, blocks->capacity() + 1));
  EXPECT_FALSE(blocks->allocate(1, ~uint64_t(0)));
  std::optional<Block> all = blocks->allocate(1, blocks->capacity());
  ASSERT_TRUE(all);
  EXPECT_FALSE(blocks->allocate(1, 1));
  blocks->free(all->handle);
  EXPECT_TRUE(blocks->allocate(1, 1));
  std::vector<uint8_t> little(100);
  EXPECT_FALSE(Blocks::make(little, 1));
}

TEST(Blocks, DamagedTablesAreRefused) {
  std::vector<uint8_t> region(65'536);
  {
    Result<Blocks> blocks = Blocks::make(region, 1);
    ASSERT_TRUE(blocks);
    for (int i = 0; i < 3; ++i)
      ASSERT_TRUE(blocks->allocate(1, 100));
  }
  const auto refused = [&](size_t at, uint64_t value, const char *why) {
    std::vector<uint8_t> other = region;
    io::store(other.data() + at, value);
    Result<Blocks> opened = Blocks::open(other);
    ASSERT_FALSE(opened) << why;
    EXPECT_NE(opened.error().what.find(why), std::string::npos) << opened.error().what;
  };
  ASSERT_TRUE(Blocks::open(region));
  refused(0, 0, "does not begin with");
  refused(8, 4096, "was made with 4096 bytes");
  refused(16, 9, "a table of 9");
  refused(24, 2, "a handle that was not given");
  refused(64, 2, "or twice");
  refused(64 + 16, 64, "does not lie in the region");
  refused(64 + 24, ~uint64_t(0), "does not lie in the region");
  refused(64 + 24, 200, "overlap");
  refused(64 + 16, io::load<uint64_t>(region.data() + 96 + 16), "overlap");
}

TEST(Mapping, OfAFileKeepsWhatWasWrittenAndHasOneOwner) {
  const std::string path = testing::TempDir() + "acis-region-" + std::to_string(getpid());
  std::remove(path.c_str());
  EXPECT_FALSE(Mapping::file(path, 0)) << "a new one has no size";
  {
    Result<Mapping> made = Mapping::file(path, 65'536);
    ASSERT_TRUE(made) << made.error().str();
    made->bytes()[65'535] = 9;
    Result<Mapping> other = Mapping::file(path, 65'536);
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().what.find("in use"), std::string::npos);
    EXPECT_TRUE(made->save());
  }
  EXPECT_FALSE(Mapping::file(path, 4096));
  Result<Mapping> again = Mapping::file(path, 0);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->bytes()[65'535], 9);
  std::remove(path.c_str());
  EXPECT_FALSE(Mapping::file(testing::TempDir(), 4096));
}
