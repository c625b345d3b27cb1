// Writes one of the files that are made from the ISA description.
#include "backend/isa/acis-tblgen/Emitters.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Main.h"

using namespace acis::tblgen;

using Emitter = void (*)(const llvm::RecordKeeper &, llvm::raw_ostream &);

int main(int argc, char **argv) {
  enum Action { Instrs, Ops, ContextFields, Numbers, Traps, Signals, Shell, Manual, SystemVerilog };
  llvm::cl::opt<Action> action(
      llvm::cl::desc("what to write:"), llvm::cl::Required,
      llvm::cl::values(clEnumValN(Instrs, "gen-instructions", "Instructions.inc, C++ tables"),
                       clEnumValN(Ops, "gen-ops", "Ops.def, operations as macros"),
                       clEnumValN(ContextFields, "gen-context-fields",
                                  "ContextFields.def, the context words as macros"),
                       clEnumValN(Numbers, "gen-numbers", "Numbers.h, numbers and codes for C++"),
                       clEnumValN(Traps, "gen-traps", "Traps.h, codes and texts of traps for C++"),
                       clEnumValN(Signals, "gen-signals", "Signals.h, signals of ports for C++"),
                       clEnumValN(Shell, "gen-shell", "Shell.h, registers of the kernel for C++"),
                       clEnumValN(Manual, "gen-manual", "isa.md, the manual"),
                       clEnumValN(SystemVerilog, "gen-sv", "acis_isa_pkg.sv")));
  llvm::cl::ParseCommandLineOptions(argc, argv, "ACiS ISA generator\n");
  return llvm::TableGenMain(argv[0], [&](llvm::raw_ostream &os, const llvm::RecordKeeper &records) {
    constexpr Emitter emitters[] = {emitInstrs,  emitOps,    emitContextFields,
                                    emitNumbers, emitTraps,  emitSignals,
                                    emitShell,   emitManual, emitSystemVerilog};
    emitters[action](records, os);
    return false;
  });
}
