// Vector instructions: registers, masks, strides, lengths, and sparse accumulation.
#include "runtime/hardware/cts/Harness.h"

using namespace acis;
using namespace acis::cts;

namespace {

constexpr uint32_t E8 = 0 << 3, E16 = 1 << 3, E32 = 2 << 3, E64 = 3 << 3, M16 = 4;
constexpr uint32_t OpIvv = 0, OpFvv = 1, OpMvv = 2, OpIvi = 3, OpIvx = 4, OpMvx = 6;
constexpr uint32_t Vadd = 0, Vmul = 0x25, Vfmul = 0x24, Vmv = 0x17;

struct SparseInput;

class Vector : public Conformance {
protected:
  void scatter(const SparseInput &input);
  Words setLength(uint32_t vl, uint32_t vtype) {
    Words code;
    as::li(code, as::t0, vl);
    code.push_back(as::vsetvli(0, as::t0, vtype));
    return code;
  }
  void add(Words &code, const Words &more) { code.insert(code.end(), more.begin(), more.end()); }
  void setCsr(Words &code, uint32_t csr, uint32_t value) {
    as::li(code, as::t1, value);
    code.push_back(as::csrrw(0, csr, as::t1));
  }
  /// The outcome is the same where what is read is a source a cycle later, where an index is taken
  /// a cycle earlier, and where the array follows the sequencer. (Engine `rtl` is of one overlay.)
  Outcome run(const Words &code, const Bytes &memory, const Bytes &packet = Bytes(4)) {
    const Outcome outcome = runOn(overlay, code, memory, packet);
    for (unsigned indexLatency : {0u, 1u, 2u, 3u}) {
      if (GetParam().slow)
        break;
      Overlay registered = overlay;
      registered.inputLatency = 1;
      registered.indexLatency = indexLatency;
      registered.launchLatency = indexLatency == 0 ? 0 : 2;
      registered.stallLatency = indexLatency < 2 ? 0 : indexLatency - 1;
      const Outcome later = runOn(registered, code, memory, packet);
      EXPECT_EQ(later.packets, outcome.packets) << indexLatency;
      EXPECT_EQ(later.memory, outcome.memory) << indexLatency;
    }
    return outcome;
  }
  Outcome runOn(const Overlay &sizes, const Words &code, const Bytes &memory, const Bytes &packet) {
    Job job(sizes);
    job.binary.code = code;
    job.binary.code.push_back(as::wfi);
    job.memory = memory;
    job.packets = {packet};
    const Outcome outcome = job.run(GetParam());
    EXPECT_EQ(outcome.error, "");
    EXPECT_FALSE(outcome.trap) << outcome.trap->what << " at " << outcome.trap->pc;
    return outcome;
  }
  const Overlay overlay = testOverlay();
};

TEST_P(Vector, LoadsAndStoresOfEveryWidth) {
  Bytes memory(4096);
  for (size_t i = 0; i < 2048; ++i)
    memory[i] = uint8_t(i * 37 + i / 256);
  for (auto [width, vtype] : {std::pair(8u, E8), std::pair(16u, E16), std::pair(32u, E32),
                              std::pair(64u, E64), std::pair(8u, E32), std::pair(16u, E64)}) {
    const uint32_t vl = 37, bytes = width / 8;
    Words code = setLength(vl, vtype);
    setCsr(code, 0x801, 1); // VPE 0 only
    code.push_back(as::vle(width, 4, as::a2));
    as::li(code, as::t2, 0x80000800);
    code.push_back(as::vse(width, 4, as::t2));
    code.push_back(as::sync);
    const Outcome outcome = run(code, memory);
    Bytes expected = memory;
    std::copy_n(memory.begin(), vl * bytes, expected.begin() + 2048);
    EXPECT_EQ(outcome.memory, expected) << width;
  }
}

TEST_P(Vector, EveryVpeWithItsStride) {
  Bytes memory(2048);
  for (size_t i = 0; i < 1024; ++i)
    memory[i] = uint8_t(i * 11);
  Words code = setLength(20, E32);
  setCsr(code, 0x802, 200);
  code.push_back(as::vle(32, 1, as::a2)); // both VPEs
  setCsr(code, 0x801, 2);                 // VPE 1 only: its stride counts from 0
  as::li(code, as::t2, 0x80000400);
  code.push_back(as::vse(32, 1, as::t2));
  code.push_back(as::sync);
  const Outcome outcome = run(code, memory);
  Bytes expected = memory;
  std::copy_n(memory.begin() + 200, 80, expected.begin() + 1024 + 200);
  EXPECT_EQ(outcome.memory, expected);
}

TEST_P(Vector, BroadcastLoadsOfEveryWidth) {
  Bytes memory(4096);
  for (size_t i = 0; i < 2048; ++i)
    memory[i] = uint8_t(i * 29 + i / 256);
  for (auto [width, vtype] : {std::pair(8u, E8), std::pair(16u, E16), std::pair(32u, E32),
                              std::pair(64u, E64), std::pair(8u, E32), std::pair(32u, E64)}) {
    const bool wide = vtype == E64;
    const uint32_t vf = overlay.lanes * 32 / (wide ? 64 : 32), vl = 5 * vf + 3;
    const uint32_t bytes = wide ? 8 : 4;
    Words code = setLength(vl, vtype);
    setCsr(code, 0x802, 100); // both VPEs
    code.push_back(as::vlb(width, 4, as::a2));
    setCsr(code, 0x802, 1024);
    as::li(code, as::t2, 0x80000800);
    if (vtype != E64) {
      add(code, setLength(vl, E32)); // the whole container
    }
    code.push_back(as::vse(wide ? 64 : 32, 4, as::t2));
    code.push_back(as::sync);
    const Outcome outcome = run(code, memory);
    Bytes expected = memory;
    for (uint32_t p = 0; p < 2; ++p)
      for (uint32_t e = 0; e < vl; ++e)
        for (uint32_t b = 0; b < bytes; ++b)
          expected[2048 + p * 1024 + e * bytes + b] =
              b < width / 8 ? memory[p * 100 + e / vf * (width / 8) + b] : 0;
    EXPECT_EQ(outcome.memory, expected) << width;
  }
}

TEST_P(Vector, StreamOutInTurn) {
  std::vector<uint32_t> memory(64);
  for (uint32_t i = 0; i < 64; ++i)
    memory[i] = i * 3;
  Words code = setLength(20, E32);
  setCsr(code, 0x802, 80);
  code.push_back(as::vle(32, 1, as::a2));
  code.push_back(as::streamout(as::zero, as::zero, 2));
  as::li(code, as::t2, 4);
  code.push_back(as::streamoutv(1, as::t2));
  const Outcome outcome = run(code, bytesOf(memory));
  ASSERT_EQ(outcome.packets.size(), 1u);
  std::vector<uint32_t> expected{0};
  expected.insert(expected.end(), memory.begin(), memory.begin() + 40);
  EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[0]), expected);
}

