// Vector instructions as loops: each is executed as one-slot contexts, so that the
// engines have one execution mechanism.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"
#include "backend/support/Result.h"

#include <cstdint>
#include <vector>

namespace acis {

/// What vsetvli and the CSRs have set.
struct VectorState {
  uint32_t vl = 0;
  unsigned sewBits = 32;       ///< 8, 16, 32, 64
  unsigned lmul = 1;           ///< registers in a group: 1, 2, 4, 8, 16
  bool illegal = true;         ///< vill: before the first vsetvli, or an unknown vtype
  uint32_t vpemask = ~0u;      ///< bits past the overlay's PEs are ignored
  int32_t vpestride = 0;       ///< bytes
  uint32_t streamPosition = 0; ///< next byte of the input stream, for spvacc
};

/// The state's vtype fields from the immediate of vsetvli (vlmul code 4 is 16 here).
/// Elements take a container of 32 bits, or 64 with SEW 64, so a group holds
/// lmul * vregBeats * vf of them.
void setVectorType(uint32_t vtype, VectorState &state);
uint32_t maxVectorLength(const VectorState &state, const Overlay &overlay);

struct VectorInstruction {
  enum class Kind : uint8_t {
    Load,      ///< vle<eew>.v vd, (scalar), or vlb<eew>.v with `broadcast`
    Store,     ///< vse<eew>.v vd, (scalar)
    Move,      ///< vmv.v.i / vmv.v.x: vd = scalar, sign-extended
    Binary,    ///< vd = vs2 op vs1, or with `scalarOperand` vs2 op scalar
    StreamOut, ///< streamout.v vs2, scalar
    SpvaccXv,  ///< spvacc.xv vd, vs2
    SpvaccVx,  ///< spvacc.vx vd, scalar, vs2
  };
  Kind kind = Kind::Move;
  isa::Op op = isa::Op::Nop; ///< Binary: add, mul, fadd, fmul
  bool scalarOperand = false;
  bool broadcast = false; ///< Load: an element of memory for each beat, in every lane
  uint8_t eewBits = 0;    ///< Load, Store
  uint8_t vd = 0, vs1 = 0, vs2 = 0;
  uint32_t scalar = 0; ///< value of the integer register or the immediate
};

/// A launch that no context slot holds.
struct VectorLaunch {
  isa::LoopContext context;
  uint32_t iterations = 0, tail = 0; ///< as acis.launch
  std::vector<uint32_t> args;
};

/// The loops to run, in order; none if vl or the mask is 0. The contexts pass
/// traceContext(). Fails for what the machine has to trap on: types, register
/// groups, PEs without the port or unit.
Result<std::vector<VectorLaunch>> vectorLaunches(const VectorInstruction &instruction,
                                                 const VectorState &state, const Overlay &overlay);

} // namespace acis
