// See PointerNumbers.h.
#include "passes/llvm/PointerNumbers.h"

#include "passes/llvm/PointerWebs.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace acis {
namespace {

class Numberer {
public:
  Numberer(const PointerWeb &web, const DataLayout &data)
      : web(web), data(data), array(web.arrays.front()),
        numberType(cast<IntegerType>(data.getIndexType(array->getType()))),
        size(int64_t(data.getTypeAllocSize(web.element))) {}

  void run() {
    for (Instruction *choice : web.choices)
      numberOf(*choice);
    for (auto [phi, number] : phis)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); i++)
        number->addIncoming(numberOf(*phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    for (Instruction *choice : web.choices)
      rewriteComparisons(*choice);
    for (Instruction *choice : web.choices)
      replace(*choice);
    for (Instruction *choice : web.choices) {
      choice->replaceAllUsesWith(PoisonValue::get(choice->getType())); // by one another
      choice->eraseFromParent();
    }
  }

private:
  Value *constant(int64_t number) const { return ConstantInt::getSigned(numberType, number); }

  /// Which element of the array a pointer is to.
  Value *numberOf(Value &pointer) {
    if (&pointer == array)
      return constant(0);
    if (isa<ConstantPointerNull>(pointer))
      return constant(-1);
    if (isa<UndefValue>(pointer))
      return PoisonValue::get(numberType);
    Value *&known = numbers[&pointer];
    if (known)
      return known;
    if (auto *phi = dyn_cast<PHINode>(&pointer)) {
      IRBuilder<> builder(phi);
      PHINode *number = builder.CreatePHI(numberType, phi->getNumIncomingValues());
      phis.emplace_back(phi, number);
      return known = number;
    }
    Value *number = nullptr;
    if (auto *select = dyn_cast<SelectInst>(&pointer)) {
      IRBuilder<> builder(select);
      number = builder.CreateSelect(select->getCondition(), numberOf(*select->getTrueValue()),
                                    numberOf(*select->getFalseValue()));
    } else {
      number = numberAt(cast<GEPOperator>(pointer));
    }
    return numbers[&pointer] = number;
  }

  Value *numberAt(GEPOperator &step) {
    Value *number = numberOf(*step.getPointerOperand());
    SmallMapVector<Value *, APInt, 4> variable;
    APInt bytes(numberType->getBitWidth(), 0);
    step.collectOffset(data, bytes.getBitWidth(), variable, bytes);
    IRBuilder<> builder(step.getContext());
    if (auto *inst = dyn_cast<Instruction>(&step))
      builder.SetInsertPoint(inst);
    for (auto &[value, scale] : variable) {
      Value *term = builder.CreateSExtOrTrunc(value, numberType);
      if (scale.getSExtValue() != size)
        term = builder.CreateMul(term, constant(scale.getSExtValue() / size));
      number = builder.CreateAdd(number, term);
    }
    Value *ahead = constant(bytes.getSExtValue() / size);
    return bytes.isZero() ? number : builder.CreateAdd(number, ahead);
  }

  bool isOurs(Value &pointer) const {
    Value *leaf = pointerLeaf(pointer);
    return leaf == array || isa<ConstantPointerNull>(pointer) || is_contained(web.choices, leaf);
  }

  /// Pointers of one array compare as their numbers do.
  void rewriteComparisons(Instruction &choice) {
    for (User *user : make_early_inc_range(choice.users())) {
      auto *compare = dyn_cast<ICmpInst>(user);
      if (!compare || !isOurs(*compare->getOperand(0)) || !isOurs(*compare->getOperand(1)))
        continue;
      IRBuilder<> builder(compare);
      Value *left = numberOf(*compare->getOperand(0)), *right = numberOf(*compare->getOperand(1));
      compare->replaceAllUsesWith(builder.CreateICmp(compare->getSignedPredicate(), left, right));
      compare->eraseFromParent();
      return rewriteComparisons(choice); // both operands may be the choice
    }
  }

  /// The element's place is computed where it is used: nothing else joins ways again.
  void replace(Instruction &choice) {
    for (Use &use : make_early_inc_range(choice.uses())) {
      auto *user = cast<Instruction>(use.getUser());
      if (isPointerChoice(*user))
        continue; // is replaced itself
      IRBuilder<> builder(user);
      use.set(builder.CreateGEP(web.element, array, numbers[&choice], choice.getName()));
    }
  }

  const PointerWeb &web;
  const DataLayout &data;
  Value *array;
  IntegerType *numberType;
  int64_t size;
  DenseMap<Value *, Value *> numbers;
  SmallVector<std::pair<PHINode *, PHINode *>, 2> phis;
};

} // namespace

bool numberPointers(Function &handler) {
  bool changed = false;
  for (const PointerWeb &web : pointerWebs(handler))
    if (web.arrays.size() == 1) {
      Numberer(web, handler.getDataLayout()).run();
      changed = true;
    }
  return changed;
}

} // namespace acis
