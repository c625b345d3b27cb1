// What is in a switch binary, for people and, as JSON, for programs.
#pragma once

#include "backend/overlay/Overlay.h"
#include "runtime/engine/loader/Image.h"

#include <string>

namespace acis::objdump {

struct DumpOptions {
  bool handlers = true, code = true, contexts = true, lines = false;
};

std::string dumpText(const Image &image, const Overlay &overlay, const DumpOptions &options);
std::string dumpJson(const Image &image, const Overlay &overlay, const DumpOptions &options);

} // namespace acis::objdump
