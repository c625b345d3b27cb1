// See Emitter.h.
#include "passes/llvm/objects/Emitter.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {

Value *Emitter::emit(IRBuilder<> &builder, const Number &number, bool isInObject) {
  Value *sum = nullptr;
  auto add = [&](Value *value) {
    sum = sum ? builder.CreateAdd(sum, value, "", false, isInObject) : value;
  };
  for (const Term &term : number.terms) {
    Value *value = builder.CreateSExtOrTrunc(valueOf(term), numberType);
    if (term.factor > 1 && isPowerOf2_64(uint64_t(term.factor)))
      value = builder.CreateShl(value, Log2_64(uint64_t(term.factor)), "", false, isInObject);
    else if (term.factor != 1)
      value = builder.CreateMul(value, ConstantInt::getSigned(numberType, term.factor), "", false,
                                isInObject);
    add(value);
  }
  if (number.constant != 0 || !sum)
    add(ConstantInt::getSigned(numberType, number.constant));
  return sum;
}

SmallVector<Value *, 2> Emitter::numbersOf(Value &pointer) {
  if (auto found = byPointer.find(&pointer); found != byPointer.end())
    return found->second;
  SmallVector<Value *, 2> values;
  IRBuilder<> builder(pointer.getContext());
  if (auto *step = dyn_cast<GetElementPtrInst>(&pointer))
    builder.SetInsertPoint(step);
  Place place = *places.of(pointer);
  for (const Number &number : place.numbers)
    values.push_back(emit(builder, number));
  return byPointer[&pointer] = values;
}

/// The number of an option of a choice, for a use at `at`.
Value *Emitter::optionOf(Instruction &choice, Value &option, uint64_t of, Instruction &at) {
  Type *type = isPointerChoice(choice) ? numberType : choice.getType();
  if (isa<UndefValue>(option))
    return PoisonValue::get(type);
  if (!isPointerChoice(choice)) {
    Number number;
    divide(option, 1, int64_t(of), number);
    IRBuilder<> builder(&at);
    return builder.CreateSExtOrTrunc(emit(builder, number), type);
  }
  SmallVector<Value *, 2> own = numbersOf(option);
  if (of < own.size())
    return own[of];
  return ConstantInt::getSigned(type, places.optionOf(choice, option).numbers[of].constant);
}

Value *Emitter::valueOf(const Term &term) {
  if (term.of == 1 && !term.value->getType()->isPointerTy())
    return term.value;
  if (Value *known = byTerm.lookup({term.value, term.of}))
    return known;
  auto &choice = *cast<Instruction>(term.value);
  Type *type = isPointerChoice(choice) ? numberType : choice.getType();
  IRBuilder<> builder(&choice);
  Value *made = nullptr;
  if (auto *phi = dyn_cast<PHINode>(&choice)) {
    PHINode *join = builder.CreatePHI(type, phi->getNumIncomingValues(), phi->getName());
    joins.push_back({phi, join, term.of});
    made = join;
  } else if (auto *select = dyn_cast<SelectInst>(&choice)) {
    Value *left = optionOf(choice, *select->getTrueValue(), term.of, choice);
    Value *right = optionOf(choice, *select->getFalseValue(), term.of, choice);
    made = builder.CreateSelect(select->getCondition(), left, right, select->getName());
  } else { // its last bits are 0
    builder.SetInsertPoint(choice.getNextNode());
    made = builder.CreateLShr(&choice, Log2_64(term.of), "", /*isExact=*/true);
  }
  return byTerm[{term.value, term.of}] = made;
}

void Emitter::finish() {
  while (!joins.empty()) {
    const Join join = joins.pop_back_val(); // more may be found on the way
    for (auto [option, from] : zip_equal(join.phi->incoming_values(), join.phi->blocks())) {
      const int same = join.made->getBasicBlockIndex(from); // by another case of a switch
      join.made->addIncoming(same >= 0
                                 ? join.made->getIncomingValue(unsigned(same))
                                 : optionOf(*join.phi, *option, join.of, *from->getTerminator()),
                             from);
    }
  }
}

} // namespace acis
