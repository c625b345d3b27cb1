// What the tools on switch binaries read first: an overlay, a binary for it, one of its handlers.
#pragma once

#include "backend/overlay/Overlay.h"
#include "runtime/loader/Image.h"

#include <memory>
#include <string>

namespace acis::tools {

struct Program {
  Overlay overlay;
  std::shared_ptr<const Image> image;
};

/// Reads and verifies both; errors name the file.
Result<Program> loadProgram(const std::string &config, const std::string &binary);

/// The handler called `name`, or the only one if that is empty; the image keeps it.
Result<const Handler *> findHandler(const Image &image, const std::string &binary,
                                    const std::string &name);

} // namespace acis::tools
