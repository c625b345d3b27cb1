#include "backend/asm/Assemble.h"

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

extern "C" {
void LLVMInitializeRISCVTargetInfo();
void LLVMInitializeRISCVTargetMC();
void LLVMInitializeRISCVAsmParser();
}

namespace acis::assembler {
namespace {

llvm::Error failure(const llvm::Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
}

/// Keeps the first message; the text is ours, so that a message is our mistake or that
/// of a hand-written file.
void keepFirst(const llvm::SMDiagnostic &diagnostic, void *context) {
  auto &message = *static_cast<std::string *>(context);
  if (!message.empty() || diagnostic.getKind() != llvm::SourceMgr::DK_Error)
    return;
  llvm::raw_string_ostream os(message);
  os << diagnostic.getFilename() << ':' << diagnostic.getLineNo() << ':'
     << diagnostic.getColumnNo() + 1 << ": error: " << diagnostic.getMessage() << ": "
     << diagnostic.getLineContents().trim();
}

} // namespace

llvm::Expected<llvm::SmallVector<char, 0>> assemble(llvm::StringRef text, llvm::StringRef name) {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmParser();
  llvm::Triple triple("riscv32-unknown-elf");
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return failure("the RISC-V target is not linked in: " + message);

  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> asmInfo(target->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, "", "+m,+v"));

  llvm::SourceMgr sources;
  sources.setDiagHandler(keepFirst, &message);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, name), llvm::SMLoc());
  llvm::MCContext context(triple, asmInfo.get(), registers.get(), subtarget.get(), &sources);
  std::unique_ptr<llvm::MCObjectFileInfo> files(
      target->createMCObjectFileInfo(context, /*PIC=*/false));
  context.setObjectFileInfo(files.get());

  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  auto backend = std::unique_ptr<llvm::MCAsmBackend>(
      target->createMCAsmBackend(*subtarget, *registers, options));
  auto writer = backend->createObjectWriter(os);
  std::unique_ptr<llvm::MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer),
      std::unique_ptr<llvm::MCCodeEmitter>(target->createMCCodeEmitter(*instructions, context)),
      *subtarget));
  streamer->initSections(/*NoExecStack=*/false, *subtarget);

  std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, *asmInfo));
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      target->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*targetParser);
  if (parser->Run(/*NoInitialTextSection=*/false))
    return failure(message.empty() ? "the assembler failed without a message" : message);
  if (!message.empty())
    return failure(message);
  return object;
}

} // namespace acis::assembler
