// Choices are joined with all that they choose from; a class with anything unknown is none.
#include "passes/llvm/PointerWebs.h"

#include "passes/llvm/RecordTypes.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace acis {
namespace {

/// The type of all numbers in a type; null if they differ or are none.
Type *numberIn(Type *type) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return numberIn(array->getElementType());
  // Clang gives an array whose last elements are 0 the type of a structure.
  if (auto *parts = dyn_cast<StructType>(type); parts && parts->getNumElements() > 0) {
    Type *number = numberIn(parts->getElementType(0));
    bool isOne = all_of(parts->elements(), [&](Type *part) { return numberIn(part) == number; });
    return isOne && !parts->hasName() ? number : nullptr;
  }
  return type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy() ? type : nullptr;
}

/// Whether a pointer leads to a variable that may be merged with others.
bool isVariable(const Value &base) {
  if (auto *local = dyn_cast<AllocaInst>(&base))
    return local->isStaticAlloca();
  auto *variable = dyn_cast<GlobalVariable>(&base);
  return variable && variable->hasInitializer() && !variable->hasSection();
}

/// The type by which the source knows a variable.
Type *typeOf(const Value &base) {
  if (auto *local = dyn_cast<AllocaInst>(&base))
    return local->getAllocatedType();
  return sourceTypeOf(cast<GlobalVariable>(base));
}

/// Whether each step on the way to the leaf is a whole number of elements.
bool isInElements(Value &pointer, int64_t size, const DataLayout &data) {
  auto *step = dyn_cast<GEPOperator>(&pointer);
  if (!step)
    return true;
  SmallMapVector<Value *, APInt, 4> variable;
  APInt constant(data.getIndexTypeSizeInBits(step->getType()), 0);
  return step->collectOffset(data, constant.getBitWidth(), variable, constant) &&
         constant.getSExtValue() % size == 0 &&
         all_of(variable, [&](auto &term) { return term.second.getSExtValue() % size == 0; }) &&
         isInElements(*step->getPointerOperand(), size, data);
}

/// The pointers that a choice has.
SmallVector<Value *, 4> optionsOf(Instruction &choice) {
  if (auto *select = dyn_cast<SelectInst>(&choice))
    return {select->getTrueValue(), select->getFalseValue()};
  auto &join = cast<PHINode>(choice);
  return SmallVector<Value *, 4>(join.op_begin(), join.op_end());
}

/// Whether it only moves along from one place, as a loop's pointer does, or is that behind it.
bool isMoving(Instruction &choice) {
  SmallPtrSet<Value *, 4> others;
  for (Value *option : optionsOf(choice))
    if (pointerLeaf(*option) != &choice)
      others.insert(option);
  return isa<PHINode>(choice) && others.size() == 1;
}

/// Whether what a pointer that may be none is used for is known: it has no address.
bool allUsesKnown(Instruction &choice) {
  return all_of(choice.users(), [&](User *user) {
    return isa<GetElementPtrInst, ICmpInst>(user) || isPointerChoice(*user) ||
           (isa<LoadInst, StoreInst>(user) && getLoadStorePointerOperand(user) == &choice);
  });
}

class Finder {
public:
  Finder(Function &function, WebElements elements)
      : data(function.getDataLayout()), elements(elements) {
    for (Instruction &inst : instructions(function))
      if (isPointerChoice(inst))
        add(inst);
  }

  SmallVector<PointerWeb, 2> webs() {
    MapVector<Value *, PointerWeb> all;
    for (Instruction *choice : choices)
      all[classes.getLeaderValue(choice)].choices.push_back(choice);
    SmallVector<PointerWeb, 2> good;
    for (auto &[leader, web] : all)
      if (complete(web))
        good.push_back(std::move(web));
    return good;
  }

private:
  /// The type of the elements of what a pointer may lead to; null if they are not such.
  Type *elementAt(const Value &base) const {
    if (!isVariable(base))
      return nullptr;
    return elements == WebElements::Records ? recordOf(typeOf(base)) : numberIn(typeOf(base));
  }

  void add(Instruction &choice) {
    choices.push_back(&choice);
    classes.insert(&choice);
    for (Value *option : optionsOf(choice))
      if (Value *leaf = pointerLeaf(*option); isPointerChoice(*leaf) || elementAt(*leaf))
        classes.unionSets(&choice, leaf);
  }

  bool complete(PointerWeb &web) const {
    for (Instruction *choice : web.choices)
      for (Value *option : optionsOf(*choice)) {
        Value *leaf = pointerLeaf(*option);
        web.hasNull |= isa<ConstantPointerNull>(option);
        if (Type *element = elementAt(*leaf)) {
          if (web.element && web.element != element)
            return false;
          web.element = element;
          web.arrays.insert(leaf);
        } else if (!isPointerChoice(*leaf) && !isa<ConstantPointerNull, UndefValue>(option)) {
          return false;
        }
      }
    if (!web.element || (web.arrays.size() == 1 && !web.hasNull &&
                         all_of(web.choices, [](auto *c) { return isMoving(*c); })))
      return false;
    const auto size = int64_t(data.getTypeAllocSize(web.element));
    return all_of(web.choices, [&](Instruction *choice) {
      return (!web.hasNull || allUsesKnown(*choice)) &&
             all_of(optionsOf(*choice),
                    [&](Value *option) { return isInElements(*option, size, data); });
    });
  }

  const DataLayout &data;
  WebElements elements;
  SmallVector<Instruction *, 4> choices;
  EquivalenceClasses<Value *> classes;
};

} // namespace

bool isPointerChoice(const Value &value) {
  return isa<PHINode, SelectInst>(value) && value.getType()->isPointerTy();
}

Value *pointerLeaf(Value &pointer) {
  Value *leaf = &pointer;
  while (auto *step = dyn_cast<GEPOperator>(leaf))
    leaf = step->getPointerOperand();
  return leaf;
}

SmallVector<PointerWeb, 2> pointerWebs(Function &function, WebElements elements) {
  return Finder(function, elements).webs();
}

} // namespace acis
