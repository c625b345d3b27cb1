// Output appears whole or not at all; packet files of each format.
#include "runtime/io/Files.h"
#include "runtime/io/Packets.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sys/stat.h>

using namespace acis;
using namespace acis::io;

namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
protected:
  fs::path folder;
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "acis-files-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const char *name) const { return folder / name; }
  size_t count() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
};

using Packets = std::vector<std::vector<uint8_t>>;
const std::vector<uint8_t> some = {1, 2, 3, 4, 5, 6, 7, 8};

TEST_F(Files, OutputIsThereAfterCommitOnly) {
  {
    Result<OutputFile> file = OutputFile::create(path("a"));
    ASSERT_TRUE(file) << file.error().str();
    EXPECT_TRUE(file->write(some));
    EXPECT_FALSE(fs::exists(path("a")));
    EXPECT_TRUE(file->commit());
  }
  EXPECT_EQ(*readFile(path("a")), some);
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, OutputThatIsNotCommittedLeavesNothing) {
  ASSERT_TRUE(writeFile(path("a"), some));
  {
    Result<OutputFile> file = OutputFile::create(path("a"));
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->write(std::vector<uint8_t>(100)));
  }
  EXPECT_EQ(*readFile(path("a")), some); // what was there before
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, ErrorsNameTheFile) {
  EXPECT_EQ(readFile(path("none")).error().str(),
            path("none") + ": cannot open the file: No such file or directory");
  EXPECT_EQ(OutputFile::create(path("no/a")).error().str(),
            path("no/a") + ": cannot create the file: No such file or directory");
  EXPECT_EQ(readFile(folder).error().what, "cannot read the file: Is a directory");
}

TEST_F(Files, RawIsCutIntoPackets) {
  ASSERT_TRUE(writeFile(path("a.bin"), some));
  EXPECT_EQ(readPackets(path("a.bin"), 0)->packets.size(), 1u);
  Result<Input> input = readPackets(path("a.bin"), 4);
  ASSERT_TRUE(input);
  EXPECT_EQ(input->packets, (std::vector<std::vector<uint8_t>>{{1, 2, 3, 4}, {5, 6, 7, 8}}));
  EXPECT_EQ(readPackets(path("a.bin"), 3).error().what,
            "found 8 bytes, which end after 2 bytes of a packet of 3 bytes; change "
            "--packet-bytes");
  EXPECT_EQ(readPackets(path("a.bin"), PacketEnd).error().what,
            "found a packet of 2147483648 bytes, allowed are less than 2147483648; cut it with "
            "--packet-bytes");
  ASSERT_TRUE(writeFile(path("empty"), {}));
  EXPECT_EQ(readPackets(path("empty"), 0).error().what,
            "found no data, needed is at least one byte");
}

TEST_F(Files, NpyKeepsItsType) {
  std::vector<std::vector<uint8_t>> packets = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  ASSERT_TRUE(writeFile(path("a.npy"), *formatPackets(Format::Npy, packets, {}, "<i2")));
  Result<Input> input = readPackets(path("a.npy"), 4);
  ASSERT_TRUE(input) << input.error().str();
  EXPECT_EQ(input->packets, packets);
  EXPECT_EQ(input->descr, "<i2");
  EXPECT_EQ(*readData(path("a.npy")), some);
  EXPECT_EQ(formatPackets(Format::Npy, Packets{std::vector<uint8_t>(6)}, {}, "<f4").error().what,
            "found 6 bytes to write, elements of '<f4' have 4; change --out-type");
  ASSERT_TRUE(writeFile(path("bad.npy"), some));
  EXPECT_TRUE(readPackets(path("bad.npy"), 0).error().str().starts_with(path("bad.npy") + ": "));
}

TEST_F(Files, CapturesAnswerTheirSenders) {
  Flow first, second;
  first.fromPort = 1;
  second.fromPort = 2;
  std::vector<std::vector<uint8_t>> packets(3, some);
  std::vector<Flow> flows = {first, second};
  ASSERT_TRUE(writeFile(path("a.pcap"), *formatPackets(Format::Pcap, packets, flows, "")));
  Result<Input> input = readPackets(path("a.pcap"), 0);
  ASSERT_TRUE(input) << input.error().str();
  EXPECT_EQ(input->packets, packets);
  EXPECT_EQ(input->flows,
            (std::vector<Flow>{first.reversed(), second.reversed(), second.reversed()}));
  EXPECT_FALSE(readPackets(path("a.pcap"), 4));
  EXPECT_EQ(formatPackets(Format::Pcap, Packets{std::vector<uint8_t>(65508)}, {}, "").error().what,
            "packet 1 has 65508 bytes, a UDP packet at most 65507; write a .bin or .npy file");
}

} // namespace
