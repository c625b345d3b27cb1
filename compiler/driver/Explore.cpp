// See Explore.h.
#include "compiler/driver/Explore.h"

#include "compiler/driver/Pipeline.h"
#include "runtime/engine/certify/Certify.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <tuple>

namespace acis::driver {
namespace {

/// Cycles from packet to packet of the handler that takes most.
Result<double> periodOf(const std::string &binary, const Overlay &overlay, unsigned bytes) {
  auto image =
      loadImage({reinterpret_cast<const uint8_t *>(binary.data()), binary.size()}, overlay);
  if (!image)
    return image.error();
  CertifyOptions options;
  options.longest = bytes;
  double most = 0;
  for (const Handler &handler : (*image)->handlers) {
    const Result<Certificate> certificate = certify(*image, handler, overlay, options);
    if (!certificate)
      return Error{"", "no certificate: " + certificate.error().what};
    const unsigned unit = std::max(handler.inBytes, 1u);
    const CertificateStep *step = certificate->at(bytes / unit * unit);
    if (!step || step->latency == 0)
      return Error{"", "no bound for packets of " + std::to_string(bytes) + " bytes"};
    most = std::max<double>(most, step->period);
  }
  return most;
}

Status measure(const Options &options, const Overlay &overlay, Explored &machine) {
  const PipelineResult result = runPipeline(options, overlay);
  if (!result.good)
    return Error{"", result.firstError()};
  const unsigned bytes = options.explore->payloadBytes;
  const Result<double> period = periodOf(result.output, overlay, bytes);
  if (!period)
    return period.error();
  machine.period = *period;
  machine.gigabits = bytes * 8 * overlay.clockMhz * 1e-3 / std::max(1.0, *period);
  return Status::ok();
}

/// Marks what nothing beats in both: the fastest of the smallest, and what is faster than all that
/// are smaller.
void markFront(std::vector<Explored> &machines) {
  std::vector<Explored *> order;
  for (Explored &machine : machines)
    if (machine.whyNot.empty())
      order.push_back(&machine);
  std::sort(order.begin(), order.end(), [](const Explored *a, const Explored *b) {
    return std::tuple(a->cells[0], -a->gigabits, a) < std::tuple(b->cells[0], -b->gigabits, b);
  });
  double fastest = 0;
  for (Explored *machine : order) {
    machine->isBest = machine->gigabits > fastest;
    fastest = std::max(fastest, machine->gigabits);
  }
}

} // namespace

std::string Explored::name() const {
  std::string text;
  for (const auto &[path, value] : fields)
    text += (text.empty() ? "" : ", ") + path.substr(path.rfind('/') + 1) + " " + value;
  return text;
}

Result<Exploration> explore(const Options &options,
                            const std::function<void(size_t, size_t)> &progress) {
  const ExploreOptions &how = *options.explore;
  Exploration result;
  result.input = options.input;
  result.payloadBytes = how.payloadBytes;
  Result<Fpga> device = findDevice(how.device);
  if (!device)
    return device.error();
  result.device = std::move(*device);
  const Result<std::string> text = Overlay::readText(options.config);
  if (!text)
    return text.error();
  const Result<Overlay> base = Overlay::parse(*text, options.config);
  if (!base)
    return base.error();
  result.overlay = base->name;
  Result<std::vector<Variant>> variants = variantsOf(*text, options.config, how.sweeps);
  if (!variants)
    return variants.error();
  for (Variant &variant : *variants) {
    Explored &machine = result.machines.emplace_back();
    machine.fields = std::move(variant.fields);
    if (!variant.overlay) {
      machine.whyNot = variant.overlay.error().str();
      continue;
    }
    const Overlay &overlay = *variant.overlay;
    Result<Cost> cost = estimateCost(overlay, result.device.family);
    if (!cost)
      return cost.error();
    result.note = cost->note;
    machine.cells = cost->total();
    machine.pes = overlay.numPes();
    machine.fits = bool(checkFits(*cost, result.device, options.config));
    if (Status status = measure(options, overlay, machine); !status)
      machine.whyNot = status.error().str();
    progress(result.machines.size(), variants->size());
  }
  markFront(result.machines);
  return result;
}

std::string Exploration::text() const {
  std::string out = llvm::formatv("{0} on {1}, packets of {2} bytes; cells of {3}\n\n", input,
                                  overlay, payloadBytes, device.name)
                        .str();
  size_t width = 7;
  for (const Explored &machine : machines)
    width = std::max(width, machine.name().size());
  const std::string head = "machine" + std::string(width - 7, ' ');
  out += "   " + head + "  PEs        LUT   DSP   BRAM   of it  cycles     Gb/s\n";
  for (const Explored &machine : machines) {
    const std::string name = machine.name() + std::string(width - machine.name().size(), ' ');
    out += machine.isBest ? " * " : "   ";
    if (machine.pes == 0) {
      out += name + "  " + machine.whyNot + '\n';
      continue;
    }
    out += llvm::formatv("{0}  {1,3} {2,10:f0} {3,5:f0} {4,6:f0} {5,6:f0}%", name, machine.pes,
                         machine.cells[0], machine.cells[2], machine.cells[3],
                         100 * machine.cells[0] / device.has[0])
               .str();
    out += machine.whyNot.empty()
               ? llvm::formatv(" {0,7:f0} {1,8:f2}\n", machine.period, machine.gigabits).str()
               : "  " + machine.whyNot + '\n';
  }
  out += "\n* none with as few LUTs is faster. Nothing is placed: LUTs are estimated, the clock is "
         "the description's.\n";
  return note.empty() ? out : out + "The table of costs: " + note + ".\n";
}

std::string Exploration::json() const {
  llvm::json::Array rows;
  for (const Explored &machine : machines) {
    llvm::json::Object fields, cells;
    for (const auto &[path, value] : machine.fields) {
      llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(value);
      fields[path] = parsed ? std::move(*parsed) : llvm::json::Value(value);
      if (!parsed)
        llvm::consumeError(parsed.takeError());
    }
    for (unsigned kind = 0; kind < NumCells; ++kind)
      cells[llvm::StringRef(cellNames[kind])] = machine.cells[kind];
    llvm::json::Object row{{"fields", std::move(fields)}};
    if (machine.pes > 0) {
      row["pes"] = machine.pes;
      row["cells"] = std::move(cells);
      row["fits"] = machine.fits;
    }
    if (machine.whyNot.empty()) {
      row["periodCycles"] = machine.period;
      row["gigabits"] = machine.gigabits;
      row["best"] = machine.isBest;
    } else {
      row["whyNot"] = machine.whyNot;
    }
    rows.push_back(std::move(row));
  }
  const llvm::json::Value all =
      llvm::json::Object{{"input", input},        {"overlay", overlay},
                         {"device", device.name}, {"payloadBytes", payloadBytes},
                         {"note", note},          {"machines", std::move(rows)}};
  return llvm::formatv("{0:2}\n", all);
}

} // namespace acis::driver
