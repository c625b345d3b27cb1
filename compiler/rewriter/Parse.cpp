// LibTooling over the given files, with the flags each was compiled with.
#include "compiler/rewriter/Parse.h"

#include "compiler/frontend/Config.h"

#include "clang/Frontend/ASTUnit.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using acis::frontend::ClangResourceDir;

namespace acis::rewriter {
namespace {

bool hasMpi(llvm::StringRef folder) {
  llvm::SmallString<128> file(folder);
  llvm::sys::path::append(file, "mpi.h");
  return llvm::sys::fs::exists(file);
}

/// What `program -show` prints; empty if it fails.
std::string show(const std::string &program) {
  llvm::SmallString<128> out;
  if (llvm::sys::fs::createTemporaryFile("acis-mpi", "txt", out))
    return "";
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), out.str(),
                                                llvm::StringRef("")};
  std::string text;
  if (llvm::sys::ExecuteAndWait(program, {program, "-show"}, std::nullopt, redirects, 10) == 0)
    if (auto buffer = llvm::MemoryBuffer::getFile(out))
      text = (*buffer)->getBuffer().str();
  llvm::sys::fs::remove(out);
  return text;
}

bool flagsLeadToMpi(const std::vector<std::string> &flags) {
  for (size_t i = 0; i < flags.size(); i++) {
    llvm::StringRef flag = flags[i];
    for (llvm::StringRef option : {"-isystem", "-idirafter", "-iquote", "-I"}) {
      llvm::StringRef folder = flag;
      if (!folder.consume_front(option))
        continue;
      if (folder.empty() && i + 1 < flags.size())
        folder = flags[i + 1];
      if (hasMpi(folder))
        return true;
    }
  }
  return false;
}

tooling::ArgumentsAdjuster addFlags(const ParseOptions &options) {
  std::string resources = options.resourceDir.empty() ? ClangResourceDir : options.resourceDir;
  return [resources](const tooling::CommandLineArguments &args, llvm::StringRef) {
    tooling::CommandLineArguments result = args;
    auto end = std::find(result.begin(), result.end(), "--");
    std::vector<std::string> added = {"-resource-dir=" + resources};
    // What directives leave out (SourceText.h).
    added.insert(added.end(), {"-Xclang", "-detailed-preprocessing-record"});
    // The program's own compiler warns; what older ones take is no error here.
    added.push_back("-w");
    for (const char *warning :
         {"implicit-int", "implicit-function-declaration", "int-conversion", "return-mismatch",
          "incompatible-pointer-types", "incompatible-function-pointer-types", "c++11-narrowing"})
      added.push_back(std::string("-Wno-error=") + warning);
    // After everything else: the program's own choice of an MPI comes first.
    if (!flagsLeadToMpi(args) && !hasMpi("/usr/include"))
      for (const std::string &folder : findMpiIncludes())
        added.push_back("-idirafter" + folder);
    result.insert(end, added.begin(), added.end());
    return result;
  };
}

} // namespace

std::vector<std::string> findMpiIncludes() {
  static const std::vector<std::string> Found = [] {
    std::vector<std::string> folders;
    for (const char *name : {"mpicc", "mpicc.mpich", "mpicc.openmpi"}) {
      llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(name);
      if (!program)
        continue;
      std::string text = show(*program);
      llvm::SmallVector<llvm::StringRef> words;
      llvm::SplitString(text, words, " \t\n");
      for (llvm::StringRef word : words)
        if (word.consume_front("-I"))
          folders.push_back(word.str());
      if (!folders.empty())
        break;
    }
    return folders;
  }();
  return Found;
}

std::vector<std::unique_ptr<ASTUnit>> parse(const ParseOptions &options, std::string &messages) {
  llvm::raw_string_ostream out(messages);
  std::unique_ptr<tooling::CompilationDatabase> database;
  if (!options.database.empty()) {
    std::string error;
    database = tooling::CompilationDatabase::loadFromDirectory(options.database, error);
    if (!database) {
      out << options.database << ": error: no compile_commands.json can be read there\n";
      return std::vector<std::unique_ptr<ASTUnit>>(options.files.size());
    }
  }
  if (!database)
    database = std::make_unique<tooling::FixedCompilationDatabase>(".", options.flags);

  std::vector<std::unique_ptr<ASTUnit>> units;
  for (const std::string &file : options.files) {
    tooling::ClangTool tool(*database, {file});
    DiagnosticOptions diagnosticOptions;
    TextDiagnosticPrinter printer(out, diagnosticOptions);
    tool.setDiagnosticConsumer(&printer);
    tool.setPrintErrorMessage(false);
    tool.appendArgumentsAdjuster(addFlags(options));
    if (options.texts)
      for (const auto &[name, text] : *options.texts)
        tool.mapVirtualFile(name, text);
    std::vector<std::unique_ptr<ASTUnit>> built;
    tool.buildASTs(built);
    bool good = built.size() == 1 && built[0] && !built[0]->getDiagnostics().hasErrorOccurred();
    units.push_back(good ? std::move(built[0]) : nullptr);
    if (!good && built.empty())
      out << file << ": error: no compile command for it; name its flags after --\n";
  }
  return units;
}

} // namespace acis::rewriter
