// rows: for (r = 0; r < n; r++) { .. in[4 * r + 3] .. in[4 * r] .. } becomes
// part: for (first = 0; first < n; first += rows) {
//         rows = min(n - first, capacity);
// copy:   for (k = 0; k < 4 * rows; k++) array[k] = in[4 * first + k];
// rows:   for (r = 0; r < rows; r++) { .. array[4 * r + 3] .. array[4 * r] .. }
//       }
#include "passes/import/StageRows.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis::import {
namespace {

class Stager {
public:
  Stager(const NestPlan &plan, const FunctionAnalyses &analyses)
      : plan(plan), window(plan.staged->window), capacity(plan.staged->rows),
        shape(plan.shape.root()), root(*shape.loop), evolution(analyses.evolution),
        expander(evolution, "rows"), context(root.getHeader()->getContext()), builder(context) {}

  void run();

private:
  bool allFit() const { return shape.constantTrip && *shape.constantTrip <= capacity; }
  uint64_t elementsOf(uint64_t number) const;
  Value *expandOffset(unsigned read);
  void expandValues();
  void openPart();
  void copyRows();
  void readArray();
  void closePart();
  Value *word(uint64_t value) { return builder.getInt32(uint32_t(value)); }

  const NestPlan &plan;
  const nest::Window &window; ///< of a row
  const uint64_t capacity;    ///< rows that the array holds
  const LoopShape &shape;
  Loop &root;
  ScalarEvolution &evolution;
  SCEVExpander expander;
  LLVMContext &context;
  IRBuilder<> builder;

