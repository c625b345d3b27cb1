// Which addresses stand for which bytes, through the life of a buffer. No OpenCL is called: handles
// are numbers here.
#include "runtime/host/device/Registry.h"

#include <gtest/gtest.h>

#include <array>

namespace acis::device {
namespace {

cl_mem handle(uintptr_t number) { return reinterpret_cast<cl_mem>(number); }
cl_context context() { return reinterpret_cast<cl_context>(uintptr_t(1)); }

struct RegistryTest : testing::Test {
  Registry all;
  std::array<char, 1000> memory = {};

  void expectNothing(const char *at) {
    EXPECT_FALSE(all.mayHold(at));
    EXPECT_FALSE(all.find(at));
  }
};

TEST_F(RegistryTest, PointerStandsForEveryByteUntilRelease) {
  all.addBuffer(handle(10), context(), 0, 100, nullptr);
  auto *pointer = static_cast<char *>(all.pointer(handle(10)));
  ASSERT_NE(pointer, nullptr);
  EXPECT_EQ(all.pointer(handle(10)), pointer);
  for (size_t byte : {0, 57, 99}) {
    ASSERT_TRUE(all.mayHold(pointer + byte));
    const auto window = all.find(pointer + byte);
    ASSERT_TRUE(window);
    EXPECT_EQ(window->kind, Kind::Pointer);
    EXPECT_EQ(window->buffer->handle, handle(10));
  }
  expectNothing(pointer + 100);
  expectNothing(pointer - 1);
  all.retain(handle(10));
  all.release(handle(10));
  EXPECT_TRUE(all.mayHold(pointer));
  all.release(handle(10));
  expectNothing(pointer);
  EXPECT_EQ(all.pointer(handle(10)), nullptr);
}

TEST_F(RegistryTest, PartsLieInTheirWhole) {
  all.addBuffer(handle(10), context(), 0, 5000, nullptr);
  all.addPart(handle(11), handle(10), 4096, 512, 0);
  auto *whole = static_cast<char *>(all.pointer(handle(10)));
  EXPECT_EQ(all.pointer(handle(11)), whole + 4096);
  all.map(handle(11), memory.data(), 12, 100, CL_MAP_READ);
  const auto window = all.find(memory.data() + 5);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->buffer->handle, handle(10));
  EXPECT_EQ(window->offset, 4096u + 12u);
  // The whole lives as long as a part of it.
  all.release(handle(10));
  EXPECT_TRUE(all.mayHold(whole));
  all.release(handle(11));
  expectNothing(whole);
  expectNothing(memory.data());
}

TEST_F(RegistryTest, MapsEndWithUnmap) {
  all.addBuffer(handle(10), context(), 0, 1000, nullptr);
  all.map(handle(10), memory.data(), 0, 400, CL_MAP_READ);
  all.map(handle(10), memory.data() + 600, 600, 400, CL_MAP_WRITE);
  EXPECT_EQ(all.find(memory.data())->mapFlags, cl_map_flags(CL_MAP_READ));
  expectNothing(memory.data() + 500);
  EXPECT_TRUE(all.unmap(handle(10), memory.data()));
  expectNothing(memory.data());
  EXPECT_TRUE(all.mayHold(memory.data() + 999));
  EXPECT_TRUE(all.unmap(handle(10), memory.data() + 600));
  expectNothing(memory.data() + 999);
}

TEST_F(RegistryTest, ProgramMemoryIsKeptUntilItIsMappedForAnother) {
  all.addBuffer(handle(10), context(), CL_MEM_USE_HOST_PTR, 1000, memory.data());
  EXPECT_EQ(all.find(memory.data() + 3)->kind, Kind::Kept);
  all.map(handle(10), memory.data() + 100, 100, 50, CL_MAP_READ);
  EXPECT_EQ(all.find(memory.data() + 120)->kind, Kind::Mapped);
  EXPECT_EQ(all.find(memory.data() + 99)->kind, Kind::Kept);
  EXPECT_TRUE(all.unmap(handle(10), memory.data() + 100));
  EXPECT_EQ(all.find(memory.data() + 120)->kind, Kind::Kept);
  all.addBuffer(handle(20), context(), 0, 1000, nullptr);
  all.map(handle(20), memory.data(), 0, 10, CL_MAP_READ);
  EXPECT_TRUE(all.unmap(handle(20), memory.data()));
  expectNothing(memory.data());
}

TEST_F(RegistryTest, MemoryWithAMessageIsNotUnmapped) {
  all.addBuffer(handle(10), context(), 0, 1000, nullptr);
  all.map(handle(10), memory.data(), 0, 1000, CL_MAP_READ);
  const uint64_t first = all.find(memory.data())->number;
  ASSERT_TRUE(all.beginMessage(first));
  ASSERT_TRUE(all.beginMessage(first));
  // Mapped again at the same address in the meantime: another map.
  all.map(handle(10), memory.data(), 0, 1000, CL_MAP_WRITE);
  EXPECT_NE(all.find(memory.data())->number, first);
  EXPECT_FALSE(all.unmap(handle(10), memory.data()));
  EXPECT_TRUE(all.endMessage(first));
  EXPECT_TRUE(all.endMessage(first));
  EXPECT_TRUE(all.unmap(handle(10), memory.data()));
  EXPECT_FALSE(all.beginMessage(first));
}

TEST_F(RegistryTest, SharedMemory) {
  all.addSvm(memory.data(), context(), 1000);
  EXPECT_EQ(all.find(memory.data())->kind, Kind::Svm);
  all.mapSvm(memory.data() + 10, 20, CL_MAP_WRITE);
  EXPECT_EQ(all.find(memory.data() + 10)->kind, Kind::Mapped);
  EXPECT_EQ(all.find(memory.data() + 10)->offset, 10u);
  EXPECT_TRUE(all.unmapSvm(memory.data() + 10));
  EXPECT_EQ(all.find(memory.data() + 10)->kind, Kind::Svm);
  all.releaseSvm(memory.data());
  expectNothing(memory.data());
}

TEST_F(RegistryTest, NamesStandInErrors) {
  all.addBuffer(handle(10), context(), 0, 1000, nullptr);
  const auto window = (all.pointer(handle(10)), all.find(all.pointer(handle(10))));
  EXPECT_EQ(all.describe(*window->buffer), "buffer 0xa of 1000 bytes");
  EXPECT_TRUE(all.setName(handle(10), "halo"));
  EXPECT_FALSE(all.setName(handle(11), "halo"));
  EXPECT_EQ(all.describe(*window->buffer), "buffer 'halo' of 1000 bytes");
}

} // namespace
} // namespace acis::device
