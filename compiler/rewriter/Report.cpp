// Texts of the report.
#include "compiler/rewriter/Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace acis::rewriter {
namespace {

std::string decision(const Candidate &candidate) {
  if (!candidate.isFusable())
    return "not fused [" + candidate.refusal.code + "]: " + candidate.refusal.text;
  if (candidate.isRewritten && candidate.cutLine)
    return "rewritten as semi-fused " + candidate.collFirst + "_op to line " +
           std::to_string(candidate.cutLine) + " [" + candidate.notWhole.code +
           "]: " + candidate.notWhole.text;
  if (candidate.isRewritten)
    return "rewritten";
  if (candidate.notRewritten)
    return "fusable, not rewritten [" + candidate.notRewritten.code +
           "]: " + candidate.notRewritten.text;
  return "fusable";
}

std::string title(const Candidate &candidate) {
  std::string text = kindName(candidate.kind);
  if (candidate.pattern != text)
    text += " " + candidate.pattern;
  if (candidate.lineSecond)
    text += " to line " + std::to_string(candidate.lineSecond);
  return text;
}

std::string loopsText(const MappedLoops &loops) {
  if (!loops.ii)
    return "";
  std::string text = "  op on grid  II " + std::to_string(loops.ii) + " for " +
                     std::to_string(loops.elements) + " elements at once, ";
  if (!loops.cycles)
    return text + "cycles known at run time\n";
  return text + llvm::formatv("{0} cycles, {1:F1} us\n", *loops.cycles,
                              double(*loops.cycles) / loops.clockMhz)
                    .str();
}

std::string bytesText(const Prediction &prediction) {
  if (!prediction.plainBytes || !prediction.fusedBytes)
    return "";
  return llvm::formatv("  per host    {0:F0} bytes plain, {1:F0} fused, {2} {3:F0}\n",
                       *prediction.plainBytes, *prediction.fusedBytes,
                       *prediction.plainBytes < *prediction.fusedBytes ? "more" : "saved",
                       std::abs(*prediction.plainBytes - *prediction.fusedBytes))
      .str();
}

/// What a rewritten chain is worth, in one line; kernels stay on the hosts.
std::string worthText(const Candidate &candidate) {
  const Prediction &prediction = candidate.prediction;
  if (!candidate.isRewritten || candidate.kind > Kind::SemiFused)
    return "";
  std::string text =
      llvm::formatv("; on {0} ranks {1:F1} us plain, {2:F1} us fused", prediction.ranks,
                    prediction.plainMicroseconds, prediction.fusedMicroseconds)
          .str();
  if (prediction.plainBytes && prediction.fusedBytes)
    text += llvm::formatv(", {0:F0} and {1:F0} bytes of a host", *prediction.plainBytes,
                          *prediction.fusedBytes)
                .str();
  if (candidate.loops.cycles)
    text += llvm::formatv(", op {0} cycles", *candidate.loops.cycles).str();
  return text;
}

std::string sizeOf(const Array &array) {
  if (array.bytes)
    return std::to_string(*array.bytes) + " bytes";
  return array.perRank ? "one element per rank" : "size known at run time";
}

} // namespace

std::string remarks(const std::vector<Candidate> &candidates) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Candidate &candidate : candidates) {
    out << candidate.file << ':' << candidate.lineFirst << ':' << candidate.columnFirst
        << ": remark: " << title(candidate) << ": " << decision(candidate) << worthText(candidate)
        << '\n';
    for (const std::string &note : candidate.notes)
      out << candidate.file << ':' << candidate.lineFirst << ':' << candidate.columnFirst
          << ": note: " << note << '\n';
  }
  return text;
}

