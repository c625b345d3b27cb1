// Parses, finds, evaluates, rewrites, reports.
#include "compiler/driver/MpiMain.h"

#include "backend/overlay/Overlay.h"
#include "compiler/driver/MpiOptions.h"
#include "compiler/driver/Pipeline.h"
#include "compiler/rewriter/Evaluator.h"
#include "compiler/rewriter/Finder.h"
#include "compiler/rewriter/Parse.h"
#include "compiler/rewriter/Report.h"
#include "compiler/rewriter/Rewrite.h"

#include "clang/AST/Decl.h"
#include "clang/Frontend/ASTUnit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

namespace acis::driver {
namespace {

int fail(const std::string &message) {
  llvm::errs() << "acisc: error: " << message << '\n';
  return 1;
}

std::string absolute(const std::string &file) {
  llvm::SmallString<128> name(file);
  llvm::sys::fs::make_absolute(name);
  llvm::sys::path::remove_dots(name, /*remove_dot_dot=*/true);
  return name.str().str();
}

/// Clang makes names absolute; people get the name they gave. By file, then by line.
void arrange(const std::vector<std::string> &files, std::vector<rewriter::Candidate> &candidates) {
  std::map<std::string, std::string> given;
  for (const std::string &file : files) {
    given[absolute(file)] = file;
  }
  for (rewriter::Candidate &candidate : candidates) {
    if (auto found = given.find(candidate.file); found != given.end())
      candidate.file = found->second;
    auto [name, line] = llvm::StringRef(candidate.mpiCall).rsplit(':');
    if (auto found = given.find(name.str()); found != given.end())
      candidate.mpiCall = found->second + ":" + line.str();
  }
  llvm::sort(candidates, [](const auto &a, const auto &b) {
    return std::tie(a.file, a.lineFirst, a.columnFirst, a.kind, a.lineSecond) <
           std::tie(b.file, b.lineFirst, b.columnFirst, b.kind, b.lineSecond);
  });
}

/// Why a source cannot be read; empty: it can.
std::string unreadable(const std::string &file) {
  if (llvm::sys::fs::is_directory(file))
    return "'" + file + "' is a folder; give the files of the MPI program";
  if (!llvm::sys::fs::exists(file))
    return "no file '" + file + "'";
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return "cannot read '" + file + "': " + buffer.getError().message();
  llvm::StringRef extension = llvm::sys::path::extension(file);
  if (llvm::is_contained({".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08"}, extension.lower()))
    return "'" + file +
           "' is Fortran, which is not rewritten; link its object with acis-mpicc, and run the "
           "program with acis-mpirun for its plain collectives";
  if (llvm::is_contained({".py", ".o", ".a", ".so", ".json"}, extension.lower()))
    return "'" + file + "' is no source in C or C++, as its name says";
  return "";
}

int write(const std::string &file, const std::string &text) {
  if (llvm::Error error = llvm::writeToOutput(file, [&](llvm::raw_ostream &out) {
        out << text;
        return llvm::Error::success();
      }))
    return fail("cannot write '" + file + "': " + llvm::toString(std::move(error)));
  return 0;
}

/// Where the new text of `file` goes.
std::string outputOf(const std::string &file, const MpiOptions &options) {
  if (!options.outputFolder.empty()) {
    size_t number =
        std::find(options.files.begin(), options.files.end(), file) - options.files.begin();
    llvm::SmallString<128> name(options.outputFolder);
    llvm::sys::path::append(name, std::to_string(number), llvm::sys::path::filename(file));
    return name.str().str();
  }
  if (!options.output.empty())
    return options.output;
  if (options.inPlace)
    return file;
  llvm::SmallString<128> name(file);
  std::string extension = llvm::sys::path::extension(file).str();
  llvm::sys::path::replace_extension(name, ".acis" + extension);
  return name.str().str();
}

/// A unified diff, by the program of that name.
int printDiff(const std::string &file, const std::string &text) {
  llvm::ErrorOr<std::string> diff = llvm::sys::findProgramByName("diff");
  llvm::SmallString<128> other;
  if (!diff || llvm::sys::fs::createTemporaryFile("acis", "diff", other))
    return fail("'--diff' needs the program 'diff'");
  int code = write(other.str().str(), text);
  if (code == 0) {
    std::string label = "--label=" + file + " (rewritten)";
    llvm::sys::ExecuteAndWait(*diff, {*diff, "-u", "--label=" + file, label, file, other});
  }
  llvm::sys::fs::remove(other);
  return code;
}

/// `text` is null where nothing changes: the plain text then goes to -o, so that a build that
/// names it finds it.
int writeFile(const std::string &file, const rewriter::Rewritten *changed,
              const MpiOptions &options) {
  const std::string *text = changed ? &changed->text : nullptr;
  if (options.dryRun)
    return 0;
  if (!text && options.output.empty())
    return 0;
  if (options.diff)
    return text ? printDiff(file, *text) : 0;
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return fail("cannot read '" + file + "'");
  std::string original = (*buffer)->getBuffer().str();
  if (options.inPlace)
    if (int code = write(file + ".orig", original))
      return code;
  std::string output = outputOf(file, options);
  llvm::sys::fs::create_directories(
      options.outputFolder.empty() ? llvm::StringRef() : llvm::sys::path::parent_path(output));
  if (changed && !changed->binaries.empty()) {
    llvm::SmallString<128> name(llvm::sys::path::parent_path(output));
    llvm::sys::path::append(name, rewriter::binariesName(file));
    if (int code = write(name.str().str(), changed->binaries))
      return code;
  }
  return write(output, text ? *text : original);
}

using Texts = std::map<std::string, rewriter::Rewritten>;

/// What became of each file; `read` are those that compile.
llvm::json::Array filesJson(const MpiOptions &options, const std::vector<std::string> &read,
                            const Texts &texts) {
  llvm::json::Array list;
  for (const std::string &file : options.files) {
    const bool isRewritten = texts.contains(absolute(file));
    llvm::json::Object object{{"file", file},
                              {"state", isRewritten                      ? "rewritten"
                                        : llvm::is_contained(read, file) ? "unchanged"
                                                                         : "does not compile"}};
    if (isRewritten && !options.dryRun && !options.diff)
      object["output"] = outputOf(file, options);
    list.push_back(std::move(object));
  }
  return list;
}

/// A loop takes II cycles for each iteration but the last, which goes through all stages; a
/// transfer to a register file one for each beat.
std::optional<uint64_t> cyclesOf(const NestReport &nest) {
  if (!nest.trip)
    return std::nullopt;
  const uint64_t iterations = llvm::divideCeil(*nest.trip, std::max(1u, nest.vf));
  if (nest.isVectorLoad || iterations == 0)
    return iterations;
  return (iterations - 1 + std::max(1u, nest.stages)) * nest.ii;
}

rewriter::MappedLoops loopsOf(const Report &report) {
  rewriter::MappedLoops loops;
  loops.clockMhz = report.machine.clockMhz;
  loops.cycles = 0;
  for (const NestReport &nest : report.nests) {
    const std::optional<uint64_t> cycles = cyclesOf(nest);
    loops.cycles = loops.cycles && cycles ? std::optional(*loops.cycles + *cycles) : std::nullopt;
    if (nest.ii > loops.ii) {
      loops.ii = nest.ii;
      loops.elements = std::max(1u, nest.vf);
    }
  }
  return loops;
}

/// An op through the phases that handlers go through.
rewriter::MappedOp mapOp(const std::string &source, const std::string &config) {
  rewriter::MappedOp mapped;
  llvm::SmallString<128> file;
  if (llvm::sys::fs::createTemporaryFile("acis-op", "c", file) || write(file.str().str(), source)) {
    mapped.reason = "no temporary file can be written";
    return mapped;
  }
  Options options;
  options.input = file.str().str();
  options.config = config;
  options.report = true;
  PipelineResult result = runPipeline(options);
  llvm::sys::fs::remove(file);
  if (!result.good) {
    mapped.reason = result.firstError();
    return mapped;
  }
  mapped.binary.assign(result.output.begin(), result.output.end());
  mapped.loops = loopsOf(result.report);
  return mapped;
}

/// By absolute name, instead of what the file holds.
using Sources = std::map<std::string, std::string>;

/// What came of the files, read once.
struct Pass {
  Sources sources;                ///< what trees were made of that is in no file
  std::vector<std::string> files; ///< that compile
  std::unique_ptr<rewriter::Program> program;
  std::vector<rewriter::Candidate> candidates;
  Texts texts;
};

/// No files where none compiles. `says`: what Clang says is printed.
Pass runPass(const MpiOptions &options, const rewriter::Thresholds &thresholds, Sources sources,
             bool says) {
  std::vector<std::string> given = options.files;
  given.insert(given.end(), options.context.begin(), options.context.end());
  std::string messages;
  Pass pass;
  pass.sources = std::move(sources);
  auto units = rewriter::parse(
      {given, options.flags, options.database, options.resourceDir, &pass.sources}, messages);
  llvm::raw_ostream &out = says ? llvm::errs() : llvm::nulls();
  out << messages;
  // A file that does not compile is left out; the others can do without it.
  std::set<const clang::ASTContext *> contexts;
  for (size_t i = 0; i < units.size(); i++) {
    bool isContext = i >= options.files.size();
    if (!units[i])
      out << given[i] << ": error: it does not compile; "
          << (isContext ? "it is not looked into" : "the file is unchanged") << '\n';
    else if (isContext)
      contexts.insert(&units[i]->getASTContext());
    else
      pass.files.push_back(given[i]);
  }
  llvm::erase(units, nullptr);
  if (pass.files.empty())
    return pass;

  pass.program =
      std::make_unique<rewriter::Program>(std::move(units), options.scope, options.localFunctions);
  pass.candidates = rewriter::findCandidates(*pass.program);
  llvm::erase_if(pass.candidates, [&](const rewriter::Candidate &candidate) {
    return contexts.contains(&candidate.in->getASTContext());
  });
  arrange(pass.files, pass.candidates);
  for (rewriter::Candidate &candidate : pass.candidates)
    if (candidate.isFusable())
      rewriter::evaluate(candidate, thresholds);

  rewriter::RewriteOptions rewriteOptions;
  rewriteOptions.force = options.force;
  if (!options.config.empty())
    rewriteOptions.mapOp = [&](const std::string &source) { return mapOp(source, options.config); };
  rewriteOptions.ownMpi = options.ownMpi;
  pass.texts = rewriter::rewrite(*pass.program, pass.candidates, rewriteOptions);
  for (rewriter::Candidate &candidate : pass.candidates)
    if (candidate.loops.ii)
      rewriter::evaluate(candidate, thresholds);
  return pass;
}

/// Whether they begin with the same call: what is fused and what semi-fused may differ.
bool isSamePlace(const rewriter::Candidate &a, const rewriter::Candidate &b) {
  return std::tie(a.file, a.lineFirst, a.columnFirst) ==
         std::tie(b.file, b.lineFirst, b.columnFirst);
}

/// The sources with the blocks split that stand in the way of these candidates.
Sources split(const std::vector<const rewriter::Candidate *> &candidates) {
  std::map<std::string, std::vector<rewriter::TextEdit>> edits;
  for (const rewriter::Candidate *candidate : candidates)
    llvm::append_range(edits[absolute(candidate->file)], candidate->split);
  Sources sources;
  for (auto &[file, all] : edits)
    if (auto buffer = llvm::MemoryBuffer::getFile(file))
      sources[file] = rewriter::applied((*buffer)->getBuffer().str(), std::move(all));
  return sources;
}

/// Blocks are split where what begins with them can be rewritten then, and nowhere else.
Pass runPasses(const MpiOptions &options, const rewriter::Thresholds &thresholds) {
  Pass plain = runPass(options, thresholds, {}, /*says=*/true);
  std::vector<const rewriter::Candidate *> waiting;
  for (const rewriter::Candidate &candidate : plain.candidates)
    if (candidate.isFusable() && !candidate.isRewritten && !candidate.split.empty())
      waiting.push_back(&candidate);
  while (!waiting.empty()) {
    Pass other = runPass(options, thresholds, split(waiting), /*says=*/false);
    const size_t all = waiting.size();
    llvm::erase_if(waiting, [&](const rewriter::Candidate *candidate) {
      return llvm::none_of(other.candidates, [&](const rewriter::Candidate &after) {
        return after.isRewritten && isSamePlace(after, *candidate);
      });
    });
    if (waiting.size() == all)
      return other;
  }
  return plain;
}

} // namespace

int mpiMain(int argc, char **argv) {
  MpiOptions options;
  std::string text;
  switch (parseMpiOptions(argc, argv, options, text)) {
  case ParseResult::Done:
    llvm::outs() << text;
    return 0;
  case ParseResult::Error:
    return fail(text);
  case ParseResult::Run:
    break;
  }
  for (const auto *list : {&options.files, &options.context})
    for (const std::string &file : *list)
      if (std::string error = unreadable(file); !error.empty())
        return fail(error);
  rewriter::Thresholds thresholds;
  thresholds.maxArrayBytes = options.maxArrayBytes;
  thresholds.ranks = options.ranks;
  if (!options.config.empty()) {
    Result<Overlay> overlay = Overlay::load(options.config);
    if (!overlay)
      return fail(overlay.error().where + ": " + overlay.error().what);
    thresholds.simdWidth = overlay->lanes;
  }

  const Pass pass = runPasses(options, thresholds);
  const auto &[sources, files, program, candidates, texts] = pass;
  const bool good = files.size() == options.files.size();
  if (files.empty())
    return 1;
  for (const std::string &file : files) {
    auto found = texts.find(absolute(file));
    if (int code = writeFile(file, found == texts.end() ? nullptr : &found->second, options))
      return code;
  }

  if (options.remarks) {
    llvm::errs() << rewriter::remarks(candidates);
    if (candidates.empty())
      llvm::errs() << files[0] << ": remark: no collective of MPI; the file is unchanged\n";
  }
  if (options.report)
    llvm::outs() << rewriter::reportText(candidates);
  if (!options.reportFile.empty()) {
    llvm::json::Value report = llvm::json::Object{{"candidates", rewriter::reportJson(candidates)},
                                                  {"files", filesJson(options, files, texts)}};
    if (int code = write(options.reportFile, llvm::formatv("{0:2}\n", report).str()))
      return code;
  }
  return good ? 0 : 1;
}

} // namespace acis::driver
