// Sets Clang up, runs it to LLVM IR and no further.
#include "compiler/frontend/Frontend.h"

#include "compiler/frontend/Config.h"
#include "compiler/frontend/HandlerDecls.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;

namespace acis::frontend {
namespace {

/// Headers that are part of the compiler, so that an installed acisc needs no file.
constexpr const char *HeaderFolder = "/acis-headers";
constexpr struct {
  const char *path;
  const char *text;
} Headers[] = {
#include "compiler/frontend/Headers.inc"
};

IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeFileSystem() {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto &header : Headers)
    memory->addFile(std::string(HeaderFolder) + header.path, 0,
                    llvm::MemoryBuffer::getMemBuffer(header.text, header.path));
  auto all =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  all->pushOverlay(memory);
  return all;
}

bool isCxx(llvm::StringRef file) {
  llvm::StringRef extension = llvm::sys::path::extension(file);
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C";
}

/// Prints messages, and keeps them as values: what was said before a message is its refusal.
class Listener : public TextDiagnosticPrinter {
public:
  Listener(llvm::raw_ostream &out, DiagnosticOptions &options, Diagnostics &found,
           std::optional<Refusal> &said)
      : TextDiagnosticPrinter(out, options), found(found), said(said) {}

  void HandleDiagnostic(DiagnosticsEngine::Level level, const clang::Diagnostic &info) override {
    TextDiagnosticPrinter::HandleDiagnostic(level, info);
    acis::Diagnostic diagnostic;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    diagnostic.refusal = said ? std::move(*said) : Refusal(Why::Said, text.str());
    said.reset();
    if (info.hasSourceManager() && info.getLocation().isValid())
      if (PresumedLoc place = info.getSourceManager().getPresumedLoc(info.getLocation());
          place.isValid()) {
        diagnostic.file = place.getFilename();
        diagnostic.line = place.getLine();
        diagnostic.column = place.getColumn();
      }
    if (level == DiagnosticsEngine::Note && !found.empty()) {
      found.back().note(std::move(diagnostic));
      return;
    }
    diagnostic.severity = level >= DiagnosticsEngine::Error     ? Severity::Error
                          : level == DiagnosticsEngine::Warning ? Severity::Warning
                                                                : Severity::Remark;
    found.push_back(std::move(diagnostic));
  }

private:
  Diagnostics &found;
  std::optional<Refusal> &said;
};

/// Where headers are looked for, in this order: those of C++ wrap those of C.
std::vector<std::string> headerFolders(const std::string &resources, bool cxx) {
  const std::string own = HeaderFolder;
  std::vector<std::string> folders;
  if (cxx && *LibcxxDir)
    folders = {own + "/libcxx", LibcxxDir};
  folders.insert(folders.end(), {own + "/include", own + "/builtin", resources + "/include"});
  return folders;
}

std::string resourcesOf(const Options &options) {
  return options.resourceDir.empty() ? ClangResourceDir : options.resourceDir;
}

std::vector<std::string> cc1Arguments(const Options &options) {
  const std::string resources = resourcesOf(options);
  std::vector<std::string> args = {
      "-triple", "riscv32-unknown-elf", "-target-feature", "+m", "-target-abi", "ilp32",
      // -O1 keeps what later passes need (alias information) and adds no optnone;
      // no pass of Clang's own pipeline ever runs.
      "-O1", "-disable-lifetime-markers", "-funroll-loops",
      // Results must be those of the host, operation by operation.
      "-ffp-contract=off",
      // Source lines go all the way into the binary; no path of this machine does.
      "-debug-info-kind=line-tables-only", "-dwarf-version=5", "-fdebug-compilation-dir=.",
      "-fgnuc-version=4.2.1", "-fno-rtti", "-fno-threadsafe-statics", "-mrelocation-model",
      "static", "-ferror-limit", "19", "-nostdsysteminc", "-resource-dir", resources,
      "-D__ACISC__=1", "-DACIS_VPES=" + std::to_string(options.vpes),
      "-DACIS_LANES=" + std::to_string(options.lanes), "-main-file-name",
      llvm::sys::path::filename(options.file).str()};
  bool cxx = isCxx(options.file);
  args.push_back(cxx ? "-std=c++20" : "-std=gnu17");
  // ACIS_HANDLER is extern "C" already; code that is to be called from C says so, too.
  args.push_back("-Wno-duplicate-decl-specifier");
  for (const std::string &folder : headerFolders(resources, cxx))
    args.insert(args.end(), {"-internal-isystem", folder});
  if (options.color)
    args.push_back("-fcolor-diagnostics");
  args.insert(args.end(), options.clangArgs.begin(), options.clangArgs.end());
  args.insert(args.end(), {"-x", cxx ? "c++" : "c", options.file});
  return args;
}

/// Lets what comes of functions of the headers that acisc brings along be said at their calls: a
/// user cannot change a line of the C++ library.
void placeAtCalls(llvm::Module &module, llvm::ArrayRef<std::string> folders) {
  for (llvm::Function &function : module)
    if (const llvm::DISubprogram *program = function.getSubprogram();
        program && llvm::any_of(folders, [&](const std::string &folder) {
          return program->getFilename().starts_with(folder + "/");
        }))
      llvm::stripDebugInfo(function);
}

/// Code generation without the pass pipeline and back end of Clang's own actions.
class Action : public ASTFrontendAction {
public:
  Action(llvm::LLVMContext &context, HandlerDecls &decls, std::optional<Refusal> &said)
      : context(context), decls(decls), said(said) {}

