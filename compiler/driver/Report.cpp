// Reads the numbers off the mapped graphs.
#include "compiler/driver/Report.h"

#include "compiler/driver/MlirMessages.h"
#include "passes/dfg/Passes.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace acis::driver {
namespace {

unsigned valueOr0(std::optional<uint32_t> value) { return value.value_or(0); }

std::string textOr(std::optional<llvm::StringRef> text) { return text.value_or("").str(); }

NestReport reportNest(dfg::HandlerOp handler, dfg::NestOp nest, dfg::GraphOp graph,
                      unsigned numPes) {
  NestReport report;
  report.handler = handler.getSymName().str();
  report.name = nest.getSymName().str();
  if (mlir::FileLineColLoc place = placeOf(nest.getLoc())) {
    report.file = place.getFilename().str();
    report.line = place.getLine();
    report.column = place.getColumn();
  }
  report.isVectorLoad = bool(graph.getVpes());
  report.ii = valueOr0(graph.getIi());
  report.resMii = valueOr0(graph.getResMii());
  report.recMii = valueOr0(graph.getRecMii());
  report.resReason = textOr(graph.getResReason());
  report.recReason = textOr(graph.getRecReason());
  report.vf = graph.getVf();
  report.laneBits = graph.getLaneBits();
  dfg::GraphSize before = dfg::initialSize(nest), after = dfg::currentSize(nest);
  report.initial = {before.nodes, before.edges};
  report.optimised = {after.nodes, after.edges};
  report.nodesByPe.resize(numPes);
  graph.walk([&](mlir::Operation *op) {
    if (auto place = op->getAttrOfType<dfg::PlaceAttr>("place"); place && place.getPe() < numPes)
      report.nodesByPe[place.getPe()]++;
  });
  return report;
}

llvm::json::Object toJson(const NestReport &nest) {
  llvm::json::Object object{
      {"handler", nest.handler},
      {"nest", nest.name},
      {"file", nest.file},
      {"line", nest.line},
      {"kind", nest.isVectorLoad ? "vector-load" : "context"},
      {"vf", nest.vf},
      {"laneBits", nest.laneBits},
      {"initial", llvm::json::Object{{"nodes", nest.initial.nodes}, {"edges", nest.initial.edges}}},
      {"optimised",
       llvm::json::Object{{"nodes", nest.optimised.nodes}, {"edges", nest.optimised.edges}}}};
  if (nest.isVectorLoad)
    return object;
  object["ii"] = nest.ii;
  object["resMii"] = nest.resMii;
  object["resReason"] = nest.resReason;
  object["recMii"] = nest.recMii;
  object["recReason"] = nest.recReason;
  object["nodesByPe"] = llvm::json::Array(nest.nodesByPe);
  return object;
}

double total(const std::vector<PhaseTime> &times) {
  double sum = 0;
  for (const PhaseTime &time : times)
    sum += time.milliseconds;
  return sum;
}

} // namespace

std::vector<NestReport> reportNests(mlir::ModuleOp mapped, unsigned numPes) {
  std::vector<NestReport> reports;
  for (auto handler : mapped.getOps<dfg::HandlerOp>())
    for (auto nest : handler.getBody().getOps<dfg::NestOp>())
      for (auto graph : nest.getBody().getOps<dfg::GraphOp>())
        reports.push_back(reportNest(handler, nest, graph, numPes));
  return reports;
}

std::string NestReport::summary() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "loop mapped: ";
  if (isVectorLoad) {
    out << "vector load";
  } else {
    out << "II " << ii << ", resources " << resMii;
    if (!resReason.empty())
      out << " (" << resReason << ')';
    out << ", recurrences " << recMii;
    if (!recReason.empty())
      out << " (" << recReason << ')';
  }
  out << "; " << vf << " lanes of " << laneBits << " bits; graph " << initial.nodes << " nodes, "
      << initial.edges << " edges, optimised " << optimised.nodes << ", " << optimised.edges;
  if (!isVectorLoad) {
    unsigned used = 0;
    for (unsigned nodes : nodesByPe)
      used += nodes != 0;
    out << "; " << used << " of " << nodesByPe.size() << " PEs used";
  }
  return text;
}

std::string Report::text() const {
  std::string result;
  llvm::raw_string_ostream out(result);
  out << input << " for " << overlay;
  if (binaryBytes)
    out << ": " << binaryBytes << " bytes";
  out << '\n';
  for (const NestReport &nest : nests) {
    out << "  " << nest.handler << '.' << nest.name;
    if (nest.line)
      out << " (" << nest.file << ':' << nest.line << ')';
    out << ": " << nest.summary() << '\n';
  }
  return result;
}

llvm::json::Value Report::json() const {
  llvm::json::Array phases, loops;
  for (const PhaseTime &time : times)
    phases.push_back(
        llvm::json::Object{{"name", phaseName(time.phase)}, {"milliseconds", time.milliseconds}});
  for (const NestReport &nest : nests)
    loops.push_back(toJson(nest));
  return llvm::json::Object{{"input", input},
                            {"overlay", overlay},
                            {"binaryBytes", uint64_t(binaryBytes)},
                            {"phases", std::move(phases)},
                            {"totalMilliseconds", total(times)},
                            {"loops", std::move(loops)}};
}

std::string timeTable(const std::vector<PhaseTime> &times) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const PhaseTime &time : times)
    out << llvm::format("%8.3f ms  ", time.milliseconds) << phaseName(time.phase) << '\n';
  out << llvm::format("%8.3f ms  ", total(times)) << "all phases\n";
  return text;
}

} // namespace acis::driver
