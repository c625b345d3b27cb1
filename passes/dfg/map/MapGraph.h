// From a flat dfg.graph to the mapper and back.
#pragma once

#include "passes/dfg/DfgDialect.h"
#include "passes/dfg/Passes.h"
#include "passes/dfg/Refuse.h"
#include "passes/mapper/Problem.h"

namespace acis::dfg {

/// A graph as a mapping problem. Node n of the problem is nodes[n]; edge e that
/// carries a value is SSA operand `operands[e]` of its consumer.
struct GraphProblem {
  map::Problem problem;
  llvm::SmallVector<mlir::Operation *> nodes;
  llvm::SmallVector<unsigned> operands;
};
GraphProblem toProblem(GraphOp graph, const Overlay &overlay);

/// Cycles until the value of an operation or of a read is there; 0 for other nodes.
long cyclesOf(mlir::Operation *op, const Overlay &overlay);

/// SSA operands of a node that may be wires; in a graph the others make up positions.
llvm::SmallVector<unsigned, 3> wireOperands(mlir::Operation *op);

/// Before mapping: what is carried or leaves the loop comes from a node of its own, and
/// carries in a row have one initial value.
void prepareCarries(GraphOp graph);

/// A context word holds two constants. limitConstants() gives nodes that alone need more
/// a `mov` for each of the rest; relieveSlot() does it for one constant of a port that is
/// mapped to a crowded slot: the graph has to be mapped again if it returns true.
void limitConstants(GraphOp graph);
bool relieveSlot(GraphOp graph, const GraphProblem &graphProblem, const map::Mapping &mapping);

/// Puts `mov` nodes where a value is wanted later, at this interval, than a delay line and the
/// registers on its way hold it; addDependences() comes before. Returns them in order.
llvm::SmallVector<mlir::Operation *> addRelays(GraphOp graph, const GraphProblem &graphProblem,
                                               const Overlay &overlay, unsigned interval);
void removeRelays(llvm::ArrayRef<mlir::Operation *> relays);

/// Gives every use of a read of memory a read of its own, as far as there are ports; of graphs
/// that do not write memory.
struct ReadCopy {
  mlir::Operation *read, *copy;
};
llvm::SmallVector<ReadCopy> copyReads(GraphOp graph, const Overlay &overlay);
void removeCopies(llvm::ArrayRef<ReadCopy> copies);

/// Adds the order edges between accesses of the same stream, array and memory:
/// exact distances for affine positions, distance 1 where nothing better is known.
/// Refuses what no schedule keeps in order: memory that is read ahead while an earlier iteration
/// still writes it, or that two stores write.
StatusOf<Refused> addDependences(GraphOp graph, const Overlay &overlay, GraphProblem &graphProblem);

/// A graph and what the search found for it.
struct SearchedGraph {
  GraphProblem graphProblem;
  map::Bounds bounds;
  std::optional<map::Mapping> mapping;
  std::optional<Refused> refused; ///< without a mapping: why
};

/// Searches the smallest interval, with nodes for values that wait and more reads of memory where
/// these help: the graph has them then. Bounds are those of the graph as it was.
SearchedGraph searchGraph(GraphOp graph, const Overlay &overlay, const map::Options &options);

/// Maps the graph and writes place, routes, ii and the bounds on it. Fails with a
/// diagnostic at the graph that gives the mapper's reason. A graph over `vpes` is
/// left alone, it becomes a vector load.
mlir::LogicalResult mapGraph(GraphOp graph, const Overlay &overlay, const MapSettings &settings);

} // namespace acis::dfg
