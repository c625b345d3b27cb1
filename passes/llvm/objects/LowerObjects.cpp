// Class by class: what one has for the other is found when the other's turn
// comes.
#include "passes/llvm/objects/LowerObjects.h"

#include "passes/llvm/objects/PointerTables.h"
#include "passes/llvm/objects/Rewriter.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace acis {
namespace {

bool isRecord(Value *object) {
  auto *local = dyn_cast<AllocaInst>(object);
  const DataLayout &data =
      local ? local->getDataLayout() : cast<GlobalVariable>(object)->getDataLayout();
  Type *type = sourceTypeOf(*object);
  return type->isAggregateType() && !numberIn(type, data);
}

/// Objects of which no columns can be made, since other bytes than those of their numbers are
/// accessed, or since a pointer may be into different records, are arrays of the largest words that
/// all of them are whole ones of, or of bytes.
bool lower(ArrayRef<Function *> functions, unsigned lanes,
           function_ref<bool(const ObjectClass &)> isCandidate,
           function_ref<bool(const Table &)> isWanted) {
  bool changed = false;
  for (ObjectClass &objects : classesOf(functions)) {
    if (objects.parameter || !isCandidate(objects))
      continue;
    std::unique_ptr<Table> table = Table::of(objects, functions, lanes);
    if (!table && any_of(objects.objects, isRecord))
      for (const uint64_t word : {Table::wordOf(objects), uint64_t(1)})
        if (!table)
          table = Table::of(objects, functions, lanes, word);
    if (table && isWanted(*table)) {
      Rewriter(*table).run();
      changed = true;
    }
  }
  return changed;
}

/// Makes values of the variables that hold pointers. SROA would do that too,
/// but it also makes copies of records copies of bytes.
void promotePointers(Function &handler) {
  SmallVector<AllocaInst *, 16> pointers;
  for (Instruction &inst : handler.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&inst);
        variable && variable->getAllocatedType()->isPointerTy() && isAllocaPromotable(variable))
      pointers.push_back(variable);
  if (pointers.empty())
    return;
  DominatorTree tree(handler);
  PromoteMemToReg(pointers, tree);
}

bool isAggregate(const Value *object) {
  auto *variable = dyn_cast<GlobalVariable>(object);
  return variable && variable->getValueType()->isAggregateType();
}

bool isChosen(const ObjectClass &objects) {
  return objects.objects.size() > 1 || objects.hasNull || objects.isChosen;
}

/// Such a table becomes what it is copied to.
bool isOnlyCopied(const ObjectClass &objects) {
  auto *table = dyn_cast<GlobalVariable>(objects.objects.front());
  return table && table->isConstant() && objects.objects.size() == 1 &&
         all_of(table->users(), IsaPred<MemTransferInst>);
}

bool isRecords(const ObjectClass &objects) { return isRecord(objects.objects.front()); }

} // namespace

bool lowerStaticObjects(Module &module, ArrayRef<Function *> handlers, unsigned lanes) {
  for (Function *handler : handlers)
    promotePointers(*handler);
  numberPointersInTables(module, handlers, lanes);
  // Users tell the type, see sourceTypeOf(); all are instructions.
  for (GlobalVariable &variable : module.globals())
    if (variable.hasInitializer() && variable.getValueType()->isAggregateType())
      convertUsersOfConstantsToInstructions({&variable});
  return lower(
      handlers, lanes,
      [](const ObjectClass &objects) {
        const bool isMerged = objects.objects.size() > 1 && any_of(objects.objects, isAggregate);
        return !isOnlyCopied(objects) && (isMerged || isRecords(objects));
      },
      [](const Table &table) {
        return table.objects().hasStatic() ||
               (table.objects().objects.size() == 1 && table.isIndexed());
      });
}

bool lowerLocalRecords(Function &handler, unsigned lanes) {
  return lower(
      &handler, lanes,
      [](const ObjectClass &objects) { return !objects.hasStatic() && isRecords(objects); },
      [](const Table &) { return true; });
}

bool lowerChosenPointers(Function &handler, unsigned lanes) {
  return lower(
      &handler, lanes,
      [](const ObjectClass &objects) {
        return (isChosen(objects) || objects.isInBytes) &&
               (!objects.hasStatic() || (objects.objects.size() == 1 && !isRecords(objects)));
      },
      [](const Table &table) {
        return isChosen(table.objects()) || table.hasRecords() || table.isDivided();
      });
}

bool choosesPointers(Function &handler) {
  return any_of(classesOf(&handler),
                [](const ObjectClass &objects) { return !objects.isOpen && isChosen(objects); });
}

} // namespace acis
