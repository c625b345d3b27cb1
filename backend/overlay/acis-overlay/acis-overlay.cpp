// Prints an overlay description in another form, or what it takes of a device.
#include "backend/overlay/Cost.h"
#include "backend/overlay/SystemVerilog.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>

namespace {

using acis::Cells, acis::Cost, acis::Fpga, acis::NumCells, acis::Overlay, acis::Quantity;
using Json = nlohmann::ordered_json;

constexpr const char *help =
    "Usage: acis-overlay --emit=sv|quantities DESCRIPTION [-o FILE]\n"
    "       acis-overlay --cost DESCRIPTION [--device NAME] [--json] [-o FILE]\n\n"
    "Prints an overlay description as the SystemVerilog package acis_overlay_pkg, from which\n"
    "the RTL takes its sizes, or estimates what its core takes of a device, from a table that\n"
    "was fitted to synthesis runs (docs/rtl-cost.md). DESCRIPTION is a file or the name of a\n"
    "shipped one (u280.json, mesh4x4.json, tiny.json).\n\n"
    "Options:\n"
    "  --emit=sv          print the SystemVerilog package\n"
    "  --emit=quantities  print the numbers that the estimate goes by, as JSON\n"
    "  --cost             print LUT, FF, DSP, BRAM and URAM of each block and in all; nothing\n"
    "                     is placed\n"
    "  --device NAME      a device of backend/overlay/devices.json (default lfe5u-85f): an\n"
    "                     error if the core does not fit it\n"
    "  --json             print the estimate as JSON\n"
    "  -o FILE            write FILE instead of standard output\n"
    "  --help             this text\n"
    "  --version          the version\n\n"
    "Exit code: 0, or 1 after an error; also if the core does not fit, of which the estimate\n"
    "is printed before.\n";

int fail(const std::string &what) {
  std::cerr << "acis-overlay: error: " << what << "\n";
  return 1;
}

struct Settings {
  const char *description = nullptr, *output = nullptr, *device = nullptr;
  std::string form; ///< sv, quantities or cost
  bool json = false;
};

/// Whether the argument is an option of a form.
bool takeForm(const char *argument, Settings &settings) {
  for (const char *form : {"--emit=sv", "--emit=quantities", "--cost"})
    if (!std::strcmp(argument, form)) {
      if (!settings.form.empty())
        return false;
      settings.form = argument[2] == 'c' ? "cost" : argument + std::strlen("--emit=");
      return true;
    }
  return false;
}

/// Nothing, or the argument that is wrong.
const char *readArguments(int argc, char **argv, Settings &settings) {
  for (int i = 1; i < argc; ++i) {
    const char *argument = argv[i];
    if (takeForm(argument, settings))
      continue;
    if (!std::strcmp(argument, "--json"))
      settings.json = true;
    else if (!std::strcmp(argument, "--device") && i + 1 < argc)
      settings.device = argv[++i];
    else if (!std::strcmp(argument, "-o") && i + 1 < argc)
      settings.output = argv[++i];
    else if (argument[0] == '-' || settings.description)
      return argument;
    else
      settings.description = argument;
  }
  return nullptr;
}

Json objectOf(const std::vector<Quantity> &quantities) {
  Json object = Json::object();
  for (const auto &[name, value] : quantities)
    object[std::string(name)] = value;
  return object;
}

std::string quantitiesText(const Overlay &overlay) {
  Json pes = Json::array();
  for (unsigned pe = 0; pe < overlay.numPes(); ++pe)
    pes.push_back(objectOf(peQuantities(overlay, pe)));
  return Json{{"core", objectOf(coreQuantities(overlay))}, {"pes", std::move(pes)}}.dump(1) + "\n";
}

Json objectOf(const Cells &cells) {
  Json object = Json::object();
  for (unsigned kind = 0; kind < NumCells; ++kind)
    object[std::string(acis::cellNames[kind])] = std::round(10 * cells[kind]) / 10;
  return object;
}

std::string costJson(const Overlay &overlay, const Cost &cost, const Fpga &device, bool fits) {
  Json blocks = Json::array();
  for (const acis::BlockCost &block : cost.blocks) {
    Json row = {{"block", block.block}, {"field", block.field}};
    row.update(objectOf(block.cells));
    blocks.push_back(std::move(row));
  }
  return Json{{"overlay", overlay.name},     {"device", device.name},
              {"family", device.family},     {"fits", fits},
              {"note", cost.note},           {"total", objectOf(cost.total())},
              {"has", objectOf(device.has)}, {"blocks", std::move(blocks)}}
             .dump(1) +
         "\n";
}

std::string row(const std::string &name, const Cells &cells, const char *format) {
  std::string text = "| " + name + " |";
  for (const double value : cells) {
    char cell[32];
    std::snprintf(cell, sizeof cell, format, value);
    text += std::string(" ") + cell + " |";
  }
  return text + "\n";
}

std::string costText(const Cost &cost, const Fpga &device) {
  std::string text = "| block | LUT | FF | DSP | BRAM | URAM |\n|---|---|---|---|---|---|\n";
  for (const acis::BlockCost &block : cost.blocks)
    text += row(block.block, block.cells, "%.0f");
  const Cells total = cost.total();
  Cells share{};
  for (unsigned kind = 0; kind < NumCells; ++kind)
    share[kind] = device.has[kind] > 0 ? 100 * total[kind] / device.has[kind] : 0;
  return text + row("**all**", total, "%.0f") + row("of " + device.name, share, "%.0f %%");
}

/// Writes the text, to standard output without a file.
int write(const std::string &text, const char *output) {
  if (!output) {
    std::cout << text;
    return 0;
  }
  std::ofstream file(output, std::ios::binary);
  file << text;
  file.close();
  return file ? 0 : fail("cannot write '" + std::string(output) + "'");
}

int printCost(const Overlay &overlay, const Settings &settings) {
  acis::Result<Fpga> device = acis::findDevice(settings.device ? settings.device : "lfe5u-85f");
  if (!device)
    return fail(device.error().str());
  acis::Result<Cost> cost = acis::estimateCost(overlay, device->family);
  if (!cost)
    return fail(cost.error().str());
  if (!cost->note.empty())
    std::cerr << "acis-overlay: warning: " << cost->note << '\n';
  const acis::Status fits = acis::checkFits(*cost, *device, settings.description);
  const int written = write(settings.json ? costJson(overlay, *cost, *device, bool(fits))
                                          : costText(*cost, *device),
                            settings.output);
  if (written)
    return written;
  return fits ? 0 : fail(fits.error().str());
}

} // namespace

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--help")) {
      std::cout << help;
      return 0;
    }
    if (!std::strcmp(argv[i], "--version")) {
      std::cout << "acis-overlay " ACIS_VERSION "\n";
      return 0;
    }
  }
  Settings settings;
  if (const char *wrong = readArguments(argc, argv, settings))
    return fail("found '" + std::string(wrong) + "'; see acis-overlay --help");
  if (settings.form.empty())
    return fail("no form; give --emit=sv, --emit=quantities or --cost; see acis-overlay --help");
  if (!settings.description)
    return fail("no description; name a shipped one or a file; see acis-overlay --help");
  if (settings.form != "cost" && (settings.device || settings.json))
    return fail("found " + std::string(settings.json ? "--json" : "--device") +
                ", which is for --cost; see acis-overlay --help");
  acis::Result<Overlay> overlay = Overlay::load(settings.description);
  if (!overlay)
    return fail(overlay.error().str());
  if (settings.form == "cost")
    return printCost(*overlay, settings);
  return write(settings.form == "sv" ? emitSystemVerilog(*overlay) : quantitiesText(*overlay),
               settings.output);
}
