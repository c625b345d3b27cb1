#include "backend/codegen/Insn.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/MathExtras.h"

using llvm::Twine;
using llvm::Value;

namespace acis::codegen {

/// Inputs are registers or zero ("${n:z}" prints x0 for it). Everything has side
/// effects and may touch memory as far as LLVM knows: the grid works beside the code.
Value *InsnBuilder::emit(const Twine &text, bool hasResult, llvm::ArrayRef<Value *> inputs) {
  llvm::SmallVector<llvm::Type *, 2> types(inputs.size(), builder.getInt32Ty());
  std::string constraints = hasResult ? "=r" : "";
  for (size_t i = 0; i < inputs.size(); ++i)
    constraints += constraints.empty() ? "rJ" : ",rJ";
  constraints += constraints.empty() ? "~{memory}" : ",~{memory}";
  auto *type = llvm::FunctionType::get(hasResult ? builder.getInt32Ty() : builder.getVoidTy(),
                                       types, /*isVarArg=*/false);
  auto *code = llvm::InlineAsm::get(type, text.str(), constraints, /*hasSideEffects=*/true);
  return builder.CreateCall(type, code, inputs);
}

void InsnBuilder::arg(unsigned index, Value *value) {
  emit(".insn i 0x0b, 0, x0, ${0:z}, " + Twine(index) + " # acis.arg " + Twine(index) + ", ${0:z}",
       false, {value});
}

void InsnBuilder::launch(unsigned context, Value *iterations, Value *tail) {
  emit(".insn r 0x0b, 1, " + Twine(context) + ", x0, ${0:z}, ${1:z} # acis.launch " +
           Twine(context) + ", ${0:z}, ${1:z}",
       false, {iterations, tail});
}

Value *InsnBuilder::result(unsigned word) {
  return emit(".insn i 0x0b, 2, $0, x0, " + Twine(word) + " # acis.result $0, " + Twine(word), true,
              {});
}

void InsnBuilder::sync() { emit(".insn i 0x0b, 3, x0, x0, 0 # acis.sync", false, {}); }

Value *InsnBuilder::tile(Value *expected, Value *position) {
  return emit(".insn r 0x0b, 4, 0, $0, ${1:z}, ${2:z} # acis.tile $0, ${1:z}, ${2:z}", true,
              {expected, position});
}

Value *InsnBuilder::streamin(Value *position, unsigned format) {
  return emit(".insn i 0x2b, 0, $0, ${1:z}, " + Twine(format) + " # streamin $0, ${1:z}, " +
                  Twine(format),
              true, {position});
}

void InsnBuilder::streamout(Value *value, Value *position, unsigned format) {
  emit(".insn s 0x2b, 1, ${0:z}, " + Twine(format) + "(${1:z}) # streamout ${0:z}, ${1:z}, " +
           Twine(format),
       false, {value, position});
}

void InsnBuilder::wfi() { emit("wfi", false, {}); }

Value *InsnBuilder::readCsr(unsigned number) { return emit("csrr $0, " + Twine(number), true, {}); }

void InsnBuilder::writeCsr(unsigned number, Value *value) {
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  if (constant && constant->getZExtValue() < 32)
    emit("csrwi " + Twine(number) + ", " + Twine(constant->getZExtValue()), false, {});
  else
    emit("csrw " + Twine(number) + ", ${0:z}", false, {value});
}

void InsnBuilder::vsetvli(Value *length, unsigned sew, unsigned lmul) {
  // vlmul codes 0..3 are 1..8; the reserved code 4 is 16 on this machine.
  unsigned vtype = (llvm::Log2_32(sew) - 3) << 3 | llvm::Log2_32(lmul);
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty()}, false);
  // Not "z": rs1 = x0 would ask for the longest vector.
  auto *code = llvm::InlineAsm::get(
      type, ("vsetvli x0, $0, " + Twine(vtype) + " # e" + Twine(sew) + ", m" + Twine(lmul)).str(),
      "r,~{memory}", /*hasSideEffects=*/true);
  builder.CreateCall(type, code, {length});
}

void InsnBuilder::vle(unsigned sew, unsigned vreg, Value *address) {
  emit("vle" + Twine(sew) + ".v v" + Twine(vreg) + ", (${0:z})", false, {address});
}

void InsnBuilder::vlb(unsigned sew, unsigned vreg, Value *address) {
  emit(".insn r 0x5b, 2, " + Twine(llvm::Log2_32(sew) - 3) + ", x" + Twine(vreg) +
           ", ${0:z}, x0 # vlb" + Twine(sew) + ".v v" + Twine(vreg) + ", (${0:z})",
       false, {address});
}

void InsnBuilder::vse(unsigned sew, unsigned vreg, Value *address) {
  emit("vse" + Twine(sew) + ".v v" + Twine(vreg) + ", (${0:z})", false, {address});
}

void InsnBuilder::vmvZero(unsigned vreg) { emit("vmv.v.i v" + Twine(vreg) + ", 0", false, {}); }

void InsnBuilder::streamoutV(unsigned vreg, Value *position) {
  // .insn r knows x registers only; xN stands for vN.
  emit(".insn r 0x2b, 2, 1, x0, ${0:z}, x" + Twine(vreg) + " # streamout.v v" + Twine(vreg) +
           ", ${0:z}",
       false, {position});
}

} // namespace acis::codegen