  std::unique_ptr<llvm::Module> takeModule() { return std::move(module); }

private:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef file) override {
    auto generator = CreateLLVMCodeGen(compiler, file, context);
    codeGenerator = generator.get();
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    consumers.push_back(collectHandlers(compiler.getDiagnostics(), decls, said));
    consumers.push_back(std::move(generator));
    return std::make_unique<MultiplexConsumer>(std::move(consumers));
  }

  void EndSourceFileAction() override { module = codeGenerator->ReleaseModule(); }

  llvm::LLVMContext &context;
  HandlerDecls &decls;
  std::optional<Refusal> &said;
  CodeGenerator *codeGenerator = nullptr;
  std::unique_ptr<llvm::Module> module;
};

std::shared_ptr<CompilerInvocation> makeInvocation(const Options &options,
                                                   llvm::vfs::FileSystem &files,
                                                   llvm::raw_ostream &out, Diagnostics &found,
                                                   std::optional<Refusal> &said) {
  DiagnosticOptions diagOptions;
  diagOptions.ShowColors = options.color;
  auto diags = CompilerInstance::createDiagnostics(files, diagOptions,
                                                   new Listener(out, diagOptions, found, said));
  std::vector<std::string> args = cc1Arguments(options);
  std::vector<const char *> argv;
  argv.reserve(args.size());
  for (const std::string &arg : args)
    argv.push_back(arg.c_str());
  auto invocation = std::make_shared<CompilerInvocation>();
  if (!CompilerInvocation::CreateFromArgs(*invocation, argv, *diags) || diags->hasErrorOccurred())
    return nullptr;
  if (options.text) // the invocation owns it until it is read
    invocation->getPreprocessorOpts().addRemappedFile(
        options.file, llvm::MemoryBuffer::getMemBufferCopy(*options.text, options.file).release());
  return invocation;
}

} // namespace

std::unique_ptr<llvm::Module> compile(const Options &options, llvm::LLVMContext &context,
                                      Remarked &remarked) {
  llvm::raw_string_ostream out(remarked.messages);
  out.enable_colors(options.color);
  auto system = makeFileSystem();
  std::optional<Refusal> said;
  auto invocation = makeInvocation(options, *system, out, remarked.diagnostics, said);
  if (!invocation)
    return nullptr;

  CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(system);
  compiler.createDiagnostics(
      new Listener(out, compiler.getDiagnosticOpts(), remarked.diagnostics, said));
  auto collector = std::make_shared<DependencyCollector>();
  compiler.addDependencyCollector(collector);
  Action action(context, remarked.handlers, said);
  // ExecuteAction ends with "n errors generated", which is for the driver to say.
  compiler.setVerboseOutputStream(out);
  bool good = compiler.ExecuteAction(action);
  std::unique_ptr<llvm::Module> module = action.takeModule();
  if (!good || !module)
    return nullptr;
  remarked.files = collector->getDependencies().vec();
  if (remarked.handlers.empty()) {
    acis::Diagnostic none;
    none.file = options.file;
    none.refusal = Refusal(Why::NoHandler);
    out << none.file << ": error: " << none.text() << '\n';
    remarked.diagnostics.push_back(std::move(none));
    return nullptr;
  }
  markHandlers(*module, remarked.handlers);
  placeAtCalls(*module, headerFolders(resourcesOf(options), isCxx(options.file)));
  return module;
}

} // namespace acis::frontend
