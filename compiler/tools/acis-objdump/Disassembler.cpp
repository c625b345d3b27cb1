#include "compiler/tools/acis-objdump/Disassembler.h"

#include "backend/isa/Decode.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

extern "C" {
void LLVMInitializeRISCVTargetInfo();
void LLVMInitializeRISCVTargetMC();
void LLVMInitializeRISCVDisassembler();
}

namespace acis::objdump {

struct Disassembler::Mc {
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> asmInfo;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};

Disassembler::~Disassembler() = default;

Disassembler::Disassembler() : mc(std::make_unique<Mc>()) {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVDisassembler();
  llvm::Triple triple("riscv32-unknown-elf");
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  assert(target && "the RISC-V target is linked in");
  mc->registers.reset(target->createMCRegInfo(triple));
  mc->asmInfo.reset(target->createMCAsmInfo(*mc->registers, triple, llvm::MCTargetOptions()));
  mc->instructions.reset(target->createMCInstrInfo());
  mc->subtarget.reset(target->createMCSubtargetInfo(triple, "", "+m,+v"));
  mc->context = std::make_unique<llvm::MCContext>(triple, mc->asmInfo.get(), mc->registers.get(),
                                                  mc->subtarget.get());
  mc->disassembler.reset(target->createMCDisassembler(*mc->subtarget, *mc->context));
  mc->printer.reset(target->createMCInstPrinter(triple, mc->asmInfo->getAssemblerDialect(),
                                                *mc->asmInfo, *mc->instructions, *mc->registers));
  mc->printer->setPrintBranchImmAsAddress(true);
}

std::string Disassembler::text(uint32_t word, uint32_t pc) const {
  std::optional<isa::Decoded> decoded = isa::decodeInstruction(word);
  if (!decoded)
    return "<unknown>";
  if (isa::info(decoded->id).kind == isa::InstrKind::Custom)
    return isa::assembly(*decoded);
  uint8_t bytes[4];
  llvm::support::endian::write32le(bytes, word);
  llvm::MCInst instruction;
  uint64_t size = 0;
  if (mc->disassembler->getInstruction(instruction, size, bytes, pc, llvm::nulls()) !=
      llvm::MCDisassembler::Success)
    return isa::assembly(*decoded); // a reserved form that this machine defines
  std::string text;
  llvm::raw_string_ostream os(text);
  mc->printer->printInst(&instruction, pc, "", *mc->subtarget, os);
  for (char &c : text)
    if (c == '\t')
      c = ' ';
  return llvm::StringRef(text).trim().str();
}

} // namespace acis::objdump
