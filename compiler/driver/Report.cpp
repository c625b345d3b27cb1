// The report as text.
#include "compiler/driver/Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace acis::driver {

double totalMilliseconds(const std::vector<PhaseTime> &times) {
  double sum = 0;
  for (const PhaseTime &time : times)
    sum += time.milliseconds;
  return sum;
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
    if (isOptimal())
      out << ", proven optimal";
    else
      out << ", at least " << lowerBound << " proven";
    if (lowerBound > std::max(resMii, recMii))
      out << " (" << boundReason << ')';
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
  for (const ScalarLoopReport &loop : scalarLoops)
    out << "  scalar unit (" << loop.file << ':' << loop.line << "): " << loop.why << '\n';
  for (const HandlerCertificate &handler : certificates)
    out << certificateText(handler);
  return result;
}

std::string timeTable(const std::vector<PhaseTime> &times) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const PhaseTime &time : times)
    out << llvm::format("%8.3f ms  ", time.milliseconds) << phaseName(time.phase) << '\n';
  out << llvm::format("%8.3f ms  ", totalMilliseconds(times)) << "all phases\n";
  return text;
}

} // namespace acis::driver
