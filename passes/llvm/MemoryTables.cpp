// Reads of memory at places that data chooses, of a part that is small: from a copy in the register
// file.
#include "passes/llvm/Transforms.h"

#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {
namespace {

/// A place as what a loop does not change and what it does: bytes, unsigned.
struct Place {
  const SCEV *fixed = nullptr, *chosen = nullptr;
};

/// What reads of one type share: from which byte behind `fixed` on, and to which.
struct Table {
  uint64_t first = UINT64_MAX, behind = 0;
  SmallVector<std::pair<LoadInst *, Place>, 2> reads;
};

/// The address generators go through places that are sums of constant steps of loops.
bool hasSteps(const SCEV *place, ScalarEvolution &evolution, const Loop &around) {
  if (evolution.isLoopInvariant(place, &around))
    return true;
  if (auto *moving = dyn_cast<SCEVAddRecExpr>(place))
    return moving->isAffine() && isa<SCEVConstant>(moving->getOperand(1)) &&
           hasSteps(moving->getStart(), evolution, around);
  auto *sum = dyn_cast<SCEVAddExpr>(place);
  return sum && all_of(sum->operands(),
                       [&](const SCEV *part) { return hasSteps(part, evolution, around); });
}

bool writesMemory(const Loop &loop) {
  return any_of(loop.blocks(), [](BasicBlock *block) {
    return any_of(*block, [](Instruction &inst) {
      auto *store = dyn_cast<StoreInst>(&inst);
      return inst.mayWriteToMemory() && (!store || isMemoryPointer(store->getPointerOperand()));
    });
  });
}

Place placeIn(LoadInst &read, const Loop &loop, ScalarEvolution &evolution) {
  const SCEV *all = evolution.removePointerBase(evolution.getSCEV(read.getPointerOperand()));
  SmallVector<const SCEV *, 4> fixed, chosen;
  auto *sum = dyn_cast<SCEVAddExpr>(all);
  for (const SCEV *part : sum ? sum->operands() : ArrayRef(all))
    (evolution.isLoopInvariant(part, &loop) ? fixed : chosen).push_back(part);
  const SCEV *none = evolution.getZero(all->getType());
  return {fixed.empty() ? none : evolution.getAddExpr(fixed),
          chosen.empty() ? none : evolution.getAddExpr(chosen)};
}

/// What `chosen` may be. ScalarEvolution says nothing of a remainder, whose index has a range
/// itself.
ConstantRange rangeOf(const LoadInst &read, const Place &place, ScalarEvolution &evolution) {
  const ConstantRange range = evolution.getUnsignedRange(place.chosen);
  const DataLayout &data = read.getDataLayout();
  const unsigned bits = range.getBitWidth();
  SmallMapVector<Value *, APInt, 4> indices;
  APInt offset(bits, 0);
  auto *step = dyn_cast<GEPOperator>(read.getPointerOperand());
  if (!place.fixed->isZero() || !step || !isa<Argument>(step->getPointerOperand()) ||
      !step->collectOffset(data, bits, indices, offset) || indices.size() != 1 || offset != 0)
    return range;
  const auto &[index, stride] = indices.front();
  if (!index->getType()->isIntegerTy(bits))
    return range;
  bool wraps = false;
  const ConstantRange own = computeConstantRange(index, /*ForSigned=*/false);
  const APInt last = own.getUnsignedMax().umul_ov(stride, wraps);
  return wraps ? range
               : range.intersectWith(ConstantRange::getNonEmpty(APInt::getZero(bits), last + 1));
}

class Loops {
public:
  Loops(Function &handler, FunctionAnalysisManager &analyses, uint64_t most)
      : handler(handler), evolution(analyses.getResult<ScalarEvolutionAnalysis>(handler)),
        most(most) {}

  /// Of the outermost loops in which nothing is written to memory.
  bool run(Loop &loop) {
    if (!loop.getLoopPreheader() || writesMemory(loop)) {
      bool changed = false;
      for (Loop *inner : loop)
        changed |= run(*inner);
      return changed;
    }
    bool changed = false;
    for (auto &[key, table] : tablesOf(loop))
      if (table.behind - table.first <= most) {
        copy(loop, *key.first, *key.second, table);
        changed = true;
      }
    return changed;
  }

private:
  using Tables = MapVector<std::pair<const SCEV *, Type *>, Table>;

  Tables tablesOf(const Loop &loop) {
    Tables tables;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &inst : *block) {
        auto *read = dyn_cast<LoadInst>(&inst);
        if (!read || read->isVolatile() || !isMemoryPointer(read->getPointerOperand()))
          continue;
        const Place place = placeIn(*read, loop, evolution);
        const SCEV *all = evolution.getAddExpr(place.fixed, place.chosen);
        if (hasSteps(all, evolution, loop) ||
            !all_of(ArrayRef{place.fixed, place.chosen}, [&](const SCEV *part) {
              return SCEVExpander(evolution, "").isSafeToExpand(part);
            }))
          continue;
        const uint64_t size = handler.getDataLayout().getTypeStoreSize(read->getType());
        if (std::min(evolution.getMinTrailingZeros(place.fixed),
                     evolution.getMinTrailingZeros(place.chosen)) < Log2_64_Ceil(size))
          continue; // parts of elements
        const ConstantRange range = rangeOf(*read, place, evolution);
        Table &table = tables[{place.fixed, read->getType()}];
        table.first = std::min(table.first, range.getUnsignedMin().getZExtValue() / size * size);
        table.behind = std::max(table.behind, range.getUnsignedMax().getZExtValue() + size);
        table.reads.push_back({read, place});
      }
    return tables;
  }

  void copy(Loop &loop, const SCEV &fixed, Type &type, const Table &table) {
    const uint64_t size = handler.getDataLayout().getTypeStoreSize(&type);
    const uint64_t count = (table.behind - table.first) / size;
    IRBuilder<> entry(&handler.getEntryBlock(), handler.getEntryBlock().begin());
    AllocaInst *array = entry.CreateAlloca(ArrayType::get(&type, count), nullptr, "table");
    Instruction *before = loop.getLoopPreheader()->getTerminator();
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(table.reads.front().first->getDebugLoc());
    SCEVExpander expander(evolution, "table");
    Value *from = builder.CreatePtrAdd(handler.getArg(MemParameter),
                                       expander.expandCodeFor(&fixed, fixed.getType(), before));
    from = builder.CreatePtrAdd(from, builder.getInt32(uint32_t(table.first)));
    builder.CreateMemCpy(array, Align(size), from, Align(size), count * size);
    for (auto [read, place] : table.reads) {
      builder.SetInsertPoint(read);
      Value *byte = expander.expandCodeFor(place.chosen, place.chosen->getType(), read);
      Value *element =
          builder.CreateUDiv(builder.CreateSub(byte, builder.getInt32(uint32_t(table.first))),
                             builder.getInt32(uint32_t(size)));
      read->setOperand(0, builder.CreateInBoundsGEP(&type, array, element));
    }
  }

  Function &handler;
  ScalarEvolution &evolution;
  uint64_t most;
};

} // namespace

bool copyMemoryTables(Function &handler, FunctionAnalysisManager &analyses, uint64_t most) {
  bool changed = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(handler))
    changed |= Loops(handler, analyses, most).run(*loop);
  return changed;
}

} // namespace acis
