// Decides whether a loop can be a nest, and gathers what emitting it needs.
#pragma once

#include "passes/import/Import.h"
#include "passes/import/LoopShape.h"
#include "passes/import/Recurrence.h"
#include "passes/llvm/StreamAccess.h"
#include "passes/nest/Elements.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace acis::import {

/// A position in the unit of the dialect: bytes, for arrays elements.
struct PlannedAccess {
  const Access *access = nullptr;
  const Item *item = nullptr;
  unsigned loop = 0; ///< number of the innermost one around it
  Position position;
  int64_t unit = 1;       ///< bytes per unit of the dialect
  unsigned indexBits = 0; ///< of position.index, which has no others; 0: any
  /// Arrays that are per VPE: VPE = vpe + sum of vpeStep * iteration of vpeLoop.
  int64_t vpe = 0, vpeStep = 0;
  const llvm::Loop *vpeLoop = nullptr;
  /// A write to the output stream that follows what was sent before it, under its condition.
  bool append = false;
  /// Values of the address computation that may be parts of position.index.
  llvm::SmallDenseMap<const llvm::SCEV *, llvm::Value *, 4> known;

  ObjectKind kind() const { return access->object->kind; }
  int64_t bytes() const { return int64_t(access->type->getPrimitiveSizeInBits() / 8); }
};

/// The input stream in rows: what an iteration of the root reads, in whatever order.
struct StagedRows {
  nest::Window window; ///< of an iteration of the root
  uint64_t rows;       ///< that the copy holds at a time
  Diagnostic why;      ///< what is in the way without the copy
};

struct NestPlan {
  NestShape shape;
  std::vector<std::vector<Carried>> carried;                   ///< by loop
  std::vector<bool> overVpes;                                  ///< by loop
  std::vector<PlannedAccess> accesses;                         ///< by loop, in program order
  llvm::DenseMap<const llvm::Instruction *, unsigned> numbers; ///< of the accesses
  llvm::DenseSet<const llvm::Value *> needed;                  ///< values that the grid computes
  nest::LoopNest form; ///< loops and accesses by their numbers here, as all ways are judged by
  Way way = Way::Lanes;
  Refusal whyNotLanes; ///< of a scalar nest
  /// Of a scalar nest, by loop: values that leave it and that nothing carries (phi is null).
  std::vector<std::vector<Carried>> last;
  unsigned row = nest::None; ///< of a scalar nest: the loop in the root that is not unrolled
  /// Of a scalar nest: it can be one only if its input is copied into an array first (StageRows).
  std::optional<StagedRows> staged;
  uint64_t cycles = 1; ///< of a scalar nest: of an iteration of the root, at least

  /// Iterations run one after the other, each of one element; else they are lanes.
  bool isScalar() const { return way != Way::Lanes; }
  /// The access that an instruction is, or null.
  const PlannedAccess *find(const llvm::Instruction *inst) const;
  const Carried *findCarried(const llvm::Value *phi) const;
  /// The carried value whose next value this is, or null.
  const Carried *findNext(const llvm::Value *value, unsigned loop) const;
  /// Makes `value`, of a loop, leave it with its last iteration.
  void keepLast(llvm::Value *value, unsigned loop);
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

/// Fills in plan.accesses and plan.numbers.
Verdict planAccesses(NestPlan &plan, StreamAccess &accesses, const FunctionAnalyses &analyses);

/// Fills in plan.form, of a plan of which all else but the way is known.
void describe(NestPlan &plan, llvm::ScalarEvolution &evolution);

/// The obstacle at the place of the source that it is about.
Diagnostic diagnose(const NestPlan &plan, const nest::Obstacle &obstacle);

/// Chooses the first way of elements that is not closed and that the nest fits: sets plan.way,
/// plan.row, plan.staged and plan.cycles.
Verdict chooseElements(NestPlan &plan, llvm::ScalarEvolution &evolution,
                       const ImportOptions &options, const ClosedWays &closed);

/// Of a scalar nest that would take more launch arguments: lets accesses of arrays share what they
/// start at, as an index.
void indexStarts(NestPlan &plan, llvm::ScalarEvolution &evolution, unsigned arguments);

/// The start of a position in units: offset + multiple * rest, where rest is null if there is none.
struct Start {
  int64_t offset = 0, multiple = 1;
  const llvm::SCEV *rest = nullptr;
};
Start startOf(const PlannedAccess &planned, llvm::ScalarEvolution &evolution);

} // namespace acis::import