TEST_P(Vector, IntegerArithmetic) {
  for (auto [vtype, width] : {std::pair(E8, 8u), std::pair(E16, 16u), std::pair(E32, 32u)}) {
    const uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
    std::vector<uint32_t> memory(128);
    std::mt19937 random(width);
    for (uint32_t i = 0; i < 32; ++i)
      memory[i] = random();
    Words code;
    setCsr(code, 0x801, 1);
    add(code, setLength(16, vtype));
    code.push_back(as::vle(32, 1, as::a2));
    as::li(code, as::t2, 0x80000040);
    code.push_back(as::vle(32, 2, as::t2));
    as::li(code, as::t1, 0xfffffffd);
    code.push_back(as::opV(Vadd, OpIvv, 3, 1, 2));
    code.push_back(as::opV(Vadd, OpIvx, 4, as::t1, 2));
    code.push_back(as::opV(Vmul, OpMvv, 5, 1, 2));
    code.push_back(as::opV(Vmul, OpMvx, 6, as::t1, 2));
    code.push_back(as::opV(Vmv, OpIvi, 7, 0x1f, 0)); // -1
    code.push_back(as::opV(Vmv, OpIvx, 8, as::t1, 0));
    code.push_back(as::opV(Vadd, OpIvv, 1, 1, 1)); // in place
    uint32_t position = 0;
    for (uint32_t v : {3, 4, 5, 6, 7, 8, 1}) {
      add(code, setLength(16, E32));
      as::li(code, as::t2, position);
      code.push_back(as::streamoutv(v, as::t2));
      position += 64;
    }
    const Outcome outcome = run(code, bytesOf(memory));
    ASSERT_EQ(outcome.packets.size(), 1u);
    const auto got = valuesOf<uint32_t>(outcome.packets[0]);
    ASSERT_EQ(got.size(), 7 * 16u);
    for (uint32_t i = 0; i < 16; ++i) {
      const uint32_t a = memory[i], b = memory[16 + i];
      EXPECT_EQ(got[i], (a + b) & mask);
      EXPECT_EQ(got[16 + i], (b - 3) & mask);
      EXPECT_EQ(got[32 + i], (a * b) & mask);
      EXPECT_EQ(got[48 + i], (b * uint32_t(-3)) & mask);
      EXPECT_EQ(got[64 + i], mask);
      EXPECT_EQ(got[80 + i], uint32_t(-3) & mask);
      EXPECT_EQ(got[96 + i], (a + a) & mask);
    }
  }
}

template <typename T> void checkFloatArithmetic(const Outcome &outcome, const std::vector<T> &m) {
  ASSERT_EQ(outcome.packets.size(), 1u);
  const auto got = valuesOf<T>(outcome.packets[0]);
  ASSERT_EQ(got.size(), 40u);
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(got[i], m[i] + m[20 + i]);
    EXPECT_EQ(got[20 + i], m[i] * m[20 + i]);
  }
}

