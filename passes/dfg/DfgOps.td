// The operations of the dfg dialect. docs/rationale/dfg.md shows them at work.
#ifndef ACIS_DFG_OPS_TD
#define ACIS_DFG_OPS_TD

include "DfgAttrs.td"
include "DfgTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Dfg_AccessInterface : OpInterface<"AccessOpInterface"> {
  let cppNamespace = "::acis::dfg";
  let description = [{
    An op with an affine position, the sum of
      offset + scale * a  and  offset + scale * a * b
    over its terms, where a and b are indices of enclosing loops, values from outside
    all loops or constants. Unit: bytes for streams and memory, elements for arrays.
  }];
  let methods = [
    InterfaceMethod<"the position", "::acis::dfg::Position", "getPosition", (ins), "", [{
      return readPosition($_op.getTerms(), $_op.getOffset(), $_op.getScales(), $_op.getArity());
    }]>,
    InterfaceMethod<"replaces the position", "void", "setPosition",
        (ins "const ::acis::dfg::Position &":$position), "", [{
      PositionParts parts = splitPosition(position);
      $_op.getTermsMutable().assign(parts.terms);
      $_op.setOffset(position.offset);
      $_op.setScales(parts.scales);
      $_op.setArity(parts.arity);
    }]>,
  ];
}

//===- Structure ----------------------------------------------------------===//

def Dfg_HandlerOp : Dfg_Op<"handler", [Symbol, SymbolTable, IsolatedFromAbove,
    NoTerminator, SingleBlock]> {
  let summary = "one packet handler: its arrays and its loop nests";
  let description = [{
    The handler's control code stays LLVM IR and is no part of this module.

    ```mlir
    dfg.handler @add { dfg.array ... dfg.nest ... }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Dfg_ArrayOp : Dfg_Op<"array", [Symbol, HasParent<"HandlerOp">]> {
  let summary = "an array that lives in the vector register file";
  let description = [{
    `per_vpe`: the first dimension is the VPE whose register file holds the slice.
    Every other array lives whole on one PE, `home`, which dfg-replicate chooses.
    `persistent`: a `static` array, kept from one invocation to the next; at load it holds
    `initial`, which has its shape, or zeros. `lane_bits`: width of a container, set by
    dfg-replicate from all uses.

    ```mlir
    dfg.array @acc : f32, [16, 3584, 16] {per_vpe, persistent}
    dfg.array @primes : i8, [4] {initial = dense<[2, 3, 5, 7]> : tensor<4xi8>, persistent}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$element, DenseI64ArrayAttr:$shape,
                       UnitAttr:$per_vpe, UnitAttr:$persistent,
                       OptionalAttr<I32Attr>:$home, OptionalAttr<I32Attr>:$lane_bits,
                       OptionalAttr<ElementsAttr>:$initial);
  let assemblyFormat = "$sym_name `:` $element `,` $shape attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements of the part that one VPE holds.
    int64_t getSliceElements();
  }];
}

