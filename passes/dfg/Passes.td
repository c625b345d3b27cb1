// The passes of the dfg dialect, in the order in which buildDfgPipeline runs them.
#ifndef ACIS_DFG_PASSES_TD
#define ACIS_DFG_PASSES_TD

include "mlir/Pass/PassBase.td"

class Dfg_Pass<string name> : Pass<name, "::acis::dfg::HandlerOp"> {
  let dependentDialects = ["::acis::dfg::DfgDialect"];
}

class Dfg_OverlayPass<string name> : Dfg_Pass<name> {
  let options = [Option<"overlayFile", "overlay", "std::string", "\"\"",
                        "the overlay's JSON description">];
}

def SimplifyPass : Dfg_Pass<"dfg-simplify"> {
  let summary = "Replace costly operations by cheap ones";
  let description = [{
    Multiplications, unsigned divisions and remainders by a power of two become shifts
    and masks, so that no node needs the divide unit for an index calculation. Counts the
    nodes and edges of each nest before any change, for the report.
  }];
}

def ShareArraysPass : Pass<"dfg-share-arrays", "::mlir::ModuleOp"> {
  let summary = "Give static arrays of several handlers one place";
  let description = [{
    A `static` array that several handlers use is one array in each, of the same name.
    They get the same home PE and the same container width; code generation gives them
    the same registers.
  }];
  let dependentDialects = ["::acis::dfg::DfgDialect"];
  let options = [Option<"overlayFile", "overlay", "std::string", "\"\"",
                        "the overlay's JSON description">];
}

def ReplicatePass : Dfg_OverlayPass<"dfg-replicate"> {
  let summary = "Make one copy of a loop's body for each VPE";
  let description = [{
    A loop whose index is the VPE of a per-VPE array is unrolled inside the loops that it
    contains; what does not depend on the VPE stays one node. A loop that only copies a
    per-VPE array from or to memory or to the stream is kept, marked `rolled`, for vector
    instructions. Chooses the home PE and the container width of the arrays. Fails when the
    loop has more iterations than the overlay has PEs with a register file.
  }];
}

def LanesPass : Dfg_OverlayPass<"dfg-lanes"> {
  let summary = "Turn the innermost loop into lanes and the others into the sequencer";
  let description = [{
    Requires: dfg-replicate. Ensures: each nest is one flat `dfg.graph` whose accesses are
    whole beats. A carried value is a reduction (one associative operation updates it and nothing
    else reads it; several updates in one iteration are combined first) or the value of the
    iteration before. Where an access is not contiguous, a loop does not fit lanes or sequencer, a
    floating-point sum must stay in source order or a value needs a lane to its left, the graph is
    `scalar`: one element per iteration, with small inner loops unrolled. Fails at the same place
    if that is not possible either, or with `lanes-only`.
  }];
  let options = [Option<"overlayFile", "overlay", "std::string", "\"\"",
                        "the overlay's JSON description">,
                 Option<"lanesOnly", "lanes-only", "bool", "false",
                        "refuse what cannot run in lanes">];
}

def RebalancePass : Dfg_OverlayPass<"dfg-rebalance"> {
  let summary = "Regroup associative operations so that recurrences hold few of them";
  let description = [{
    Chains of one integer operation, of additions and subtractions, and of floating-point
    additions that are marked `reassoc` become trees: what is ready first is combined first,
    and a value that comes round from an earlier iteration last. Tests of the last bit lose
    their mask, choices by a comparison with 0 the comparison, and a choice between two
    operations that differ in one operand becomes one operation of a choice, outside of
    recurrences. A carried value whose bits are sums (exclusive or) of bits, as in a CRC or a
    shift register, is computed from them at once where this lowers the bound of the
    interval, with more operations if need be. Works on graphs.
  }];
}

def FusePass : Dfg_Pass<"dfg-fuse"> {
  let summary = "Fuse nodes: multiply-add, index fields, guards, narrow elements";
  let description = [{
    fmul and fadd become fmac (rounded twice, as written); `(w >> s) & m` of an index and
    `idx < K ? x[idx] : 0` move into the address generator; a read-modify-write of one
    indexed address is marked `interlock`; extensions and truncations move into ports.
  }];
}

def SpreadArraysPass : Dfg_OverlayPass<"dfg-spread-arrays"> {
  let summary = "Choose the homes of arrays by their accesses, and copy what is read often";
  let description = [{
    An array that a graph reads more often than the ports of one PE allow, at the interval that
    the graph could have otherwise, gets copies on other PEs: writes go to all of them, reads
    are shared out; what an array holds at load is in all copies. Other homes are tried, each
    with a brief search by the mapper: along a way through the grid, with a PE for each read, far
    from each other, together where a recurrence leads through several arrays, and those that a
    smaller grid would give. The first ones to be mapped, at
    intervals that grow from those that the graphs could have with arrays everywhere, are taken;
    a graph then has its interval as `found`, for `dfg-map`. Arrays of several handlers
    (`shared`) and per-VPE arrays stay, arrays with interlocked writes are not copied, and copies
    take at most half of a register file.
  }];
}

def MapPass : Dfg_OverlayPass<"dfg-map"> {
  let summary = "Place and route each graph on the overlay";
  let description = [{
    Builds the mapping problem, searches the smallest initiation interval, verifies the
    mapping and writes it as attributes, with the bounds; `lower_bound`, if it is there, is
    proven and larger than these. Fails at the source line of the node that did
    not fit. Graphs with `vpes` become vector instructions and are left alone.
  }];
  let options = [Option<"overlayFile", "overlay", "std::string", "\"\"",
                        "the overlay's JSON description">,
                 Option<"minIi", "min-ii", "unsigned", "1", "smallest interval to try">,
                 Option<"persistent", "persistent", "bool", "false",
                        "above its bounds, try many times at smaller intervals">,
                 Option<"exact", "exact", "bool", "false",
                        "above its bounds, ask a SAT solver for a smaller interval or a proof">,
                 Option<"timeout", "timeout", "double", "10", "seconds of the solver per graph">,
                 Option<"seed", "seed", "unsigned", "0", "seed of the search">,
                 Option<"threads", "threads", "unsigned", "1",
                        "threads of the search; the result is the same">];
}

#endif // ACIS_DFG_PASSES_TD
