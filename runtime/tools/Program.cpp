#include "runtime/tools/Program.h"

#include "runtime/io/Files.h"

using namespace acis;

Result<tools::Program> tools::loadProgram(const std::string &config, const std::string &binary) {
  Result<Overlay> overlay = Overlay::load(config);
  if (!overlay)
    return overlay.error();
  Result<std::vector<uint8_t>> elf = io::readFile(binary);
  if (!elf)
    return elf.error();
  Result<std::shared_ptr<const Image>> image = loadImage(*elf, *overlay);
  if (!image)
    return Error{binary, image.error().str()};
  return Program{std::move(*overlay), *image};
}
