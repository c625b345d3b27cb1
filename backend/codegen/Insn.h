// Our instructions in LLVM IR: inline assembly whose text is a `.insn` directive with
// the mnemonic beside it. Formats: docs/isa.md, backend/isa/Xacis.td.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace acis::codegen {

/// Emits at the builder's place. Numbers are i32 values of the scalar unit; all
/// instructions keep their order among each other.
class InsnBuilder {
public:
  explicit InsnBuilder(llvm::IRBuilder<> &builder) : builder(builder) {}

  void arg(unsigned index, llvm::Value *value);
  void launch(unsigned context, llvm::Value *iterations, llvm::Value *tail);
  llvm::Value *result(unsigned word);
  void sync();
  llvm::Value *tile(llvm::Value *expected, llvm::Value *position);
  llvm::Value *streamin(llvm::Value *position, unsigned format);
  void streamout(llvm::Value *value, llvm::Value *position, unsigned format);
  void wfi();

  llvm::Value *readCsr(unsigned number);
  void writeCsr(unsigned number, llvm::Value *value);

  /// `lmul` 1 .. 16 (16 is vlmul code 4), `sew` 32 or 64.
  void vsetvli(llvm::Value *length, unsigned sew, unsigned lmul);
  void vle(unsigned sew, unsigned vreg, llvm::Value *address);
  void vlb(unsigned sew, unsigned vreg, llvm::Value *address);
  void vse(unsigned sew, unsigned vreg, llvm::Value *address);
  void vmvZero(unsigned vreg);
  void streamoutV(unsigned vreg, llvm::Value *position);

private:
  llvm::Value *emit(const llvm::Twine &text, bool hasResult, llvm::ArrayRef<llvm::Value *> inputs);

  llvm::IRBuilder<> &builder;
};

} // namespace acis::codegen
