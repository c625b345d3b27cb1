#include "backend/codegen/RiscvCode.h"

#include "backend/codegen/SourceError.h"

#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/AsmPrinterHandler.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"

#include <optional>

extern "C" {
void LLVMInitializeRISCVTargetInfo();
void LLVMInitializeRISCVTarget();
void LLVMInitializeRISCVTargetMC();
void LLVMInitializeRISCVAsmPrinter();
}

namespace acis::codegen {
namespace {

/// What a runtime routine of the compiler stands for, in the user's words.
std::string describeRoutine(llvm::StringRef name) {
  if (name == "memset" || name == "memcpy" || name == "memmove")
    return "a block copy or fill ('" + name.str() + "')";
  if (name.ends_with("di3") || name.ends_with("di2"))
    return "64-bit division or shift ('" + name.str() + "')";
  if (name.starts_with("__") && (name.contains("sf") || name.contains("df")))
    return "floating-point arithmetic ('" + name.str() + "')";
  return "a call of '" + name.str() + "'";
}

/// Why a handler was refused, and where; the first reason stays.
struct Refused {
  std::string file;
  Refusal refusal;
  unsigned line = 0, column = 0;
};

/// Notes source lines and refuses what the scalar unit does not have, while the
/// instructions are printed.
class CodeObserver : public llvm::AsmPrinterHandler {
public:
  CodeObserver(llvm::AsmPrinter &printer, RiscvCode &code, std::optional<Refused> &refused)
      : printer(printer), code(code), refused(refused) {}

  void endModule() override {}
  void beginFunction(const llvm::MachineFunction *function) override {
    subprogram = function->getFunction().getSubprogram();
    name = function->getName().str();
    lastFile.clear();
    lastLine = 0;
  }
  void markFunctionEnd() override {
    printer.OutStreamer->emitLabel(printer.OutContext.getOrCreateSymbol(endLabel(name)));
  }
  void endFunction(const llvm::MachineFunction *) override {}

  void beginInstruction(const llvm::MachineInstr *instr) override {
    if (instr->isMetaInstruction())
      return;
    if (const llvm::DILocation *loc = instr->getDebugLoc().get())
      noteLine(*loc);
    if (!refused)
      checkOperands(*instr);
  }

private:
  void noteLine(const llvm::DILocation &loc) {
    if (!loc.getLine() || (loc.getLine() == lastLine && loc.getFilename() == lastFile))
      return;
    lastLine = loc.getLine();
    lastFile = loc.getFilename().str();
    llvm::MCSymbol *label =
        printer.OutContext.getOrCreateSymbol(".Lacis_line" + llvm::Twine(code.lines.size()));
    printer.OutStreamer->emitLabel(label);
    code.lines.push_back({label->getName().str(), lastFile, lastLine});
  }

  void checkOperands(const llvm::MachineInstr &instr) {
    for (const llvm::MachineOperand &operand : instr.operands()) {
      if (operand.isSymbol() && !instr.isInlineAsm())
        return refuse(instr, describeRoutine(operand.getSymbolName()));
      if (operand.isGlobal() && llvm::isa<llvm::Function>(operand.getGlobal()))
        return refuse(instr, describeRoutine(operand.getGlobal()->getName()));
      if (operand.isGlobal())
        return refuse(instr, "variable '" + operand.getGlobal()->getName().str() + "' in memory");
      if (operand.isCPI() || operand.isJTI() || operand.isBlockAddress())
        return refuse(instr, "a table of constants");
    }
  }

  void refuse(const llvm::MachineInstr &instr, const std::string &what) {
    Refusal refusal(Why::ScalarUnitLacks, name, what);
    if (const llvm::DILocation *loc = instr.getDebugLoc().get())
      refused = {loc->getFilename().str(), refusal, loc->getLine(), loc->getColumn()};
    else if (subprogram)
      refused = {subprogram->getFilename().str(), refusal, subprogram->getLine(), 1};
    else
      refused = {"", refusal, 0, 0};
  }

  llvm::AsmPrinter &printer;
  RiscvCode &code;
  std::optional<Refused> &refused;
  const llvm::DISubprogram *subprogram = nullptr;
  std::string name, lastFile;
  unsigned lastLine = 0;
};

/// A handler never returns to anybody, so no register has to be saved for a caller.
class SaveNothing : public llvm::MachineFunctionPass {
public:
  static char ID;
  SaveNothing() : MachineFunctionPass(ID) {}

