// Arguments that are missing or not known.
#include "compiler/driver/CommandLine.h"

#include "llvm/Option/Arg.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::opt;

namespace acis::driver {

CommandLine readCommandLine(const OptTable &table, ArrayRef<const char *> words, unsigned unknownId,
                            StringRef hint) {
  unsigned missingIndex = 0, missingCount = 0;
  CommandLine result{table.ParseArgs(words, missingIndex, missingCount), ""};
  const InputArgList &args = result.args;
  if (missingCount) {
    result.error = std::string("argument to '") + args.getArgString(missingIndex) + "' is missing";
    return result;
  }
  for (const Arg *arg : args.filtered(unknownId)) {
    std::string spelling = arg->getAsString(args), nearest;
    result.error = "unknown argument '" + spelling + "'";
    if (table.findNearest(spelling, nearest) <= 2)
      result.error += "; did you mean '" + nearest + "'?";
    else if (!hint.empty())
      result.error += "; " + hint.str();
    break;
  }
  return result;
}

std::string helpText(const OptTable &table, const char *usage, const char *title) {
  std::string text;
  raw_string_ostream out(text);
  table.printHelp(out, usage, title);
  return text;
}

} // namespace acis::driver
