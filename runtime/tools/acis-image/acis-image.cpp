// acis-image: a handler of a switch binary as the instruction loader of the hardware reads it
// from the card's memory (runtime/verilated/DeviceImage.h).
#include "backend/overlay/Overlay.h"
#include "runtime/loader/Image.h"
#include "runtime/tools/CommandLine.h"
#include "runtime/tools/acis-run/Files.h"
#include "runtime/verilated/DeviceImage.h"

#include <cstdio>

namespace {
using namespace acis;

struct Settings {
  std::string binary, config, handler, output;
};

Result<const Handler *> findHandler(const Settings &settings, const Image &image) {
  if (settings.handler.empty() && image.handlers.size() == 1)
    return &image.handlers.front();
  if (const Handler *found = image.handler(settings.handler))
    return found;
  std::string names;
  for (const Handler &handler : image.handlers)
    names += (names.empty() ? "" : ", ") + handler.name;
  return Error{settings.binary, "no handler '" + settings.handler + "'; --handler may be " + names};
}

Status run(const Settings &settings) {
  auto overlay = Overlay::load(settings.config);
  if (!overlay)
    return overlay.error();
  auto elf = tools::readFile(settings.binary);
  if (!elf)
    return elf.error();
  auto image = loadImage(*elf, *overlay);
  if (!image)
    return Error{settings.binary, image.error().str()};
  auto handler = findHandler(settings, **image);
  if (!handler)
    return handler.error();
  auto words = rtl::deviceImage(**image, **handler, *overlay);
  if (!words)
    return Error{settings.binary, words.error().str()};
  std::vector<uint8_t> bytes;
  for (uint32_t word : *words)
    for (unsigned shift = 0; shift < 32; shift += 8)
      bytes.push_back(uint8_t(word >> shift));
  return tools::writeFile(settings.output, bytes);
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
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) { // --help, --version
    return app.exit(success);
  } catch (const CLI::Error &error) {
    std::fprintf(stderr, "acis-image: error: %s\nsee acis-image --help\n",
                 tools::commandLineProblem(app, error).c_str());
    return 1;
  }
  if (Status status = run(settings); !status) {
    std::fprintf(stderr, "acis-image: error: %s\n", status.error().str().c_str());
    return 1;
  }
  return 0;
}
