// See Rewriter.h. Copies are in Copies.cpp.
#include "passes/llvm/objects/Rewriter.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#include <numeric>

using namespace llvm;

namespace acis {
namespace {

/// All elements of an array, or the value of a scalar, taken from the front of
/// `values`.
Constant *shaped(Type *type, ArrayRef<Constant *> &values) {
  auto *array = dyn_cast<ArrayType>(type);
  if (!array) {
    Constant *value = values.front();
    values = values.drop_front();
    return value;
  }
  SmallVector<Constant *, 64> elements;
  for (uint64_t i = 0; i < array->getNumElements(); i++)
    elements.push_back(shaped(array->getElementType(), values));
  return ConstantArray::get(array, elements);
}

/// What a column has of a constant, of which the element of path[depth] starts
/// at `byte`.
void collect(Constant &whole, const Column &column, size_t depth, uint64_t byte,
             const DataLayout &data, SmallVectorImpl<Constant *> &values) {
  if (depth == column.path.size()) {
    Type *type = column.number().number;
    Constant *value = ConstantFoldLoadFromConst(&whole, type, APInt(64, byte), data);
    values.push_back(value ? value : Constant::getNullValue(type));
    return;
  }
  const Part &part = *column.path[depth];
  for (uint64_t i = 0; i < part.count; i++)
    collect(whole, column, depth + 1, byte + part.offset + i * part.stride, data, values);
}

/// The number that divides all of another.
int64_t divisorOf(const Number &number) {
  int64_t divisor = number.constant;
  for (const Term &term : number.terms)
    divisor = std::gcd(divisor, term.factor);
  return divisor;
}

} // namespace

Rewriter::Rewriter(Table &table)
    : table(table), places(table.places()),
      data(isa<AllocaInst>(table.objects().objects.front())
               ? cast<AllocaInst>(table.objects().objects.front())->getDataLayout()
               : cast<GlobalVariable>(table.objects().objects.front())->getDataLayout()),
      numberType(data.getIndexType(table.objects().objects.front()->getType())),
      emitter(places, numberType) {}

void Rewriter::run() {
  makeColumns();
  for (Value *pointer : table.pointers())
    emitter.numbersOf(*pointer);
  emitter.finish();
  for (Instruction *user : table.users())
    rewrite(*user);
  emitter.finish();
  erase();
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

Constant *Rewriter::initialValues(const Column &column) const {
  const ObjectClass &all = table.objects();
  Constant *zero = Constant::getNullValue(column.number().number);
  SmallVector<Constant *, 64> values;
  for (size_t i = 0; i < all.objects.size(); i++) {
    const Column &own = table.layoutOf(i).columns[size_t(&column - table.columns().data())];
    values.resize(table.startOf(i) * column.weight(0), zero);
    auto *variable = dyn_cast<GlobalVariable>(all.objects[i]);
    if (variable && !variable->getInitializer()->isNullValue())
      collect(*variable->getInitializer(), own, 0, 0, data, values);
    else
      values.resize(values.size() + own.path.front()->count * own.weight(0), zero);
  }
  ArrayRef<Constant *> rest = values;
  return shaped(column.type(), rest);
}

void Rewriter::makeColumns() {
  const ObjectClass &all = table.objects();
  if (table.isAlone()) {
    arrays.push_back(all.objects.front());
    return;
  }
  std::string name;
  for (Value *object : all.objects)
    name += (name.empty() ? "" : ".") + object->getName().str();
  auto *first = dyn_cast<GlobalVariable>(all.objects.front());
  const bool isConstant = all_of(all.objects, [](Value *object) {
    auto *variable = dyn_cast<GlobalVariable>(object);
    return variable && variable->isConstant();
  });
  const auto linkage =
      first && all.objects.size() == 1 ? first->getLinkage() : GlobalValue::InternalLinkage;
  for (const Column &column : table.columns()) {
    const std::string own = name + column.name;
    if (first) {
      auto *made = new GlobalVariable(*first->getParent(), column.type(), isConstant, linkage,
                                      initialValues(column), own, first);
      made->setSection(first->getSection());
      if (own == first->getName())
        made->takeName(first);
      arrays.push_back(made);
    } else {
      BasicBlock &entry = cast<AllocaInst>(all.objects.front())->getFunction()->getEntryBlock();
      arrays.push_back(new AllocaInst(column.type(), data.getAllocaAddrSpace(), own,
                                      entry.getFirstNonPHIOrDbgOrAlloca()));
    }
  }
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

SmallVector<Run, 8> Rewriter::runsAt(Value &pointer, uint64_t bytes) {
  const Place place = *places.of(pointer);
  return runsOf(place.part(), place.rest, bytes);
}

Value *Rewriter::placeOf(IRBuilder<> &builder, Value &pointer, const Run &run, Value *ahead) {
  const Column &column = columnOf(run);
  Value *place = arrays[run.column];
  // By an index for each array on the way, as the source has them.
  auto step = [&](Value *number, uint64_t numbers) {
    auto *constant = dyn_cast<ConstantInt>(number);
    if (constant && constant->isZero())
      return;
    Type *type = numbers == 1 ? typeOf(run) : ArrayType::get(typeOf(run), numbers);
    place = builder.CreateGEP(type, place, number, "",
                              table.objects().hasNull ? GEPNoWrapFlags::none()
                                                      : GEPNoWrapFlags::inBounds());
  };
  SmallVector<Value *, 2> numbers = emitter.numbersOf(pointer);
  for (auto [depth, number] : enumerate(numbers))
    step(number, column.weight(depth));
  if (ahead)
    step(builder.CreateZExtOrTrunc(ahead, numberType), column.weight(numbers.size() - 1));
  step(ConstantInt::get(numberType, run.element), 1);
  return run.skipped ? builder.CreateInBoundsPtrAdd(place, builder.getInt32(run.skipped)) : place;
}

void Rewriter::rewrite(Instruction &user) {
  if (auto *compare = dyn_cast<ICmpInst>(&user); compare && table.comparesElements(*compare))
    return rewriteComparison(*compare);
  if (auto *difference = dyn_cast<BinaryOperator>(&user))
    return rewriteDifference(*difference);
  auto *call = dyn_cast<MemIntrinsic>(&user);
  if (table.hasRecords() && !(call && isOfNumbers(*call))) {
    if (auto *set = dyn_cast<MemSetInst>(&user))
      return rewriteSet(*set);
    if (auto *copy = dyn_cast<MemTransferInst>(&user))
      return rewriteCopy(*copy);
    if (isa<LoadInst, StoreInst>(user))
      return rewriteAccess(user, *getLoadStorePointerOperand(&user));
    user.eraseFromParent(); // of no meaning for a column
    return;
  }
  if (auto *mark = dyn_cast<IntrinsicInst>(&user); mark && mark->isLifetimeStartOrEnd()) {
    mark->eraseFromParent();
    return;
  }
  IRBuilder<> builder(&user);
  for (Use &operand : user.operands())
    if (operand->getType()->isPointerTy() && isOurs(operand) &&
        !isa<ConstantPointerNull>(operand)) {
      auto runs = runsAt(*operand, /*bytes=*/1);
      operand.set(placeOf(builder, *operand, runs.front()));
    }
}

/// By their bytes from the start of the table, without what both have and what
/// divides all.
void Rewriter::rewriteComparison(ICmpInst &compare) {
  const Number left = places.bytesFrom(*compare.getOperand(1), *compare.getOperand(0));
  const int64_t divisor = std::max<int64_t>(divisorOf(left), 1);
  Number positive, negative;
  for (const Term &term : left.terms)
    (term.factor > 0 ? positive : negative)
        .add({term.value, term.of, std::abs(term.factor) / divisor});
  negative.constant = -left.constant / divisor;
  IRBuilder<> builder(&compare);
  Value *result = builder.CreateICmp(compare.getSignedPredicate(), emitter.emit(builder, positive),
                                     emitter.emit(builder, negative), compare.getName());
  compare.replaceAllUsesWith(result);
  compare.eraseFromParent();
}

/// By the same bytes.
void Rewriter::rewriteDifference(BinaryOperator &difference) {
  auto placeOf = [&](unsigned side) {
    return places.of(*cast<PtrToIntOperator>(difference.getOperand(side))->getOperand(0))->bytes();
  };
  Number bytes = placeOf(0);
  bytes.add(placeOf(1), -1);
  IRBuilder<> builder(&difference);
  difference.replaceAllUsesWith(builder.CreateSExtOrTrunc(
      emitter.emit(builder, bytes, /*isInObject=*/true), difference.getType()));
  SmallSetVector<Value *, 2> addresses(difference.op_begin(), difference.op_end());
  difference.eraseFromParent();
  for (Value *address : addresses)
    if (auto *inst = dyn_cast<Instruction>(address); inst && inst->use_empty())
      inst->eraseFromParent();
}

void Rewriter::rewriteAccess(Instruction &access, Value &pointer) {
  IRBuilder<> builder(&access);
  Type *type = getLoadStoreType(&access);
  auto runs = runsAt(pointer, data.getTypeStoreSize(type));
  if (runs.size() == 1) {
    access.replaceUsesOfWith(&pointer, placeOf(builder, pointer, runs.front()));
    return;
  }
  auto *load = dyn_cast<LoadInst>(&access);
  Value *whole = load ? ConstantInt::get(type, 0) : cast<StoreInst>(access).getValueOperand();
  for (Run run : runs)
    for (uint64_t left = run.count; left > 0; left--, run.element++) {
      Type *part = typeOf(run);
      Type *bits = builder.getIntNTy(unsigned(data.getTypeStoreSizeInBits(part)));
      Value *place = placeOf(builder, pointer, run);
      const uint64_t shift = 8 * (run.byte + (run.count - left) * columnOf(run).number().stride);
      if (load) {
        Value *value = builder.CreateBitCast(builder.CreateLoad(part, place), bits);
        whole = builder.CreateOr(whole, builder.CreateShl(builder.CreateZExt(value, type), shift));
      } else {
        Value *value = builder.CreateTrunc(builder.CreateLShr(whole, shift), bits);
        builder.CreateStore(builder.CreateBitCast(value, part), place);
      }
    }
  if (load)
    access.replaceAllUsesWith(whole);
  access.eraseFromParent();
}

void Rewriter::erase() {
  for (Value *pointer : reverse(table.pointers())) {
    pointer->replaceAllUsesWith(PoisonValue::get(pointer->getType()));
    cast<Instruction>(pointer)->eraseFromParent();
  }
  if (table.isAlone())
    return;
  for (Value *object : table.objects().objects) {
    if (auto *variable = dyn_cast<GlobalVariable>(object))
      variable->eraseFromParent();
    else
      cast<AllocaInst>(object)->eraseFromParent();
  }
}

} // namespace acis
