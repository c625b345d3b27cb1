// acis-image: a handler of a switch binary as the instruction loader of the hardware reads it
// from the card's memory (runtime/hardware/verilated/DeviceImage.h).
#include "backend/overlay/Overlay.h"
#include "backend/support/CommandLine.h"
#include "runtime/engine/loader/Image.h"
#include "runtime/hardware/verilated/DeviceImage.h"
#include "runtime/io/Files.h"
#include "runtime/tools/Program.h"

#include <cstdio>

namespace {
using namespace acis;

struct Settings {
  std::string binary, config, handler, output;
};

Status run(const Settings &settings) {
  auto program = tools::loadProgram(settings.config, settings.binary);
  if (!program)
    return program.error();
  const auto &[overlay, image] = *program;
  auto handler = image->handler(settings.handler);
  if (!handler)
    return Error{settings.binary, handler.error().what};
  auto words = rtl::deviceImage(*image, **handler, overlay);
  if (!words)
    return Error{settings.binary, words.error().str()};
  std::vector<uint8_t> bytes;
  for (uint32_t word : *words)
    for (unsigned shift = 0; shift < 32; shift += 8)
      bytes.push_back(uint8_t(word >> shift));
  return io::writeFile(settings.output, bytes);
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app{"Writes a handler of a switch binary as the hardware's loader reads it from the\n"
               "card's memory: code and tables, with a head that says for which hardware."};
  app.set_version_flag("--version", "acis-image " ACIS_VERSION);
  app.add_option("binary", settings.binary, "switch binary made by acisc")->required();
  app.add_option("--config", settings.config, "overlay description")->required();
  app.add_option("--handler", settings.handler, "name of the handler, if there are several");
  app.add_option("-o,--output", settings.output, "file to write")->required();
  if (const std::optional<int> ends = parseCommandLine(app, argc, argv, "acis-image"))
    return *ends;
  if (Status status = run(settings); !status) {
    std::fprintf(stderr, "acis-image: error: %s\n", status.error().str().c_str());
    return 1;
  }
  return 0;
}