  bool runOnMachineFunction(llvm::MachineFunction &function) override {
    if (function.getFunction().doesNotReturn())
      function.getRegInfo().setCalleeSavedRegs({});
    return false;
  }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
};
char SaveNothing::ID = 0;

/// Hooks the observer into the printer that the target adds, and SaveNothing in front of
/// its first pass over machine functions.
class ObservingPassManager : public llvm::legacy::PassManager {
public:
  ObservingPassManager(RiscvCode &code, std::optional<Refused> &refused)
      : code(code), refused(refused) {}

  void add(llvm::Pass *pass) override {
    // Two constants that it hoists, of a product and of the product shifted left, make a rotation
    // of 64 bits undefined on 32 bits (LLVM 22.1.8, DAG combiner); nothing is cold here to hoist
    // to.
    if (pass->getPassName() == "Constant Hoisting") {
      delete pass;
      return;
    }
    if (!isStarted && dynamic_cast<llvm::MachineFunctionPass *>(pass)) {
      isStarted = true;
      llvm::legacy::PassManager::add(new SaveNothing());
    }
    if (auto *printer = dynamic_cast<llvm::AsmPrinter *>(pass))
      printer->addAsmPrinterHandler(std::make_unique<CodeObserver>(*printer, code, refused));
    llvm::legacy::PassManager::add(pass);
  }

private:
  RiscvCode &code;
  std::optional<Refused> &refused;
  bool isStarted = false;
};

std::unique_ptr<llvm::TargetMachine> makeTarget(unsigned optLevel) {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmPrinter();
  llvm::Triple triple(RiscvTriple);
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return nullptr;
  llvm::TargetOptions options;
  // Inline assembly goes through as text; it is parsed once, by the assembler.
  options.DisableIntegratedAS = true;
  options.MCOptions.AsmVerbose = true;
  options.MCOptions.ABIName = "ilp32";
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "", "+m", options, llvm::Reloc::Static, llvm::CodeModel::Small,
      static_cast<llvm::CodeGenOptLevel>(std::min(optLevel, 3u))));
}

/// What belongs to a whole file and not to a function in the text, and marks that only
/// say where inline assembly was.
bool isDropped(llvm::StringRef line) {
  line = line.trim();
  static constexpr llvm::StringLiteral dropped[] = {"#APP",   "#NO_APP",  ".attribute", ".file",
                                                    ".ident", ".section", ".addrsig",   ".text"};
  return line.empty() ||
         llvm::any_of(dropped, [&](llvm::StringRef word) { return line.starts_with(word); });
}

std::string filter(llvm::StringRef text) {
  std::string kept;
  kept.reserve(text.size());
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, tail] = rest.split('\n');
    rest = tail;
    if (!isDropped(line))
      kept.append(line.rtrim().str()).push_back('\n');
  }
  return kept;
}

void prepare(llvm::Module &module, const llvm::TargetMachine &target) {
  module.setTargetTriple(llvm::Triple(RiscvTriple));
  module.setDataLayout(target.createDataLayout());
  // Instructions keep their locations, but no DWARF is written: the binary has its own
  // table of lines.
  if (llvm::NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu"))
    module.eraseNamedMetadata(units);
  // The scalar unit has no data in memory; what the array has of a variable is in its contexts.
  for (llvm::GlobalVariable &variable : module.globals()) {
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable.setInitializer(nullptr);
  }
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setDoesNotThrow();
    function.removeFnAttr(llvm::Attribute::UWTable);
    function.removeFnAttr("target-features");
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("frame-pointer");
    function.addFnAttr("no-jump-tables", "true");
    function.addFnAttr("no-builtins");
  }
}

} // namespace

std::string endLabel(llvm::StringRef function) { return (".Lacis_end_" + function).str(); }

llvm::Expected<RiscvCode> emitRiscv(llvm::Module &module, unsigned optLevel) {
  std::unique_ptr<llvm::TargetMachine> target = makeTarget(optLevel);
  if (!target)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "the RISC-V target is not linked in");
  prepare(module, *target);
  RiscvCode code;
  std::optional<Refused> refused;
  llvm::SmallVector<char, 0> text;
  {
    llvm::raw_svector_ostream os(text);
    ObservingPassManager passes(code, refused);
    if (target->addPassesToEmitFile(passes, os, nullptr, llvm::CodeGenFileType::AssemblyFile))
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "the RISC-V target cannot write assembly");
    passes.run(module);
  }
  if (refused)
    return llvm::make_error<SourceError>(refused->file, refused->line, refused->column,
                                         refused->refusal);
  code.text = filter(llvm::StringRef(text.data(), text.size()));
  return code;
}

} // namespace acis::codegen
