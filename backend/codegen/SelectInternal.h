// Parts of selection that its files share. Private to Select*.cpp.
#pragma once

#include "backend/codegen/MProgram.h"
#include "backend/codegen/SourceError.h"
#include "backend/overlay/Overlay.h"
#include "passes/dfg/DfgDialect.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace acis::codegen {

/// Error at an operation's source line; a fault is one that the passes in front should have
/// excluded.
llvm::Error failAt(mlir::Operation *op, Refusal refusal);
llvm::Error faultAt(mlir::Operation *op, const llvm::Twine &what);
/// File and line of a location; the innermost place of an inlined one. False without.
bool sourceLine(mlir::Location loc, std::string &file, unsigned &line, unsigned &column);

/// Where an array lives.
struct ArrayPlace {
  unsigned vreg = 0;  ///< first register
  unsigned beats = 0; ///< in one PE
  unsigned vf = 16;   ///< elements of a beat
  bool perVpe = false;
  unsigned pe = 0;
  int64_t elements = 0; ///< in one PE
};
using ArrayPlaces = llvm::StringMap<ArrayPlace>;

isa::Type typeOf(mlir::Type type); ///< of the scalar or the elements; i1 is I8
uint64_t bitsOfConstant(mlir::Attribute value);

/// Values around the graph as integer operations of the scalar unit.
class ScalarBuilder {
public:
  explicit ScalarBuilder(ScalarCode &code) : code(code) {}

  /// Nest arguments, constants, integer nodes outside of the graph, and its results.
  llvm::Expected<unsigned> node(mlir::Value value);

  ScalarCode &code;

private:
  llvm::Expected<unsigned> compute(dfg::ComputeOp op);

  llvm::DenseMap<mlir::Value, unsigned> known;
};

/// A position split by what it depends on, in its own unit:
/// offset + base + stride0 * i0 + stride1 * i1 + vpe * vpeStride.
struct SplitPosition {
  int64_t offset = 0, stride0 = 0, stride1 = 0;
  std::optional<unsigned> base; ///< scalar node, divided by `unit`
  unsigned vpeStride = 0;       ///< scalar node
};
/// Fails if a part is not a multiple of `unit` (elements of a beat for arrays).
llvm::Expected<SplitPosition> splitPosition(dfg::GraphOp graph, mlir::Operation *access,
                                            const dfg::Position &position, unsigned unit,
                                            ScalarBuilder &scalars);

/// Iterations and tail of acis.launch.
llvm::Error buildTrip(dfg::GraphOp graph, ScalarBuilder &scalars, LaunchInfo &launch);

/// Vector instructions for a graph that is one transfer, or nothing. A graph rolled up
/// over VPEs that no vector instruction fits gets a context by buildTransfer().
llvm::Expected<std::optional<VectorSequence>> matchVector(dfg::GraphOp graph,
                                                          const ArrayPlaces &arrays,
                                                          const Overlay &overlay,
                                                          ScalarBuilder &scalars);

/// The context of a mapped graph.
llvm::Error buildContext(dfg::GraphOp graph, const ArrayPlaces &arrays, const Overlay &overlay,
                         ScalarBuilder &scalars, unsigned contextNumber, isa::LoopContext &loop,
                         MNest &nest, std::vector<ElementLine> &lines);
/// The context of a graph that is rolled up over VPEs: memory to a per-VPE array.
llvm::Error buildTransfer(dfg::GraphOp graph, const ArrayPlaces &arrays, const Overlay &overlay,
                          ScalarBuilder &scalars, isa::LoopContext &loop, MNest &nest);

/// Register masks and the number of stages, from what the slots say.
void finishContext(isa::LoopContext &loop, const Overlay &overlay);

/// What the register files hold of the array at load, if that is not zeros.
void addTables(dfg::ArrayOp array, const ArrayPlace &place, unsigned handler,
               const Overlay &overlay, std::vector<MTable> &tables);

/// Launch arguments, each once.
class ArgTable {
public:
  explicit ArgTable(std::vector<Word> &words) : words(words) {}
  unsigned word(Word word);
  /// Two consecutive arguments.
  unsigned wide(unsigned node);

private:
  std::vector<Word> &words;
};

/// VRF generator for a position in beats within an array.
struct VrfAccess {
  SplitPosition position;
  bool indexed = false;
  std::optional<unsigned> lane, shift, bits, zeroLimit;
  bool guarded = false;
  bool scalar = false; ///< the position counts elements
};
isa::VrfAddress vrfAddress(const VrfAccess &access, const ArrayPlace &array, const Overlay &overlay,
                           ScalarCode &code, ArgTable &args);

/// Positions in memory are addresses: the pointer is one of the terms.
unsigned memoryArg(const SplitPosition &position, ScalarCode &code, ArgTable &args);
isa::ElementFormat formatOf(mlir::Type value, std::optional<mlir::Type> narrow, bool isSigned,
                            bool splat);

} // namespace acis::codegen
