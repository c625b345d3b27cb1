// Decides whether a loop can be a nest, and gathers what emitting it needs.
#pragma once

#include "passes/import/Import.h"
#include "passes/import/LoopShape.h"
#include "passes/import/Recurrence.h"
#include "passes/llvm/StreamAccess.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace acis::import {

/// A position in the unit of the dialect: bytes, for arrays elements.
struct PlannedAccess {
  const Access *access = nullptr;
  Position position;
  int64_t unit = 1; ///< bytes per unit of the dialect
  /// Arrays that are per VPE: VPE = vpe + sum of vpeStep * iteration of vpeLoop.
  int64_t vpe = 0, vpeStep = 0;
  const llvm::Loop *vpeLoop = nullptr;
  /// A write to the output stream that follows what was sent before it, under its condition.
  bool append = false;
  /// Values of the address computation that may be parts of position.index.
  llvm::SmallDenseMap<const llvm::SCEV *, llvm::Value *, 4> known;
};

/// The input stream in rows: what an iteration of the root reads, in whatever order.
struct StagedRows {
  struct Read {
    const Access *access;
    int64_t offset; ///< bytes from the beginning of the row, in the first iterations
    llvm::SmallVector<Position::Step, 4> steps;
  };
  std::vector<Read> reads;
  Diagnostic why;    ///< what is in the way without the copy
  int64_t step = 0;  ///< bytes from one row to the next
  int64_t bytes = 0; ///< of a row; more than `step` only if the nest has few rows
};

struct NestPlan {
  NestShape shape;
  std::vector<std::vector<Carried>> carried; ///< by loop
  std::vector<bool> overVpes;                ///< by loop
  llvm::DenseMap<const llvm::Instruction *, PlannedAccess> accesses;
  llvm::DenseSet<const llvm::Value *> needed; ///< values that the grid computes
  unsigned laneBits = 32;
  Way way = Way::Lanes;
  Refusal whyNotLanes; ///< of a scalar nest
  /// Of a scalar nest, by loop: values that leave it and that nothing carries (phi is null).
  std::vector<std::vector<Carried>> last;
  /// Of a scalar nest: the loop in the root that is not unrolled.
  std::optional<unsigned> row;
  /// Of a scalar nest: it can be one only if its input is copied into an array first (StageRows).
  std::optional<StagedRows> staged;
  uint64_t cycles = 1; ///< of a scalar nest: of an iteration of the root, at least

  /// Iterations run one after the other, each of one element; else they are lanes.
  bool isScalar() const { return way != Way::Lanes; }
  /// The loop whose iterations become lanes: what loops it holds are over VPEs.
  bool isLaneLoop(unsigned loop) const;
  const Carried *findCarried(const llvm::Value *phi) const;
  /// The carried value whose next value this is, or null.
  const Carried *findNext(const llvm::Value *value, unsigned loop) const;
};

/// The plan of the nest with outermost loop `root`, or why it cannot be one.
Result<NestPlan, Diagnostic> planLanes(llvm::Loop &root, StreamAccess &accesses,
                                       const FunctionAnalyses &analyses,
                                       const ImportOptions &options);
/// The same with one element per iteration, in the first way that is not closed and that it fits.
Result<NestPlan, Diagnostic> planElements(llvm::Loop &root, StreamAccess &accesses,
                                          const FunctionAnalyses &analyses,
                                          const ImportOptions &options, const ClosedWays &closed);

/// What a part of planning says of a nest.
using Verdict = StatusOf<Diagnostic>;

/// `expression` / `divisor` if that is exact for every value, else null.
const llvm::SCEV *divideExactly(const llvm::SCEV *expression, int64_t divisor,
                                llvm::ScalarEvolution &evolution);

} // namespace acis::import
