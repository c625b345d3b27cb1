// Prints an overlay description in another form.
#include "backend/overlay/SystemVerilog.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

namespace {

constexpr const char *help =
    "Usage: acis-overlay --emit=sv DESCRIPTION [-o FILE]\n\n"
    "Prints an overlay description as the SystemVerilog package acis_overlay_pkg, from which\n"
    "the RTL takes its sizes. DESCRIPTION is a file or the name of a shipped one\n"
    "(u280.json, mesh4x4.json, tiny.json).\n\n"
    "Options:\n"
    "  --emit=sv   the form to print\n"
    "  -o FILE     write FILE instead of standard output\n"
    "  --help      this text\n"
    "  --version   the version\n\n"
    "Exit code: 0, or 1 after an error.\n";

int fail(const std::string &what) {
  std::cerr << "acis-overlay: error: " << what << "\n";
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  const char *description = nullptr, *output = nullptr;
  bool emits = false;
  for (int i = 1; i < argc; ++i) {
    const char *argument = argv[i];
    if (!std::strcmp(argument, "--help")) {
      std::cout << help;
      return 0;
    }
    if (!std::strcmp(argument, "--version")) {
      std::cout << "acis-overlay " ACIS_VERSION "\n";
      return 0;
    }
    if (!std::strcmp(argument, "--emit=sv"))
      emits = true;
    else if (!std::strcmp(argument, "-o") && i + 1 < argc)
      output = argv[++i];
    else if (argument[0] == '-' || description)
      return fail("found '" + std::string(argument) + "'; see acis-overlay --help");
    else
      description = argument;
  }
  if (!emits || !description)
    return fail("no form or no description; see acis-overlay --help");
  acis::Result<acis::Overlay> overlay = acis::Overlay::load(description);
  if (!overlay)
    return fail(overlay.error().str());
  const std::string text = acis::emitSystemVerilog(*overlay);
  if (!output) {
    std::cout << text;
    return 0;
  }
  std::ofstream file(output, std::ios::binary);
  file << text;
  file.close();
  return file ? 0 : fail("cannot write '" + std::string(output) + "'");
}
