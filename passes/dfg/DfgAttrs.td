// Attributes: the operation of a node, and where the mapper put nodes and edges.
#ifndef ACIS_DFG_ATTRS_TD
#define ACIS_DFG_ATTRS_TD

include "DfgDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

// The operations of backend/isa/Ops.def in its order; DfgDialect.cpp asserts that
// both lists agree, so a cast between the two enums is valid.
class Dfg_OpCase<string name, int value, string mnemonic>
    : I32EnumAttrCase<name, value, mnemonic>;
def Dfg_OpKind : I32EnumAttr<"OpKind", "an operation of backend/isa/Ops.def", [
  Dfg_OpCase<"Nop", 0, "nop">,
  Dfg_OpCase<"Mov", 1, "mov">,
  Dfg_OpCase<"Add", 2, "add">,
  Dfg_OpCase<"Sub", 3, "sub">,
  Dfg_OpCase<"Mul", 4, "mul">,
  Dfg_OpCase<"And", 5, "and">,
  Dfg_OpCase<"Or", 6, "or">,
  Dfg_OpCase<"Xor", 7, "xor">,
  Dfg_OpCase<"Shl", 8, "shl">,
  Dfg_OpCase<"Lshr", 9, "lshr">,
  Dfg_OpCase<"Ashr", 10, "ashr">,
  Dfg_OpCase<"Smin", 11, "smin">,
  Dfg_OpCase<"Smax", 12, "smax">,
  Dfg_OpCase<"Umin", 13, "umin">,
  Dfg_OpCase<"Umax", 14, "umax">,
  Dfg_OpCase<"Eq", 15, "eq">,
  Dfg_OpCase<"Ne", 16, "ne">,
  Dfg_OpCase<"Slt", 17, "slt">,
  Dfg_OpCase<"Sle", 18, "sle">,
  Dfg_OpCase<"Ult", 19, "ult">,
  Dfg_OpCase<"Ule", 20, "ule">,
  Dfg_OpCase<"Select", 21, "select">,
  Dfg_OpCase<"Sext", 22, "sext">,
  Dfg_OpCase<"Iota", 23, "iota">,
  Dfg_OpCase<"Lane", 24, "lane">,
  Dfg_OpCase<"Slide", 25, "slide">,
  Dfg_OpCase<"Sitofp", 26, "sitofp">,
  Dfg_OpCase<"Uitofp", 27, "uitofp">,
  Dfg_OpCase<"Fptosi", 28, "fptosi">,
  Dfg_OpCase<"Fptoui", 29, "fptoui">,
  Dfg_OpCase<"Fpconv", 30, "fpconv">,
  Dfg_OpCase<"Fadd", 31, "fadd">,
  Dfg_OpCase<"Fsub", 32, "fsub">,
  Dfg_OpCase<"Fmul", 33, "fmul">,
  Dfg_OpCase<"Fmac", 34, "fmac">,
  Dfg_OpCase<"Fma", 35, "fma">,
  Dfg_OpCase<"Fmin", 36, "fmin">,
  Dfg_OpCase<"Fmax", 37, "fmax">,
  Dfg_OpCase<"Fneg", 38, "fneg">,
  Dfg_OpCase<"Fabs", 39, "fabs">,
  Dfg_OpCase<"Feq", 40, "feq">,
  Dfg_OpCase<"Flt", 41, "flt">,
  Dfg_OpCase<"Fle", 42, "fle">,
  Dfg_OpCase<"Sdiv", 43, "sdiv">,
  Dfg_OpCase<"Udiv", 44, "udiv">,
  Dfg_OpCase<"Srem", 45, "srem">,
  Dfg_OpCase<"Urem", 46, "urem">,
  Dfg_OpCase<"Fdiv", 47, "fdiv">,
  Dfg_OpCase<"Fsqrt", 48, "fsqrt">,
  Dfg_OpCase<"Rotl", 49, "rotl">
]> {
  let cppNamespace = "::acis::dfg";
  let genSpecializedAttr = 0;
}
def Dfg_OpKindAttr : EnumAttr<Dfg_Dialect, Dfg_OpKind, "op">;

class Dfg_Attr<string name, string mnemonicName> : AttrDef<Dfg_Dialect, name> {
  let mnemonic = mnemonicName;
}

def Dfg_PlaceAttr : Dfg_Attr<"Place", "place"> {
  let summary = "PE, array time in iteration 0 and port of a node";
  let description = [{
    `time` is stage * II + slot. `port` is the VRF read port, 0 for other nodes.
  }];
  let parameters = (ins "unsigned":$pe, "unsigned":$time, "unsigned":$port);
  let assemblyFormat = "`<` `pe` $pe `,` `time` $time `,` `port` $port `>`";
}

def Dfg_RouteAttr : Dfg_Attr<"Route", "route"> {
  let summary = "the way of an operand from the producer's bus to the consumer";
  let description = [{
    A list of steps `pe:time place`, where the place is `bus`, `link n` (arrived on
    in-link n) or `reg n`, as in passes/mapper/Problem.h: four numbers per step (pe,
    time, place, index). `delay` cycles are spent in the consumer's delay line. No steps
    for an operand that no wire carries (a constant, an argument, a position).

    Example: `#dfg.route<0:4 bus, 1:5 link 0, 1:6 reg 2 delay 3>`
  }];
  let parameters = (ins ArrayRefParameter<"unsigned">:$words, "unsigned":$delay);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // ACIS_DFG_ATTRS_TD
