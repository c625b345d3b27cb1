// What the functional units share: types of elements, and how the steps of a unit are cut
// into pipeline stages. Codes come from acis_isa_pkg.
package acis_fu_pkg;

  parameter logic [2:0] I8  = 3'(acis_isa_pkg::TypeI8);
  parameter logic [2:0] I16 = 3'(acis_isa_pkg::TypeI16);
  parameter logic [2:0] I32 = 3'(acis_isa_pkg::TypeI32);
  parameter logic [2:0] I64 = 3'(acis_isa_pkg::TypeI64);
  parameter logic [2:0] F32 = 3'(acis_isa_pkg::TypeF32);
  parameter logic [2:0] F64 = 3'(acis_isa_pkg::TypeF64);

  // A result that is not computed from significands.
  typedef enum logic [1:0] {SpecialNone, SpecialZero, SpecialInf, SpecialNan} special_e;

  // Registers behind step `step` (1..steps) of a unit of `steps` steps. With fewer registers
  // than steps, neighbouring steps share a stage; with more, the rest stand at the end, where
  // the data is narrowest.
  function automatic int unsigned regsAfter(int unsigned step, int unsigned steps,
                                            int unsigned latency);
    if (latency > steps)
      return (step == steps) ? 1 + latency - steps : 1;
    return step * latency / steps - (step - 1) * latency / steps;
  endfunction

  // The same for the seven steps of adder and fused sum. The first, which puts the operands in
  // order, takes longer than the others and is alone in its stage as soon as most of them can be.
  parameter int unsigned SumSteps = 7;
  function automatic int unsigned sumRegsAfter(int unsigned step, int unsigned latency);
    if (latency < SumSteps - 2 || latency > SumSteps)
      return regsAfter(step, SumSteps, latency);
    return (step == 1) ? 1 : regsAfter(step - 1, SumSteps - 1, latency - 1);
  endfunction

  function automatic logic isWide(logic [2:0] kind);
    return kind == I64 || kind == F64;
  endfunction

  // An element of `kind` as a number of 64 bits.
  function automatic logic [63:0] extend(logic [2:0] kind, logic isSigned, logic [63:0] value);
    unique case (kind)
      I8: return {{56{isSigned & value[7]}}, value[7:0]};
      I16: return {{48{isSigned & value[15]}}, value[15:0]};
      I64, F64: return value;
      default: return {{32{isSigned & value[31]}}, value[31:0]};
    endcase
  endfunction

endpackage