  Type *element = nullptr;
  AllocaInst *array = nullptr;
  Value *stream = nullptr;                                ///< where the first row begins
  SmallVector<std::pair<LoadInst *, Value *>, 8> reads;   ///< and their places in their rows
  Value *total = nullptr;                                 ///< rows
  BasicBlock *before = nullptr;                           ///< block that leads to the copy
  PHINode *first = nullptr;                               ///< row of this part
  Value *inPart = nullptr;                                ///< rows of this part
  SmallVector<std::pair<PHINode *, PHINode *>, 4> starts; ///< header phi, its start in a part
  PHINode *row = nullptr;
};

/// Elements up to the end of the last of `number` rows.
uint64_t Stager::elementsOf(uint64_t number) const {
  return ((number - 1) * uint64_t(window.rootStep) + uint64_t(window.size())) /
         uint64_t(window.element);
}

/// Bytes from the beginning of the row, by the loops in the root.
Value *Stager::expandOffset(unsigned read) {
  Type *word = Type::getInt32Ty(context);
  const SCEV *position =
      evolution.getConstant(word, uint64_t(plan.form.accesses[read].offset - window.least));
  for (const Position::Step &step : plan.accesses[read].position.steps)
    if (step.loop != &root)
      position =
          evolution.getAddRecExpr(position, evolution.getTruncateOrSignExtend(step.bytes, word),
                                  step.loop, SCEV::FlagAnyWrap);
  return expander.expandCodeFor(position, word, plan.accesses[read].item->inst->getIterator());
}

/// What the new code needs, while the analyses still fit the function, and the array.
void Stager::expandValues() {
  const Access &access = *plan.accesses[window.first].access;
  element = access.type;
  const SCEV *pointer = evolution.getSCEV(access.pointer);
  // Loops around the nest move all of its rows.
  while (auto *moving = dyn_cast<SCEVAddRecExpr>(pointer)) {
    if (!root.contains(moving->getLoop()))
      break;
    pointer = moving->getStart();
  }
  const SCEV *offset = evolution.getConstant(
      Type::getInt32Ty(context), uint64_t(window.least - plan.form.accesses[window.first].offset),
      /*isSigned=*/true);
  auto at = root.getLoopPreheader()->getTerminator()->getIterator();
  stream = expander.expandCodeFor(evolution.getAddExpr(pointer, offset), nullptr, at);
  for (unsigned number = 0; number < plan.accesses.size(); ++number)
    if (plan.accesses[number].kind() == ObjectKind::In)
      reads.push_back({cast<LoadInst>(plan.accesses[number].item->inst), expandOffset(number)});
  builder.SetInsertPoint(&*root.getHeader()->getParent()->getEntryBlock().getFirstInsertionPt());
  array = builder.CreateAlloca(ArrayType::get(element, elementsOf(capacity)), nullptr,
                               access.object->name + ".rows");
  if (!allFit())
    total = expander.expandCodeFor(shape.trip, Type::getInt32Ty(context), at);
}

/// The header of the loop over parts.
void Stager::openPart() {
  before = root.getLoopPreheader();
  if (allFit()) {
    inPart = word(*shape.constantTrip);
    return;
  }
  BasicBlock *entry = before;
  before = SplitBlock(entry, entry->getTerminator());
  before->setName("part");
  builder.SetInsertPoint(before, before->begin());
  first = builder.CreatePHI(builder.getInt32Ty(), 2, "first");
  first->addIncoming(word(0), entry);
  for (PHINode &phi : root.getHeader()->phis()) {
    PHINode *start = builder.CreatePHI(phi.getType(), 2, phi.getName() + ".start");
    start->addIncoming(phi.getIncomingValueForBlock(before), entry);
    phi.setIncomingValueForBlock(before, start);
    starts.push_back({&phi, start});
  }
  builder.SetInsertPoint(before->getTerminator());
  inPart = builder.CreateBinaryIntrinsic(Intrinsic::umin, builder.CreateSub(total, first),
                                         word(capacity));
}

void Stager::copyRows() {
  BasicBlock *after = SplitBlock(before, before->getTerminator());
  after->setName("rows");
  BasicBlock *copy = BasicBlock::Create(context, "copy", before->getParent(), after);
  cast<BranchInst>(before->getTerminator())->setSuccessor(0, copy);
  builder.SetInsertPoint(before->getTerminator());
  Value *from = stream;
  if (first)
    from = builder.CreateGEP(builder.getInt8Ty(), stream,
                             builder.CreateMul(first, word(uint64_t(window.rootStep))));
  Value *others = builder.CreateSub(inPart, word(1));
  Value *count =
      builder.CreateAdd(builder.CreateMul(others, word(uint64_t(window.rootStep / window.element))),
                        word(elementsOf(1)));
  builder.SetInsertPoint(copy);
  PHINode *number = builder.CreatePHI(builder.getInt32Ty(), 2, "element");
  number->addIncoming(word(0), before);
  Value *value = builder.CreateLoad(element, builder.CreateInBoundsGEP(element, from, number));
  builder.CreateStore(value, builder.CreateInBoundsGEP(element, array, number));
  Value *next = builder.CreateAdd(number, word(1), "", /*HasNUW=*/true);
  number->addIncoming(next, copy);
  builder.CreateCondBr(builder.CreateICmpEQ(next, count), after, copy);
  before = after;
}

/// The nest's reads, at the same place of the same row.
void Stager::readArray() {
  BasicBlock *header = root.getHeader();
  builder.SetInsertPoint(header, header->begin());
  row = builder.CreatePHI(builder.getInt32Ty(), 2, "row");
  row->addIncoming(word(0), before);
  for (auto [load, offset] : reads) {
    builder.SetInsertPoint(load);
    Value *start = builder.CreateMul(row, word(uint64_t(window.rootStep)));
    Value *place = builder.CreateGEP(builder.getInt8Ty(), array, builder.CreateAdd(start, offset));
    load->setOperand(LoadInst::getPointerOperandIndex(), place);
  }
  builder.SetInsertPoint(root.getLoopLatch()->getTerminator());
  row->addIncoming(builder.CreateAdd(row, word(1), "", /*HasNUW=*/true), root.getLoopLatch());
}

/// The nest ends with its part; the loop over parts with the last row.
void Stager::closePart() {
  if (allFit())
    return;
  BasicBlock *latch = root.getLoopLatch(), *exit = root.getUniqueExitBlock();
  BasicBlock *end = BasicBlock::Create(context, "part.end", exit->getParent(), exit);
  builder.SetInsertPoint(end);
  auto atEnd = [&](Value *value) {
    PHINode *phi = PHINode::Create(value->getType(), 1, "", end->getFirstNonPHIIt());
    phi->addIncoming(value, latch);
    return phi;
  };
  for (PHINode &phi : exit->phis()) {
    phi.setIncomingValueForBlock(latch, atEnd(phi.getIncomingValueForBlock(latch)));
    phi.replaceIncomingBlockWith(latch, end);
  }
  for (auto [phi, start] : starts)
    start->addIncoming(atEnd(phi->getIncomingValueForBlock(latch)), end);
  Value *next = builder.CreateAdd(first, inPart);
  first->addIncoming(next, end);
  builder.CreateCondBr(builder.CreateICmpEQ(next, total), exit, first->getParent());
  auto *branch = cast<BranchInst>(latch->getTerminator());
  builder.SetInsertPoint(branch);
  Value *isLast = builder.CreateICmpEQ(row->getIncomingValueForBlock(latch), inPart);
  builder.CreateCondBr(isLast, end, root.getHeader());
  branch->eraseFromParent();
}

void Stager::run() {
  builder.SetCurrentDebugLocation(root.getStartLoc());
  expandValues();
  openPart();
  copyRows();
  readArray();
  closePart();
}

} // namespace

void stageRows(const NestPlan &plan, const FunctionAnalyses &analyses) {
  Stager(plan, analyses).run();
}

} // namespace acis::import
