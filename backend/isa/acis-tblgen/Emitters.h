// One function per generated file.
#pragma once

#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Record.h"

namespace acis::tblgen {

void emitInstrs(const llvm::RecordKeeper &records, llvm::raw_ostream &os);
void emitOps(const llvm::RecordKeeper &records, llvm::raw_ostream &os);
void emitContextFields(const llvm::RecordKeeper &records, llvm::raw_ostream &os);
void emitNumbers(const llvm::RecordKeeper &records, llvm::raw_ostream &os);
void emitTraps(const llvm::RecordKeeper &records, llvm::raw_ostream &os);
void emitShell(const llvm::RecordKeeper &records, llvm::raw_ostream &os);
void emitSignals(const llvm::RecordKeeper &records, llvm::raw_ostream &os);
void emitManual(const llvm::RecordKeeper &records, llvm::raw_ostream &os);
void emitSystemVerilog(const llvm::RecordKeeper &records, llvm::raw_ostream &os);

} // namespace acis::tblgen
