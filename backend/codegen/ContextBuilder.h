// Builds the words of one context from a mapped graph: what each node does in its slot,
// what the routes do in theirs. Private to SelectContext.cpp (units, order of work),
// SelectOperands.cpp (constants, routes) and SelectAccess.cpp (ports).
#pragma once

#include "backend/codegen/SelectInternal.h"

#include "passes/mapper/Problem.h"

namespace acis::codegen {

class ContextBuilder {
public:
  ContextBuilder(dfg::GraphOp graph, const ArrayPlaces &arrays, const Overlay &overlay,
                 ScalarBuilder &scalars, unsigned number, isa::LoopContext &loop, MNest &nest,
                 std::vector<ElementLine> &lines)
      : graph(graph), arrays(arrays), overlay(overlay), scalars(scalars), loop(loop), nest(nest),
        lines(lines), args(nest.launch.args), number(number), ii(loop.ii) {}

  llvm::Error run();

private:
  // Places
  llvm::Expected<dfg::PlaceAttr> placeOf(mlir::Operation *op) const;
  isa::Slot &slotOf(dfg::PlaceAttr place) {
    return loop.pes[place.getPe()].slots[place.getTime() % ii];
  }
  uint8_t stageOf(dfg::PlaceAttr place) const { return place.getTime() / ii; }
  void noteLine(mlir::Operation *op, dfg::PlaceAttr place);

  // Nodes
  llvm::Error node(mlir::Operation &op);
  llvm::Error compute(dfg::ComputeOp op, dfg::PlaceAttr place);
  llvm::Error reduce(dfg::ReduceOp op, dfg::PlaceAttr place);
  llvm::Error streamRead(dfg::StreamReadOp op, dfg::PlaceAttr place);
  llvm::Error streamWrite(dfg::StreamWriteOp op, dfg::PlaceAttr place);
  llvm::Error memRead(dfg::MemReadOp op, dfg::PlaceAttr place);
  llvm::Error memWrite(dfg::MemWriteOp op, dfg::PlaceAttr place);
  llvm::Error vrfRead(dfg::VrfReadOp op, dfg::PlaceAttr place);
  llvm::Error vrfWrite(dfg::VrfWriteOp op, dfg::PlaceAttr place);
  llvm::Error unitOperands(mlir::Operation *op, mlir::OperandRange inputs,
                           llvm::ArrayRef<int32_t> distances, dfg::PlaceAttr place);
  llvm::Error memoryPort(mlir::Operation *op, const dfg::Position &position,
                         isa::ElementFormat format, isa::MemAddress &port);
  struct StreamUse {
    mlir::Operation *op;
    dfg::Position position;
    unsigned time;
  };
  llvm::Error finishStream(std::vector<StreamUse> &uses, isa::StreamPort &port);
  bool isGuardedPair(dfg::VrfWriteOp write);
  template <typename OpTy>
  llvm::Expected<uint8_t> generator(OpTy op, bool guarded, isa::PeContext &pe);

  // Operands
  llvm::Expected<isa::Operand> operand(mlir::OpOperand &use, dfg::PlaceAttr place,
                                       unsigned distance);
  llvm::Expected<isa::Operand> immediate(mlir::OpOperand &use, mlir::Value constant,
                                         dfg::PlaceAttr place);
  llvm::Expected<unsigned> argument(mlir::OpOperand &use, isa::Slot &slot, unsigned node);
  llvm::Expected<isa::Source> setImmediate(mlir::Operation *op, isa::Slot &slot, uint64_t value,
                                           unsigned arg);
  llvm::Expected<isa::Operand> follow(mlir::OpOperand &use, mlir::Operation *producer,
                                      dfg::PlaceAttr place, unsigned distance);
  unsigned leadOf(mlir::OpOperand &use) const;
  llvm::Error step(mlir::Operation *op, const map::Step &from, const map::Step &to,
                   isa::Source source);
  static isa::Source busSource(mlir::Operation *producer);

  dfg::GraphOp graph;
  const ArrayPlaces &arrays;
  const Overlay &overlay;
  ScalarBuilder &scalars;
  isa::LoopContext &loop;
  MNest &nest;
  std::vector<ElementLine> &lines;
  ArgTable args;
  unsigned number, ii;
  std::vector<StreamUse> pops, pushes;
  /// Constants of each slot, by pe * ii + slot: bit k, imm k is taken.
  std::vector<uint8_t> immTaken;
};

} // namespace acis::codegen