def Dfg_NestOp : Dfg_Op<"nest", [Symbol, IsolatedFromAbove, HasParent<"HandlerOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a loop nest that the control code calls";
  let description = [{
    The control code calls `acis.nest.<handler>.<nest>` with the arguments; results are
    the values of reductions. As imported the body holds one outermost `dfg.loop`; the
    passes leave one `dfg.graph`, and integer nodes after it that combine its results
    with start values (for the scalar unit).

    ```mlir
    dfg.nest @k0(%pos: i32, %n: i32) -> (i32) { ... dfg.return %sum : i32 }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let skipDefaultBuilders = 1;
}

def Dfg_ReturnOp : Dfg_Op<"return", [Terminator, Pure, HasParent<"NestOp">]> {
  let summary = "ends a nest with its results";
  let arguments = (ins Variadic<Dfg_Scalar>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
  let builders = [OpBuilder<(ins), [{ (void)$_state; }]>];
  let hasVerifier = 1;
}

def Dfg_LoopOp : Dfg_Op<"loop", [RecursiveMemoryEffects, AttrSizedOperandSegments,
    ParentOneOf<["NestOp", "LoopOp"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a counted loop from 0, with carried values";
  let description = [{
    The body runs for %i = 0, 1, .. trip - 1. The trip count is a constant or a
    nest argument, unsigned; only the outermost loop of a nest that is not over VPEs may
    have one that is not constant; `most_trip` is its bound then, where one is known. Carried values
    work as in `scf.for`.

    ```mlir
    %sum = dfg.loop %i to %n iter_args(%s = %zero) -> (i32) { ... dfg.yield %t : i32 }
    ```
  }];
  let arguments = (ins Optional<I32>:$trip, OptionalAttr<I64Attr>:$constant_trip,
                       OptionalAttr<I64Attr>:$most_trip, Variadic<Dfg_Scalar>:$inits);
  let results = (outs Variadic<Dfg_Scalar>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$trip, CArg<"::mlir::ValueRange", "{}">:$inits)>,
    OpBuilder<(ins "int64_t":$trip, CArg<"::mlir::ValueRange", "{}">:$inits)>];
  let extraClassDeclaration = [{
    ::mlir::Block *getBlock() { return &getBody().front(); }
    ::mlir::BlockArgument getIndex() { return getBlock()->getArgument(0); }
    ::mlir::Block::BlockArgListType getCarried() {
      return getBlock()->getArguments().drop_front();
    }
  }];
}

def Dfg_GraphOp : Dfg_Op<"graph", [HasParent<"NestOp">, RegionKindInterface,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "one iteration of the sequencer, as flat nodes";
  let description = [{
    The sequencer runs ceil(trip / per) * inner iterations; in iteration i the block
    arguments are %i0 = i % inner and %i1 = i / inner. `per` is `vf` when a loop was cut
    into lanes (then `inner` is 1 and the last iteration has trip % per active lanes,
    all if that is 0), else 1. Values are beats `vector<vf x T>`; an operand of scalar
    type (nest argument or dfg.const) is the same in every lane.

    `vpes(k)`: a copy between a per-VPE array and memory or the output stream, rolled up:
    the nodes stand for VPE 0..k-1, one after the other, and a third block argument %vpe
    is the number. It becomes vector instructions.

    ```mlir
    dfg.graph (%i0, %i1) trip %n inner 1 per 16 vf 16 lane_bits 32 { ... dfg.yield }
    ```

    `scalar` (vf and per are 1): an iteration is one element. Values of earlier iterations
    come through dfg.carry, so that a node may stand in front of what it uses; positions
    and indices of arrays count elements; results are dfg.last.
  }];
  let arguments = (ins Optional<I32>:$trip, OptionalAttr<I64Attr>:$constant_trip,
                       OptionalAttr<I64Attr>:$most_trip, I32Attr:$inner, I32Attr:$per, I32Attr:$vf, I32Attr:$lane_bits,
                       OptionalAttr<I32Attr>:$vpes,
                       OptionalAttr<I32Attr>:$ii,
                       OptionalAttr<I32Attr>:$res_mii, OptionalAttr<StrAttr>:$res_reason,
                       OptionalAttr<I32Attr>:$rec_mii, OptionalAttr<StrAttr>:$rec_reason,
                       OptionalAttr<I32Attr>:$lower_bound, OptionalAttr<StrAttr>:$bound_reason,
                       UnitAttr:$scalar);
  let results = (outs Variadic<Dfg_Scalar>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static ::mlir::RegionKind getRegionKind(unsigned) { return ::mlir::RegionKind::Graph; }
    ::mlir::Block *getBlock() { return &getBody().front(); }
    ::mlir::BlockArgument getI0() { return getBlock()->getArgument(0); }
    ::mlir::BlockArgument getI1() { return getBlock()->getArgument(1); }
    /// Null unless the graph is rolled up over VPEs.
    ::mlir::Value getVpe() {
      return getVpes() ? ::mlir::Value(getBlock()->getArgument(2)) : ::mlir::Value();
    }
  }];
}

def Dfg_YieldOp : Dfg_Op<"yield", [Terminator, Pure, ParentOneOf<["LoopOp", "GraphOp"]>]> {
  let summary = "ends a loop's body with the carried values, or a graph with its results";
  let arguments = (ins Variadic<Dfg_Scalar>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
  let builders = [OpBuilder<(ins), [{ (void)$_state; }]>];
}

//===- Nodes --------------------------------------------------------------===//

// What every node that the mapper places may carry: a PE it is bound to, and after
// dfg-map its place and one route per SSA operand (empty where there is no wire).
class Dfg_Node<string mnemonic, list<Trait> traits = []> : Dfg_Op<mnemonic, traits> {
  dag nodeAttrs = (ins OptionalAttr<I32Attr>:$pe,
                       OptionalAttr<Dfg_PlaceAttr>:$place,
                       OptionalAttr<ArrayAttr>:$routes);
  dag positionArgs = (ins Variadic<I32>:$terms, I64Attr:$offset, DenseI64ArrayAttr:$scales,
                          DenseI32ArrayAttr:$arity);
}

def Dfg_ConstOp : Dfg_Op<"const", [Pure, ConstantLike,
    AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant";
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Dfg_Scalar:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let builders = [OpBuilder<(ins "::mlir::TypedAttr":$value), [{
    build($_builder, $_state, value.getType(), value);
  }]>];
}

def Dfg_ComputeOp : Dfg_Node<"compute", [Pure]> {
  let summary = "one operation of a PE's functional unit";
  let description = [{
    Meaning and operand count are those of backend/isa/Ops.def. The type that the
    operation works in is the result's, for compares the operands'; for sext and the
    conversions the operand's type is `from`. `mov` to a wider type extends with zeros,
    to a narrower one truncates. Compares give i1.

    `immediate` is imm0 of lane and slide. `distances` has one number per operand: the
    operand is the value of that many iterations before, 0 before the first (graphs only).
    `reassoc` allows a floating-point sum in another order.

    ```mlir
    %s = dfg.compute fadd(%a, %b) reassoc : (f32, f32) -> f32
    ```
  }];
  let arguments = !con((ins Dfg_OpKindAttr:$op, Variadic<Dfg_Value>:$inputs, UnitAttr:$reassoc,
                            OptionalAttr<I32Attr>:$immediate,
                            OptionalAttr<DenseI32ArrayAttr>:$distances), nodeAttrs);
  let results = (outs Dfg_Value:$result);
  let assemblyFormat = [{
    `` $op `` `(` $inputs `)` (`reassoc` $reassoc^)? attr-dict `:` functional-type($inputs, $result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::acis::dfg::OpKind":$op,
                                 "::mlir::ValueRange":$inputs)>];
  let hasVerifier = 1;
}

def Dfg_CarryOp : Dfg_Op<"carry", [Pure, HasParent<"GraphOp">]> {
  let summary = "the value of an earlier iteration";
  let description = [{
    `value` of `distance` iterations before, `init` in the first `distance` iterations. It
    is no node: the operand that uses it takes the value as much later, and the initial
    value from a constant of its slot (isa::Operand::first). With `row` it is `init` in every
    iteration with %i0 = 0: what the inner loop of a nest carries and starts anew.

    ```mlir
    %h = dfg.carry %next before 1 from %h0 : vector<1xi32>, i32
    %s = dfg.carry %sum before 1 from %zero {row} : vector<1xf32>, f32
    ```
  }];
  let arguments = (ins Dfg_Value:$value, Dfg_Scalar:$init, I32Attr:$distance, UnitAttr:$row);
  let results = (outs Dfg_Value:$result);
  let assemblyFormat = [{
    $value `before` $distance `from` $init attr-dict `:` type($value) `,` type($init) `->` type($result)
  }];
  let hasVerifier = 1;
}

// It stands for the value after the loop: two of one value are two results.
def Dfg_LastOp : Dfg_Op<"last", [MemoryEffects<[MemWrite]>, HasParent<"GraphOp">]> {
  let summary = "the value of the last iteration of a scalar graph";
  let description = [{
    Only yielded. The unit that computes `value` keeps it (Slot::result).

    ```mlir
    %h1 = dfg.last %next : vector<1xi32> -> i32
    ```
  }];
  let arguments = (ins Dfg_Value:$value);
  let results = (outs Dfg_Scalar:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
}

def Dfg_ReduceOp : Dfg_Node<"reduce", [HasParent<"GraphOp">]> {
  let summary = "accumulates a beat per iteration; the folded value when the loop is done";
  let description = [{
    The accumulation of backend/isa/Context.h: operand b (c for fmac) is the partial
    result, which starts as `identity`. The result is the value after the loop and is
    only returned.
  }];
  let arguments = !con((ins Dfg_OpKindAttr:$op, Variadic<Dfg_Value>:$inputs,
                            TypedAttrInterface:$identity), nodeAttrs);
  let results = (outs Dfg_Scalar:$result);
  let assemblyFormat = [{
    `` $op `` `(` $inputs `)` `identity` `(` $identity `)` attr-dict
    `:` functional-type($inputs, $result)
  }];
  let hasVerifier = 1;
}

class Dfg_Access<string mnemonic, list<Trait> traits>
    : Dfg_Node<mnemonic, traits # [DeclareOpInterfaceMethods<Dfg_AccessInterface>]>;

class Dfg_ReadBase<string mnemonic, string what, Trait effects> : Dfg_Access<mnemonic, [effects]> {
  let summary = "reads an element (a beat, in a graph) of the " # what;
  let description = [{
    Position in bytes. `elem` is the type in the stream or memory if it is narrower than
    the result: it is extended with zeros, or with the sign if `signed`. `splat` (graphs):
    one element per access, given to every lane.
  }];
  let arguments = !con(positionArgs, (ins UnitAttr:$is_signed, UnitAttr:$splat,
                                          OptionalAttr<TypeAttr>:$elem), nodeAttrs);
  let results = (outs Dfg_Value:$result);
  let assemblyFormat = [{
    ` ` `[` custom<Position>($terms, $offset, $scales, $arity) `]` (`splat` $splat^)?
    (`signed` $is_signed^)? (`as` $elem^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}
// A pop moves the stream on: it stays even if nobody uses the value.
def Dfg_StreamReadOp
    : Dfg_ReadBase<"stream.read", "input stream", MemoryEffects<[MemRead, MemWrite]>>;
def Dfg_MemReadOp : Dfg_ReadBase<"mem.read", "off-chip memory", MemoryEffects<[MemRead]>>;

def Dfg_StreamWriteOp : Dfg_Access<"stream.write", [MemoryEffects<[MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "writes an element (a beat, in a graph) to the output stream";
  let description = [{
    Position in bytes. `elem`: the value is truncated to that type.

    `append` (scalar nests): the element follows what was sent before it, if the flag after
    `if` is not 0; else nothing is sent. The position is then that of the first element of
    the nest, the same for all writes of it, and no index occurs in it.

    ```mlir
    dfg.stream.write %v, [%start] if %c : i1 append : i32
    ```
  }];
  let arguments = !con((ins Dfg_Value:$value), positionArgs,
                       (ins Optional<Dfg_Flag>:$predicate, OptionalAttr<TypeAttr>:$elem,
                            UnitAttr:$append), nodeAttrs);
  let assemblyFormat = [{
    $value `,` `[` custom<Position>($terms, $offset, $scales, $arity) `]`
    (`if` $predicate^ `:` type($predicate))? (`append` $append^)? (`as` $elem^)? attr-dict
    `:` type($value)
  }];
  let hasVerifier = 1;
}
def Dfg_MemWriteOp : Dfg_Access<"mem.write", [MemoryEffects<[MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "writes an element (a beat, in a graph) to the off-chip memory";
  let description = [{
    Position in bytes. `elem`: the value is truncated to that type. Nothing is written
    where the flag after `if` is 0.
  }];
  let arguments = !con((ins Dfg_Value:$value), positionArgs,
                       (ins Optional<Dfg_Flag>:$predicate, OptionalAttr<TypeAttr>:$elem),
                       nodeAttrs);
  let assemblyFormat = [{
    $value `,` `[` custom<Position>($terms, $offset, $scales, $arity) `]`
    (`if` $predicate^ `:` type($predicate))? (`as` $elem^)? attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
}

// Address generator attributes, set by dfg-fuse: index is (element >> shift) &
// (2^bits - 1) of lane `lane` (or the lane's own), in beats; outside limit reads give 0.
defvar generatorAttrs = (ins OptionalAttr<I32Attr>:$lane, OptionalAttr<I32Attr>:$shift,
                             OptionalAttr<I32Attr>:$bits, OptionalAttr<I32Attr>:$zero_limit);

def Dfg_VrfReadOp : Dfg_Access<"vrf.read", [MemoryEffects<[MemRead]>, AttrSizedOperandSegments]> {
  let summary = "reads an element (a beat, in a graph) of an array";
  let description = [{
    Position in elements within the array, or within the slice of one VPE if the array
    is per_vpe. The VPE is then `vpe(%p)`, `vpe(%p + 1)` or `vpe(3)`: the index of a loop
    plus a constant. `index` is a value computed in the nest, multiplied by
    `index_scale` and added to the position. `guarded`: the read was executed under a condition in the
    source; outside of the array it gives 0 and does not trap.

    In a graph: `pe` holds the array (`vpe` is gone), the index counts beats
    (index_scale = vf). With `lane` every lane uses the index in that lane, else its own;
    then `shift` and `bits` cut a field from it. `zero_limit`: offsets of that many beats
    and more give 0.

    ```mlir
    %v = dfg.vrf.read @x vpe(%p) [%f] index(%col * 16 : i32) guarded : f32
    ```
  }];
  let arguments = !con((ins FlatSymbolRefAttr:$array, Optional<I32>:$vpe,
                            OptionalAttr<I64Attr>:$vpe_offset), positionArgs,
                       (ins Optional<Dfg_Index>:$index, OptionalAttr<I64Attr>:$index_scale,
                            UnitAttr:$guarded), generatorAttrs, nodeAttrs);
  let results = (outs Dfg_Value:$result);
  let assemblyFormat = [{
    $array custom<Vpe>($vpe, $vpe_offset) ` ` `[` custom<Position>($terms, $offset, $scales, $arity) `]`
    (`index` `(` $index^ `*` $index_scale `:` type($index) `)`)? (`guarded` $guarded^)?
    attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Dfg_VrfWriteOp : Dfg_Access<"vrf.write", [MemoryEffects<[MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "writes an element (a beat, in a graph) of an array";
  let description = [{
    As dfg.vrf.read. Nothing is written where the flag after `if` is 0. `interlock` (set
    by dfg-fuse): the value depends on a read of the same indexed address, and the
    register file keeps the order from one iteration to the next.

    ```mlir
    dfg.vrf.write %s, @acc vpe(%p) [%f] index(%row * 16 : i32) if %c : i1 : f32
    ```
  }];
  let arguments = !con((ins Dfg_Value:$value, FlatSymbolRefAttr:$array, Optional<I32>:$vpe,
                            OptionalAttr<I64Attr>:$vpe_offset), positionArgs,
                       (ins Optional<Dfg_Index>:$index, OptionalAttr<I64Attr>:$index_scale,
                            Optional<Dfg_Flag>:$predicate, UnitAttr:$interlock),
                       generatorAttrs, nodeAttrs);
  let assemblyFormat = [{
    $value `,` $array custom<Vpe>($vpe, $vpe_offset)
    ` ` `[` custom<Position>($terms, $offset, $scales, $arity) `]`
    (`index` `(` $index^ `*` $index_scale `:` type($index) `)`)?
    (`if` $predicate^ `:` type($predicate))? (`interlock` $interlock^)?
    attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
}

#endif // ACIS_DFG_OPS_TD
