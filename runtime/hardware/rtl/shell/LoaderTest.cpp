// The loader against the software's tables: what it writes into the core, and which programs it
// refuses.
#include "Loader_tiny.h"
#include "Loader_u280.h"
#include "backend/overlay/SystemVerilog.h"
#include "runtime/engine/programs/RandomProgram.h"
#include "runtime/hardware/rtl/shell/AxiMemory.h"
#include "runtime/hardware/verilated/DeviceImage.h"

#include <gtest/gtest.h>
#include <map>

namespace acis::rtl {
namespace {

enum Code : uint8_t {
  Fine,
  BadBase,
  BadBus,
  BadMagic,
  BadVersion,
  BadHardware,
  BadSize,
  BadSum,
  BadCode,
  BadContexts,
  BadSection,
  BadMemory
};
using Words = std::vector<uint32_t>;
using Tables = std::map<uint32_t, std::array<uint32_t, 16>>;
constexpr uint64_t Base = 0x1'2345'6000;

template <typename M> struct Of;
template <> struct Of<Loader_tiny> {
  static constexpr const char *name = "tiny.json";
};
template <> struct Of<Loader_u280> {
  static constexpr const char *name = "u280.json";
};

struct Loaded {
  uint8_t code = 255;
  uint32_t at = 0, codeWords = 0, entry = 0, firstContext = 0, contexts = 0;
  Tables tables;
  std::string complaint;
};

template <typename Model> class LoaderTest : public testing::Test {
protected:
  static const Overlay &overlay() {
    static const Overlay loaded = *Overlay::load(Of<Model>::name);
    return loaded;
  }
  const unsigned Beat = overlay().beatBytes();

  /// Runs the loader on an image; several times on the same bench.
  Loaded load(const Words &words, uint64_t base = Base, uint32_t memoryBytes = 1 << 20,
              std::function<bool(uint64_t)> badRead = nullptr) {
    auto &top = bench.top;
    SparseMemory memory;
    memory.write(base, words.data(), words.size() * 4);
    AxiPort port(memory, Beat, random(), unsigned(random() % 2 * 40));
    port.badRead = std::move(badRead);
    Loaded loaded;
    AxiSignals s;
    top.memory_bytes_i = memoryBytes;
    top.base_i = base;
    top.start_i = 1;
    for (unsigned cycle = 0; cycle < 100000 && loaded.code == 255; ++cycle) {
      port.drive(s);
      top.arready_i = s.arready;
      top.rvalid_i = s.rvalid;
      top.rresp_i = s.rresp;
      if (s.rvalid)
        setPort(top.rdata_i, s.rdata.data(), Beat);
      top.eval();
      s.arvalid = top.arvalid_o;
      s.araddr = top.araddr_o;
      s.arlen = top.arlen_o;
      s.rready = top.rready_o;
      port.take(s);
      if (top.cfg_we_o)
        std::memcpy(loaded.tables[top.cfg_address_o].data(), &top.cfg_data_o, 64);
      if (top.done_o && cycle) {
        loaded.code = top.error_o;
        loaded.at = top.at_o;
      }
      bench.tick();
      top.start_i = 0;
      top.eval();
    }
    if (top.cfg_we_o)
      std::memcpy(loaded.tables[top.cfg_address_o].data(), &top.cfg_data_o, 64);
    EXPECT_NE(loaded.code, 255) << "no end";
    EXPECT_FALSE(top.busy_o);
    EXPECT_TRUE(port.quiet());
    EXPECT_EQ(port.complaint, "");
    loaded.codeWords = top.code_words_o;
    loaded.entry = top.entry_o;
    loaded.firstContext = top.first_context_o;
    loaded.contexts = top.context_count_o;
    return loaded;
  }

  /// A random handler that the software's loader takes.
  std::shared_ptr<const Image> randomImage(unsigned seed) {
    std::mt19937 source(seed);
    for (;;) {
      auto image = loadImage(model::randomProgram(overlay(), source).binary.elf(), overlay());
      if (image && deviceImage(**image, (*image)->handlers[0], overlay()))
        return *image;
    }
  }
  Words randomWords(unsigned seed) {
    const auto image = randomImage(seed);
    return *deviceImage(*image, image->handlers[0], overlay());
  }
  /// A handler that has nothing but a little code.
  static Words small() {
    Words words(isa::DeviceImageHead);
    const uint64_t hardware = hardwareFingerprint(overlay());
    words[0] = isa::DeviceImageMagic;
    words[1] = isa::DeviceImageVersion;
    words[2] = uint32_t(hardware);
    words[3] = uint32_t(hardware >> 32);
    words[6] = 2;
    words[11] = 1;
    words.insert(words.end(), {0, 2, 1, 0x10500073, 0x13});
    sealDeviceImage(words);
    return words;
  }
  /// What becomes of `small` with one word changed and the rest made fit.
  uint8_t codeWith(size_t at, uint32_t word) {
    Words words = small();
    words[at] = word;
    sealDeviceImage(words);
    return load(words).code;
  }

  Bench<Model> bench;
  std::mt19937_64 random{1};
};

using Models = testing::Types<Loader_tiny, Loader_u280>;
TYPED_TEST_SUITE(LoaderTest, Models);

TYPED_TEST(LoaderTest, WritesTheTables) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const auto image = this->randomImage(seed);
    const Handler &handler = image->handlers[0];
    auto tables = deviceTables(*image, handler, this->overlay());
    auto words = deviceImage(*image, handler, this->overlay());
    const Loaded loaded = this->load(*words);
    EXPECT_EQ(loaded.code, Fine);
    Tables expected;
    for (const TableWrite &write : *tables)
      expected[write.address] = write.data;
    EXPECT_EQ(loaded.tables, expected);
    EXPECT_EQ(loaded.codeWords, image->code.size());
    EXPECT_EQ(loaded.entry, handler.entry);
    EXPECT_EQ(loaded.firstContext, handler.firstContext);
    EXPECT_EQ(loaded.contexts, handler.contextCount);
  }
}

