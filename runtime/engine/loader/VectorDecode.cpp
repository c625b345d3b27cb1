// Which operation each vector instruction is.
#include "runtime/engine/loader/VectorDecode.h"

#include "runtime/engine/scalar/Decoder.h"

namespace acis::scalar {
namespace {

using Kind = acis::VectorInstruction::Kind;

void setMemory(acis::VectorInstruction &v, Opcode opcode) {
  const bool store = opcode >= Opcode::Vse8 && opcode <= Opcode::Vse64;
  v.broadcast = opcode >= Opcode::Vlb8;
  v.kind = store ? Kind::Store : Kind::Load;
  const Opcode first = store ? Opcode::Vse8 : v.broadcast ? Opcode::Vlb8 : Opcode::Vle8;
  v.eewBits = uint8_t(8u << (unsigned(opcode) - unsigned(first)));
}

void setBinary(acis::VectorInstruction &v, isa::Op op, bool scalarOperand) {
  v.kind = Kind::Binary;
  v.op = op;
  v.scalarOperand = scalarOperand;
}

} // namespace

acis::VectorInstruction vectorInstruction(const VectorRequest &request) {
  const Decoded d = decode(request.word);
  acis::VectorInstruction v;
  v.vd = d.rd;
  v.vs1 = d.rs1;
  v.vs2 = d.rs2;
  v.scalar = request.scalar;
  switch (d.opcode) {
  case Opcode::VmvVi:
    v.kind = Kind::Move;
    v.scalar = uint32_t(d.imm);
    break;
  case Opcode::VmvVx:
    v.kind = Kind::Move;
    break;
  case Opcode::VaddVv:
  case Opcode::VaddVx:
    setBinary(v, isa::Op::Add, d.opcode == Opcode::VaddVx);
    break;
  case Opcode::VmulVv:
  case Opcode::VmulVx:
    setBinary(v, isa::Op::Mul, d.opcode == Opcode::VmulVx);
    break;
  case Opcode::VfaddVv:
    setBinary(v, isa::Op::Fadd, /*scalarOperand=*/false);
    break;
  case Opcode::VfmulVv:
    setBinary(v, isa::Op::Fmul, /*scalarOperand=*/false);
    break;
  case Opcode::StreamOutV:
    v.kind = Kind::StreamOut;
    break;
  case Opcode::SpvaccXv:
    v.kind = Kind::SpvaccXv;
    break;
  case Opcode::SpvaccVx:
    v.kind = Kind::SpvaccVx;
    break;
  default:
    setMemory(v, d.opcode);
    break;
  }
  return v;
}

void setVectorState(const VectorRequest &request, VectorState &state) {
  state.vl = request.vl;
  state.sewBits = 8u * request.sewBytes;
  state.lmul = request.lmul;
  state.illegal = false;
}

} // namespace acis::scalar