std::string reportText(const std::vector<Candidate> &candidates) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Candidate &candidate : candidates) {
    out << candidate.file << ':' << candidate.lineFirst << ": " << title(candidate) << '\n';
    if (!candidate.mpiCall.empty())
      out << "  MPI call    " << candidate.mpiCall << '\n';
    if (candidate.opFirst)
      out << "  op          lines " << candidate.opFirst << " to " << candidate.opLast << " ("
          << candidate.level << ")\n";
    for (const Array &array : candidate.arrays)
      out << "  " << llvm::left_justify(roleName(array.role), 10) << "  " << array.name << " ("
          << array.type << "), " << sizeOf(array) << '\n';
    for (const std::string &name : candidate.assumes)
      out << "  assumes     '" << name << "' is a clock; no rewriting without its file\n";
    if (candidate.isFusable()) {
      out << "  evaluator   " << candidate.evaluator << '\n';
      out << llvm::format("  LoGcN       %.1f us plain, %.1f us fused, %u ranks\n",
                          candidate.prediction.plainMicroseconds,
                          candidate.prediction.fusedMicroseconds, candidate.prediction.ranks);
      if (candidate.recvLiveOut)
        out << "  result      read again by the host: it is returned as well\n";
      if (candidate.notMapped)
        out << "  switch      no binary: " << candidate.notMapped.text << '\n';
      else if (!candidate.binary.empty())
        out << "  switch      binary of " << candidate.binary.size() << " bytes\n";
      out << loopsText(candidate.loops) << bytesText(candidate.prediction);
    }
    out << "  decision    " << decision(candidate) << '\n';
  }
  if (candidates.empty())
    out << "no collective in the program\n";
  return text;
}

llvm::json::Array reportJson(const std::vector<Candidate> &candidates) {
  llvm::json::Array list;
  for (const Candidate &candidate : candidates) {
    llvm::json::Array arrays;
    for (const Array &array : candidate.arrays) {
      llvm::json::Object object{
          {"role", roleName(array.role)}, {"name", array.name}, {"type", array.type}};
      if (array.bytes)
        object["bytes"] = *array.bytes;
      arrays.push_back(std::move(object));
    }
    llvm::json::Object object{
        {"file", candidate.file},
        {"function", candidate.function},
        {"line_first", candidate.lineFirst},
        {"kind", kindName(candidate.kind)},
        {"fusable", candidate.isFusable() ? "yes" : "no"},
        {"coll_first", candidate.collFirst},
        {"level", candidate.level},
        {"arrays", std::move(arrays)},
        {"decision", !candidate.isFusable()  ? "refused"
                     : candidate.isRewritten ? "rewritten"
                                             : "kept"},
    };
    if (candidate.lineSecond)
      object["line_second"] = candidate.lineSecond;
    if (!candidate.collSecond.empty())
      object["coll_second"] = candidate.collSecond;
    if (!candidate.mpiCall.empty())
      object["mpi_call"] = candidate.mpiCall;
    if (candidate.opFirst)
      object["op_lines"] =
          std::to_string(candidate.opFirst) + "-" + std::to_string(candidate.opLast);
    if (candidate.isFusable()) {
      object["pattern"] = candidate.pattern;
      object["evaluator"] = candidate.evaluator;
      object["recv_live_out"] = candidate.recvLiveOut ? "yes" : "no";
      object["predicted_us"] =
          llvm::json::Object{{"ranks", candidate.prediction.ranks},
                             {"plain", candidate.prediction.plainMicroseconds},
                             {"fused", candidate.prediction.fusedMicroseconds}};
      const Prediction &prediction = candidate.prediction;
      llvm::json::Object bytes;
      if (prediction.plainBytes)
        bytes["plain"] = *prediction.plainBytes;
      if (prediction.fusedBytes)
        bytes["fused"] = *prediction.fusedBytes;
      if (prediction.plainBytes && prediction.fusedBytes)
        bytes["saved"] = *prediction.plainBytes - *prediction.fusedBytes;
      object["predicted_bytes"] = std::move(bytes);
      if (const MappedLoops &loops = candidate.loops; loops.ii) {
        llvm::json::Object op{{"ii", loops.ii}, {"elements", loops.elements}};
        if (loops.cycles) {
          op["cycles"] = *loops.cycles;
          op["us"] = double(*loops.cycles) / loops.clockMhz;
        }
        object["op_on_grid"] = std::move(op);
      }
      if (candidate.cutLine) {
        object["cut_line"] = candidate.cutLine;
        object["reason"] = candidate.notWhole.text;
      }
      if (candidate.notRewritten)
        object["reason"] = candidate.notRewritten.text;
      if (!candidate.assumes.empty())
        object["assumes"] = llvm::json::Array(
            std::vector<std::string>(candidate.assumes.begin(), candidate.assumes.end()));
      if (candidate.notMapped)
        object["not_mapped"] = candidate.notMapped.text;
      object["switch_binary_bytes"] = uint64_t(candidate.binary.size());
    } else {
      object["neg_code"] = candidate.refusal.code;
      object["neg_class"] = refusalClass(candidate.refusal.code);
      object["reason"] = candidate.refusal.text;
    }
    list.push_back(std::move(object));
  }
  return list;
}

} // namespace acis::rewriter