TEST_P(Vector, FloatArithmetic) {
  auto memory = [](auto zero) {
    std::vector<decltype(zero)> m(40);
    for (size_t i = 0; i < m.size(); ++i)
      m[i] = decltype(zero)(1) / decltype(zero)(i + 3);
    return m;
  };
  auto code = [&](unsigned width, uint32_t vtype) {
    Words words;
    setCsr(words, 0x801, 1);
    add(words, setLength(20, vtype | M16));
    words.push_back(as::vle(width, 0, as::a2));
    as::li(words, as::t2, 0x80000000 + 20 * width / 8);
    words.push_back(as::vle(width, 16, as::t2));
    words.push_back(as::opV(Vadd, OpFvv, 16, 0, 16));
    words.push_back(as::streamoutv(16, as::zero));
    words.push_back(as::vle(width, 16, as::t2));
    words.push_back(as::opV(Vfmul, OpFvv, 0, 0, 16));
    as::li(words, as::t2, 20 * width / 8);
    words.push_back(as::streamoutv(0, as::t2));
    return words;
  };
  const auto floats = memory(0.f);
  checkFloatArithmetic(run(code(32, E32), bytesOf(floats)), floats);
  const auto doubles = memory(0.0);
  checkFloatArithmetic(run(code(64, E64), bytesOf(doubles)), doubles);
}

/// vd is filled with 1.0, vs2 with row numbers; 6 beats of indices from byte 8 on.
struct SparseInput {
  std::vector<float> table;
  std::vector<uint32_t> indices;
  Bytes packet;
  /// Indices are below `rows`; some are past the group's 128 beats.
  explicit SparseInput(uint32_t rows = 160) : table(128 * 16) {
    for (size_t i = 0; i < table.size(); ++i)
      table[i] = float(i) / 3;
    std::mt19937 random(1);
    for (unsigned i = 0; i < 6 * 16; ++i)
      indices.push_back(random() % rows);
    packet = Bytes(8);
    const Bytes bytes = bytesOf(indices);
    packet.insert(packet.end(), bytes.begin(), bytes.end());
  }
};

TEST_P(Vector, SparseGatherSum) {
  const SparseInput input;
  Words code;
  setCsr(code, 0x801, 2);
  code.push_back(as::addi(as::t0, as::zero, 4));
  code.push_back(as::streamin(as::a4, as::t0, 2)); // the stream is at byte 8 now
  add(code, setLength(128 * 16, E32));
  code.push_back(as::vle(32, 2, as::a2));
  code.push_back(as::opV(Vmv, OpIvi, 1, 0, 0));
  add(code, setLength(6, E32));
  code.push_back(as::spvaccXv(1, 2));
  add(code, setLength(32, E32));
  code.push_back(as::streamoutv(1, as::zero));
  const Outcome outcome = run(code, bytesOf(input.table), input.packet);
  ASSERT_EQ(outcome.packets.size(), 1u);
  std::vector<float> expected(32);
  for (size_t e = 0; e < input.indices.size(); ++e)
    expected[e % 16] += input.indices[e] < 128 ? input.table[input.indices[e] * 16 + e % 16] : 0;
  EXPECT_EQ(valuesOf<float>(outcome.packets[0]), expected);
}

TEST_P(Vector, SparseScatterSum) { scatter(SparseInput()); }
// Nearly every beat waits for the one before it, in some lanes.
TEST_P(Vector, SparseScatterSumToThreeRows) { scatter(SparseInput(3)); }

void Vector::scatter(const SparseInput &input) {
  Words code;
  setCsr(code, 0x801, 1);
  code.push_back(as::addi(as::t0, as::zero, 4));
  code.push_back(as::streamin(as::a4, as::t0, 2));
  add(code, setLength(128 * 16, E32));
  code.push_back(as::vle(32, 2, as::a2));
  code.push_back(as::opV(Vmv, OpIvi, 1, 0, 0));
  add(code, setLength(6, E32));
  code.push_back(as::addi(as::t2, as::zero, 77));
  code.push_back(as::spvaccVx(1, as::t2, 2));
  add(code, setLength(128 * 16, E32));
  code.push_back(as::streamoutv(1, as::zero));
  const Outcome outcome = run(code, bytesOf(input.table), input.packet);
  ASSERT_EQ(outcome.packets.size(), 1u);
  std::vector<float> expected(128 * 16);
  for (size_t e = 0; e < input.indices.size(); ++e)
    if (input.indices[e] < 128)
      expected[input.indices[e] * 16 + e % 16] += input.table[77 * 16 + e % 16];
  EXPECT_EQ(valuesOf<float>(outcome.packets[0]), expected);
}

ACIS_CONFORMANCE(Vector);

} // namespace
