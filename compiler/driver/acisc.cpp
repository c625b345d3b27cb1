// acisc: options in, pipeline run, output and messages out, exit code.
#include "compiler/driver/Options.h"
#include "compiler/driver/Pipeline.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace acis::driver;

namespace {

int fail(const std::string &message) {
  llvm::errs() << "acisc: error: " << message << '\n';
  return 1;
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
    llvm::errs() << timeTable(result.report.times);
  if (!result.good)
    return 1;
  if (options.report)
    llvm::errs() << result.report.text();
  if (!options.reportFile.empty()) {
    std::string json = llvm::formatv("{0:2}\n", result.report.json());
    if (llvm::Error error = write(options.reportFile, json))
      return fail("cannot write '" + options.reportFile + "': " + llvm::toString(std::move(error)));
  }
  if (llvm::Error error = write(options.output, result.output))
    return fail("cannot write '" + options.output + "': " + llvm::toString(std::move(error)));
  return 0;
}
