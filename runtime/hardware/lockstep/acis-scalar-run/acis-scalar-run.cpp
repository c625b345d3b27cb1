// For tests: runs flat RV32IM code as a handler on an engine and writes what it sends.
//
//   acis-scalar-run ENGINE OVERLAY.json CODE.bin OUT     ENGINE: fast, model or rtl
//
// Prints "trap at PC: why" if it traps.
#include "runtime/engine/device/Device.h"
#include "runtime/engine/loader/Image.h"
#include "runtime/engine/programs/TestElf.h"
#include "runtime/hardware/verilated/Verilated.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace acis;

namespace {

std::unique_ptr<Device> makeDevice(const std::string &engine, const Overlay &overlay) {
  if (engine == "fast")
    return makeFastDevice(overlay);
  if (engine == "model")
    return makeModelDevice(overlay);
  auto rtl = makeRtlDevice(overlay, {});
  return rtl ? std::move(*rtl) : nullptr;
}

int fail(const std::string &what) {
  std::fprintf(stderr, "acis-scalar-run: error: %s\n", what.c_str());
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 5)
    return fail("usage: acis-scalar-run ENGINE OVERLAY.json CODE.bin OUT");
  auto described = Overlay::load(argv[2]);
  if (!described)
    return fail(described.error().str());
  const Overlay &overlay = *described;
  std::ifstream file(argv[3], std::ios::binary);
  if (!file)
    return fail(std::string(argv[3]) + ": cannot be read");
  cts::Bytes bytes(std::istreambuf_iterator<char>(file), {});
  bytes.resize((bytes.size() + 3) / 4 * 4);
  cts::TestBinary binary(overlay);
  binary.code.resize(bytes.size() / 4);
  std::memcpy(binary.code.data(), bytes.data(), bytes.size());
  auto image = loadImage(binary.elf(), overlay);
  if (!image)
    return fail(image.error().str());
  std::unique_ptr<Device> device = makeDevice(argv[1], overlay);
  if (!device)
    return fail("no engine " + std::string(argv[1]) + " with " + argv[2]);
  if (Status loaded = device->load(*image, ""); !loaded)
    return fail(loaded.error().str());
  device->push(cts::Bytes(4));
  const Status status = device->run();
  if (const Trap *trap = device->trap()) {
    std::printf("trap at %u: %s\n", trap->pc, trap->what.c_str());
    return 0;
  }
  if (!status)
    return fail(status.error().str());
  cts::Bytes packet;
  device->pop(packet);
  std::ofstream(argv[4], std::ios::binary)
      .write(reinterpret_cast<const char *>(packet.data()), std::streamsize(packet.size()));
  return 0;
}
