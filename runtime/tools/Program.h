// What the tools on switch binaries read first: an overlay and a binary for it.
#pragma once

#include "backend/overlay/Overlay.h"
#include "runtime/engine/loader/Image.h"

#include <memory>
#include <string>

namespace acis::tools {

struct Program {
  Overlay overlay;
  std::shared_ptr<const Image> image;
};

/// Reads and verifies both; errors name the file.
Result<Program> loadProgram(const std::string &config, const std::string &binary);

} // namespace acis::tools
