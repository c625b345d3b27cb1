// acisc: options in, pipeline run, output and messages out, exit code.
#include "compiler/driver/Options.h"
#include "compiler/driver/Pipeline.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace acis::driver;

namespace {

int fail(const std::string &message) {
  llvm::errs() << "acisc: error: " << message << '\n';
  return 1;
}

void printTimes(const std::vector<PhaseTime> &times) {
  double total = 0;
  for (const PhaseTime &time : times) {
    llvm::errs() << llvm::format("%8.3f ms  ", time.milliseconds) << phaseName(time.phase) << '\n';
    total += time.milliseconds;
  }
  llvm::errs() << llvm::format("%8.3f ms  ", total) << "all phases\n";
}

/// Through a temporary file beside it, so that no half output is ever seen.
llvm::Error write(const std::string &file, const std::string &bytes) {
  return llvm::writeToOutput(file, [&](llvm::raw_ostream &out) {
    out << bytes;
    return llvm::Error::success();
  });
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  std::string text;
  switch (parseOptions(argc, argv, options, text)) {
  case ParseResult::Done:
    llvm::outs() << text;
    return 0;
  case ParseResult::Error:
    return fail(text);
  case ParseResult::Run:
    break;
  }

  PipelineResult result = runPipeline(options);
  llvm::errs() << result.messages;
  if (options.timePhases)
    printTimes(result.times);
  if (!result.good)
    return 1;
  if (llvm::Error error = write(options.output, result.output))
    return fail("cannot write '" + options.output + "': " + llvm::toString(std::move(error)));
  return 0;
}