TYPED_TEST(LoaderTest, RefusesAnyFlippedBit) {
  const Words words = this->randomWords(3);
  EXPECT_EQ(this->load(words).code, Fine);
  for (unsigned i = 0; i < 200; ++i) {
    Words flipped = words;
    const size_t at = i < 2 * isa::DeviceImageHead ? i / 2 : this->random() % words.size();
    flipped[at] ^= 1u << this->random() % 32;
    EXPECT_NE(this->load(flipped).code, Fine) << "word " << at;
  }
}

TYPED_TEST(LoaderTest, SaysWhatIsWrong) {
  const Words good = this->small();
  EXPECT_EQ(this->load(good).code, Fine);
  EXPECT_EQ(this->load(good, Base + 64).code, BadBase);
  EXPECT_EQ(this->codeWith(0, 0x464c457f), BadMagic);
  EXPECT_EQ(this->codeWith(1, 1), BadVersion);
  EXPECT_EQ(this->codeWith(2, good[2] + 1), BadHardware);
  EXPECT_EQ(this->codeWith(3, good[3] + 1), BadHardware);
  EXPECT_EQ(this->codeWith(6, this->overlay().codeBytes / 4 + 1), BadCode);
  EXPECT_EQ(this->codeWith(7, 8), BadCode) << "entry behind the code";
  EXPECT_EQ(this->codeWith(7, 2), BadCode) << "entry inside of an instruction";
  EXPECT_EQ(this->codeWith(8, 128), BadContexts);
  EXPECT_EQ(this->codeWith(9, this->overlay().maxContexts + 1), BadContexts);
  EXPECT_EQ(this->codeWith(10, (1 << 20) + 1), BadMemory);
  EXPECT_EQ(this->codeWith(11, 0), BadSize);
  EXPECT_EQ(this->codeWith(11, 2), BadSize);
  EXPECT_EQ(this->codeWith(13, 1), BadSize);
  EXPECT_EQ(this->codeWith(15, 1), BadSize);
  EXPECT_EQ(this->codeWith(16, 8u << 28), BadSection) << "no such table";
  EXPECT_EQ(this->codeWith(16, this->overlay().codeBytes / 4 - 1), BadSection) << "past the end";
  EXPECT_EQ(this->codeWith(16, 1u << 20), BadSection) << "code of a PE";
  EXPECT_EQ(this->codeWith(16, 4u << 28 | this->overlay().numPes() << 20), BadSection)
      << "no such PE";
  EXPECT_EQ(this->codeWith(16, 4u << 28 | (this->overlay().contextSlots - 1)), BadSection);
  EXPECT_EQ(this->codeWith(17, 0), BadSection);
  EXPECT_EQ(this->codeWith(18, 0), BadSection);
  EXPECT_EQ(this->codeWith(18, 17), BadSection);
  EXPECT_EQ(this->codeWith(17, 3), BadSize) << "longer than the image";
  EXPECT_EQ(this->codeWith(17, 1), BadSize) << "shorter";
  Words words = good;
  words[5] ^= 1;
  EXPECT_EQ(this->load(words).code, BadSum);
  words = good;
  for (uint32_t size : {0u, 15u, 18u, 20u, 22u, 0x01000001u}) {
    words[4] = size;
    EXPECT_EQ(this->load(words).code, BadSize) << size;
  }
}

TYPED_TEST(LoaderTest, SaysWhere) {
  Words words = this->small();
  words[18] = 17;
  sealDeviceImage(words);
  EXPECT_EQ(this->load(words).at, 18u);
}

TYPED_TEST(LoaderTest, NoProgramWithoutSections) {
  Words words = this->small();
  words.resize(isa::DeviceImageHead);
  words[6] = 1;
  words[11] = 0;
  sealDeviceImage(words);
  EXPECT_EQ(this->load(words).code, Fine) << "right, if useless";
}

// The head is asked for alone, so that later bursts do not start on a kilobyte.
TYPED_TEST(LoaderTest, ReadsOverPages) {
  constexpr uint32_t Code = 2500;
  Words words = this->small();
  words.resize(isa::DeviceImageHead);
  words[6] = Code;
  words.insert(words.end(), {0, Code, 1});
  words.resize(words.size() + Code, 0x13);
  sealDeviceImage(words);
  const Loaded loaded = this->load(words);
  EXPECT_EQ(loaded.code, Fine);
  EXPECT_EQ(loaded.tables.size(), Code);
}

TYPED_TEST(LoaderTest, BusErrors) {
  const Words words = this->randomWords(5);
  const size_t bytes = words.size() * 4;
  for (uint64_t at :
       {uint64_t(0), uint64_t(64), uint64_t(bytes / 2 / 64 * 64), uint64_t((bytes - 1) / 64 * 64)})
    EXPECT_EQ(
        this->load(words, Base, 1 << 20, [&](uint64_t a) { return a / 64 * 64 == Base + at; }).code,
        BadBus)
        << at;
  EXPECT_EQ(this->load(words).code, Fine) << "the next one is not disturbed";
}

} // namespace
} // namespace acis::rtl
