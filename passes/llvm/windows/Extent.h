// Between which places reads of the input stream lie, where they have no footprint: data or the
// iterations of loops around say where they are. See docs/rationale/front-end.md, Windows.
#pragma once

namespace llvm {
class LoadInst;
class Loop;
class LoopInfo;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace acis {

/// Between which places a read lies in an iteration of a loop (null: of the handler) and in all
/// iterations of the loops in it, which may have counts that the iteration decides, as in
/// triangles, and go either way. Loops that may end early have all of their iterations. A position
/// that a loop moves on by data begins where the loop does. Null is a bound that is not known.
struct Extent {
  const llvm::SCEV *begin = nullptr, *end = nullptr;
  bool isAnywhere = false; ///< in an iteration of a loop, it begins where data says
};

Extent extentOf(const llvm::LoadInst &read, const llvm::Loop *loop, const llvm::LoopInfo &loops,
                llvm::ScalarEvolution &evolution);

} // namespace acis
