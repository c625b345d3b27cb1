// acisc: options in, pipeline run, output and messages out, exit code.
#include "compiler/driver/Explore.h"
#include "compiler/driver/MpiMain.h"
#include "compiler/driver/MpiOptions.h"
#include "compiler/driver/Options.h"
#include "compiler/driver/Pipeline.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

using namespace acis::driver;

namespace {

int fail(const std::string &message) {
  llvm::errs() << "acisc: error: " << message << '\n';
  return 1;
}

/// Through a temporary file beside it, so that no half output is ever seen. `before` is
/// done before the file gets its name, which it does not get if that fails.
llvm::Error write(const std::string &file, const std::string &bytes,
                  llvm::function_ref<llvm::Error()> before = llvm::Error::success) {
  bool isOurs = true;
  llvm::Error error = llvm::writeToOutput(file, [&](llvm::raw_ostream &out) {
    out << bytes;
    out.flush(); // what is left when the file is discarded would be a fatal error
    llvm::Error other = before();
    isOurs = !other;
    return other;
  });
  if (!error || !isOurs)
    return error;
  // The reason without the name of the file, which is said once.
  std::string reason;
  llvm::handleAllErrors(
      std::move(error), [&](llvm::FileError &failed) { reason = failed.messageWithoutFileInfo(); },
      [&](llvm::ErrorInfoBase &failed) { reason = failed.message(); });
  return llvm::createStringError("cannot write '" + file + "': " + reason);
}

/// A name in a makefile's rule.
std::string quoted(llvm::StringRef name) {
  std::string result;
  for (char c : name) {
    if (c == ' ' || c == '#' || c == '\\')
      result += '\\';
    result += c == '$' ? "$$" : std::string(1, c);
  }
  return result;
}

/// What the output is made from: the overlay's description, if it is a file, the source, its
/// headers.
std::string ruleOf(const Options &options, llvm::ArrayRef<std::string> files) {
  std::string rule = quoted(options.ruleTarget) + ":";
  if (llvm::sys::fs::exists(options.config))
    rule += " " + quoted(options.config);
  for (const std::string &file : files)
    rule += " \\\n  " + quoted(file);
  return rule + "\n";
}

/// Trees of programs are walked by recursion: an expression of some ten thousand operators, as
/// generated sources have them, needs more than the 8 MB of a main thread. Pages that are not
/// touched cost nothing.
constexpr std::optional<unsigned> StackBytes = 1u << 30;

/// Compiles for many machines; the table is for standard output.
int exploreMain(const Options &options) {
  Options source = options; // what is wrong with it is wrong for all machines
  source.last = Phase::Frontend;
  const PipelineResult checked = runPipeline(source);
  llvm::errs() << checked.messages;
  if (!checked.good)
    return 1;
  acis::Result<Exploration> found = explore(options, [](size_t done, size_t all) {
    if (llvm::sys::Process::StandardErrIsDisplayed())
      llvm::errs() << (done == all ? "\r\033[K"
                                   : llvm::formatv("\r{0} of {1} machines", done, all).str());
  });
  if (!found)
    return fail(found.error().str());
  const std::string &file = options.explore->file;
  const bool isPicture = llvm::StringRef(file).ends_with(".svg");
  if (!file.empty())
    if (llvm::Error error = write(file, isPicture ? found->svg() : found->json()))
      return fail(llvm::toString(std::move(error)));
  llvm::outs() << found->text();
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (isMpiCommand(argc, argv)) {
    int code = 1;
    llvm::thread(StackBytes, [&] { code = mpiMain(argc, argv); }).join();
    return code;
  }
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

  if (options.explore)
    return exploreMain(options);
  PipelineResult result = runPipeline(options);
  llvm::errs() << result.messages;
  if (options.timePhases)
    llvm::errs() << timeTable(result.report.times);
  if (!result.good)
    return 1;
  if (options.report)
    llvm::errs() << result.report.text();
  // Either all files appear or none.
  auto writeRule = [&]() -> llvm::Error {
    if (options.ruleFile.empty())
      return llvm::Error::success();
    return write(options.ruleFile, ruleOf(options, result.files));
  };
  auto writeReport = [&]() -> llvm::Error {
    if (options.reportFile.empty())
      return writeRule();
    if (options.wantsPage())
      return write(options.reportFile, result.report.html(), writeRule);
    return write(options.reportFile, llvm::formatv("{0:2}\n", result.report.json()), writeRule);
  };
  if (llvm::Error error = write(options.output, result.output, writeReport))
    return fail(llvm::toString(std::move(error)));
  return 0;
}
