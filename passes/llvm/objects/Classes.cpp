// Union-find over objects and choices of pointers: a choice is in the class of
// all its options.
#include "passes/llvm/objects/Classes.h"

#include "passes/llvm/objects/Places.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace acis {
namespace {

bool isObject(const Value &value) {
  if (auto *local = dyn_cast<AllocaInst>(&value))
    return local->isStaticAlloca();
  auto *variable = dyn_cast<GlobalVariable>(&value);
  return variable && variable->hasInitializer();
}

bool isNull(const Value &pointer) { return isa<ConstantPointerNull>(pointer); }

/// Whether a pointer is constants from its leaf.
bool isAtConstant(const Value *pointer) {
  for (; auto *step = dyn_cast<GEPOperator>(pointer); pointer = step->getPointerOperand())
    if (!step->hasAllConstantIndices())
      return false;
  return true;
}

/// Whether a choice only moves along from one place, by constants, as a loop's pointer does, or is
/// behind it.
bool isMoving(const Instruction &choice) {
  SmallPtrSet<Value *, 4> others;
  bool isEven = true;
  for (Value *option : optionsOf(choice))
    if (leafOf(*option) != &choice)
      others.insert(option);
    else
      isEven &= isAtConstant(option);
  return isa<PHINode>(choice) && others.size() == 1 && isEven;
}

class Finder {
public:
  explicit Finder(ArrayRef<Function *> functions) {
    if (functions.empty())
      return;
    for (GlobalVariable &variable : functions.front()->getParent()->globals())
      if (isObject(variable))
        add(variable);
    for (Function *function : functions)
      for (Instruction &inst : instructions(*function))
        visit(inst);
  }

  std::vector<ObjectClass> classes() {
    MapVector<Value *, ObjectClass> found;
    for (Value *value : members) {
      ObjectClass &one = found[sets.getLeaderValue(value)];
      one.isInBytes |= inBytes.contains(value);
      if (isPointerChoice(*value))
        one.choices.push_back(cast<Instruction>(value));
      else if (isObject(*value))
        one.objects.push_back(value);
      else
        addOther(one, *value);
    }
    std::vector<ObjectClass> result;
    for (auto &[leader, one] : found) {
      for (Instruction *choice : one.choices) {
        one.hasNull |=
            any_of(optionsOf(*choice), [](Value *option) { return isNull(*leafOf(*option)); });
        one.isChosen |= !isMoving(*choice);
      }
      one.isOpen |= one.parameter && !one.objects.empty();
      if (!one.objects.empty() || (one.parameter && !one.isOpen))
        result.push_back(std::move(one));
    }
    return result;
  }

private:
  static void addOther(ObjectClass &one, Value &value) {
    one.isOpen |= !isa<Argument>(value) || (one.parameter && one.parameter != &value);
    one.parameter = &value;
  }

  void add(Value &value) {
    if (sets.contains(&value))
      return;
    sets.insert(&value);
    members.push_back(&value);
  }

  void join(Value &choice, Value &pointer) {
    Value *leaf = leafOf(pointer);
    if (isNull(*leaf) || isa<UndefValue>(leaf))
      return;
    add(*leaf);
    sets.unionSets(&choice, leaf);
  }

  void visit(Instruction &inst) {
    if (isObject(inst)) {
      if (cast<AllocaInst>(inst).getAllocatedType()->isAggregateType())
        add(inst); // others matter where they are chosen
    } else if (auto *step = dyn_cast<GetElementPtrInst>(&inst)) {
      if (step->getSourceElementType()->isIntegerTy(8) && !step->hasAllConstantIndices())
        inBytes.insert(leafOf(*step));
    } else if (isPointerChoice(inst)) {
      add(inst);
      for (Value *option : optionsOf(inst))
        join(inst, *option);
    } else if (auto *compare = dyn_cast<ICmpInst>(&inst);
               compare && compare->getOperand(0)->getType()->isPointerTy()) {
      // What is compared with a choice is something that it may be.
      for (unsigned side : {0, 1})
        if (Value *leaf = leafOf(*compare->getOperand(side)); isPointerChoice(*leaf)) {
          add(*leaf);
          join(*leaf, *compare->getOperand(1 - side));
        }
    }
  }

  EquivalenceClasses<Value *> sets;
  SmallPtrSet<Value *, 8> inBytes;
  SmallVector<Value *, 16> members; ///< in the order in which they were found
};

} // namespace

bool ObjectClass::hasStatic() const { return any_of(objects, IsaPred<GlobalVariable>); }

std::vector<ObjectClass> classesOf(ArrayRef<Function *> functions) {
  return Finder(functions).classes();
}

} // namespace acis
