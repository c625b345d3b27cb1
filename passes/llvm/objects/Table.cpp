// See Table.h.
#include "passes/llvm/objects/Table.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <numeric>

using namespace llvm;

namespace acis {
namespace {

const DataLayout &dataLayoutOf(const Value &object) {
  if (auto *local = dyn_cast<AllocaInst>(&object))
    return local->getDataLayout();
  return cast<GlobalVariable>(object).getDataLayout();
}

bool hasSection(const Value *object) {
  auto *variable = dyn_cast<GlobalVariable>(object);
  return variable && variable->hasSection();
}

bool isAccessThrough(const Instruction &user, const Value &pointer) {
  return isa<LoadInst, StoreInst>(user) && getLoadStorePointerOperand(&user) == &pointer;
}

bool hasName(const Type &type) {
  const Type *inner = &type;
  while (inner->isArrayTy())
    inner = inner->getArrayElementType();
  auto *record = dyn_cast<StructType>(inner);
  return record && record->hasName();
}

} // namespace

Type *sourceTypeOf(const Value &object) {
  if (auto *local = dyn_cast<AllocaInst>(&object))
    return local->getAllocatedType();
  Type *type = cast<GlobalVariable>(object).getValueType();
  const DataLayout &data = dataLayoutOf(object);
  // Clang gives initial values types without names, where the source has others.
  if (hasName(*type))
    if (std::unique_ptr<Layout> own = Layout::of(type, data); own && !own->root.number)
      return type;
  for (const User *user : object.users())
    if (auto *step = dyn_cast<GEPOperator>(user)) {
      Type *source = step->getSourceElementType();
      if (source->isAggregateType() && data.getTypeAllocSize(source) == data.getTypeAllocSize(type))
        if (std::unique_ptr<Layout> seen = Layout::of(source, data); seen && !seen->root.number)
          return source;
    }
  return type;
}

uint64_t lengthOf(const MemIntrinsic &call) {
  auto *length = dyn_cast<ConstantInt>(call.getLength());
  return length && !call.isVolatile() ? length->getZExtValue() : 0;
}

bool isOfAnyLength(const MemIntrinsic &call) {
  return !isa<ConstantInt>(call.getLength()) && !call.isVolatile();
}

Table::Table(ObjectClass objects, ArrayRef<Function *> functions, uint64_t word)
    : all(std::move(objects)), functions(functions), data(dataLayoutOf(*all.objects.front())),
      word(word) {}

std::unique_ptr<Table> Table::of(ObjectClass objects, ArrayRef<Function *> functions,
                                 unsigned lanes, uint64_t word) {
  if (objects.isOpen)
    return nullptr;
  std::unique_ptr<Table> table(new Table(std::move(objects), functions, word));
  return table->lay(lanes) && table->where->settle(table->all.choices) && table->follow()
             ? std::move(table)
             : nullptr;
}

std::unique_ptr<Layout> Table::layoutOf(Value &object) const {
  Type *type = sourceTypeOf(object);
  std::unique_ptr<Layout> own = Layout::of(type, data);
  if (word == 0 || !own || any_of(own->columns, [](const Column &column) {
        return column.number().number->isPointerTy();
      }))
    return word == 0 ? std::move(own) : nullptr;
  Type *integer = Type::getIntNTy(object.getContext(), unsigned(8 * word));
  return Layout::of(ArrayType::get(integer, data.getTypeAllocSize(type) / word), data);
}

uint64_t Table::wordOf(const ObjectClass &objects) {
  constexpr uint64_t LargestWord = 8; ///< bytes of the widest element of a lane
  uint64_t word = LargestWord;
  for (const Value *object : objects.objects) {
    const DataLayout &data = dataLayoutOf(*object);
    const std::unique_ptr<Layout> layout = Layout::of(sourceTypeOf(*object), data);
    if (!layout)
      return 1;
    for (const Column &column : layout->columns) {
      word =
          std::gcd(word, std::gcd(column.offset(),
                                  data.getTypeStoreSize(column.number().number).getFixedValue()));
      for (const Part *part : column.path)
        word = std::gcd(word, part->stride);
    }
  }
  return word;
}

/// Puts the elements of one object behind those of the other.
bool Table::lay(unsigned lanes) {
  if (all.objects.size() > 1 && any_of(all.objects, hasSection))
    return false;
  uint64_t count = 0;
  for (Value *object : all.objects) {
    layouts.push_back(layoutOf(*object));
    if (!layouts.back() || !layouts.back()->root.hasSameElements(layouts.front()->root))
      return false;
    const uint64_t own = layouts.back()->root.count;
    starts.push_back(alignTo(count, std::min<uint64_t>(lanes, PowerOf2Ceil(own))));
    count = starts.back() + own;
  }
  layout = layoutOf(*all.objects.front());
  if (all.objects.size() > 1) {
    layout->root.count = count;
    layout->root.extents = {count};
  }
  where = std::make_unique<Places>(layout->root, data);
  for (auto [object, start] : zip_equal(all.objects, starts))
    where->start(*object, start);
  return true;
}

bool Table::follow() {
  SetVector<Value *> work;
  work.insert(all.objects.begin(), all.objects.end());
  work.insert(all.choices.begin(), all.choices.end());
  for (size_t at = 0; at < work.size(); at++) {
    Value &pointer = *work[at];
    const Place place = *where->of(pointer);
    const bool stays = isAlone() && place.isPlain();
    if (!stays && !isa<AllocaInst, GlobalVariable>(pointer))
      found.insert(&pointer);
    divided |= place.isDivided;
    indexed |= any_of(place.numbers, [](const Number &number) { return !number.terms.empty(); });
    for (User *user : pointer.users()) {
      auto *inst = dyn_cast<Instruction>(user);
      if (inst && !is_contained(functions, inst->getFunction()))
        continue;
      auto *step = dyn_cast<GetElementPtrInst>(user);
      if (step && where->of(*step))
        work.insert(step);
      else if (inst && isPointerChoice(*inst))
        continue; // among the choices
      else if (!stays && (!inst || !follow(pointer, place, *inst)))
        return false;
    }
  }
  return true;
}

bool Table::follow(Value &pointer, const Place &place, Instruction &user) {
  auto *compare = dyn_cast<ICmpInst>(&user);
  auto *address = dyn_cast<PtrToIntOperator>(&user);
  if (address && measuresElements(*address)) {
    // The other side may be a pointer that stays what it is.
    for (User *difference : address->users())
      uses.insert(cast<Instruction>(difference));
    return true;
  }
  const bool isGood =
      (compare && comparesElements(*compare)) ||
      (hasRecords() ? isOfColumns(pointer, place, user) : isOfNumbers(pointer, place, user));
  return isGood && (uses.insert(&user), true);
}

/// Where the objects are one array, a pointer is the address of a number in it:
/// but null is none.
bool Table::isOfNumbers(Value &pointer, const Place &place, Instruction &user) {
  if (word > 1 && !isOfWords(pointer, place, user))
    return false;
  return !all.hasNull || isAccessThrough(user, pointer) || isa<GetElementPtrInst>(user);
}

/// Whether an access, fill or copy is of whole elements.
bool Table::isOfWords(Value &pointer, const Place &place, Instruction &user) {
  if (auto *call = dyn_cast<MemIntrinsic>(&user))
    return place.rest == 0 && lengthOf(*call) != 0 && lengthOf(*call) % word == 0;
  return !isAccessThrough(user, pointer) ||
         (place.rest == 0 && data.getTypeStoreSize(getLoadStoreType(&user)) % word == 0);
}

bool Table::isOfColumns(Value &pointer, const Place &place, Instruction &user) {
  if (auto *call = dyn_cast<MemIntrinsic>(&user))
    return isOfAnyLength(*call) ? isOfOneArray(place) || isOfWholeRecords(*call, place)
                                : isOfWholeNumbers(*call, place);
  if (auto *call = dyn_cast<IntrinsicInst>(&user))
    return call->isLifetimeStartOrEnd();
  if (!isAccessThrough(user, pointer) || user.isVolatile())
    return false;
  Type *type = getLoadStoreType(&user);
  auto runs = runsOf(place.part(), place.rest, data.getTypeStoreSize(type));
  return runs.size() == 1 ||
         (type->isIntegerTy() && !runs.empty() && all_of(runs, [&](auto &run) {
            return run.isWhole && !columns()[run.column].number().number->isPointerTy();
          }));
}

bool Table::isOfWholeNumbers(MemIntrinsic &call, const Place &place) {
  auto runs = runsOf(place.part(), place.rest, lengthOf(call));
  auto *copy = dyn_cast<MemTransferInst>(&call);
  std::optional<Place> to = where->of(*call.getRawDest());
  std::optional<Place> from = copy ? where->of(*copy->getRawSource()) : std::nullopt;
  return !runs.empty() && all_of(runs, [](const Run &run) { return run.isWhole; }) &&
         (!to || !from || to->isIn(*from));
}

std::optional<Number> Table::recordsOf(MemIntrinsic &call, const Place &place) const {
  Number records;
  return !place.part().number && place.rest == 0 && isOfAnyLength(call) &&
                 divide(*call.getLength(), 1, int64_t(place.part().stride), records)
             ? std::optional(records)
             : std::nullopt;
}

/// A copy within the table is of the same columns on both sides.
bool Table::isOfWholeRecords(MemIntrinsic &call, const Place &place) {
  auto *copy = dyn_cast<MemTransferInst>(&call);
  std::optional<Place> to = where->of(*call.getRawDest());
  std::optional<Place> from = copy ? where->of(*copy->getRawSource()) : std::nullopt;
  return recordsOf(call, place) && (!to || !from || to->isIn(*from));
}

/// Whether a place is that of a number, of which others follow.
bool Table::isOfOneArray(const Place &place) const {
  auto runs = runsOf(place.part(), place.rest, /*length=*/1);
  if (runs.size() != 1 || runs.front().skipped != 0)
    return false;
  const Part &number = columns()[runs.front().column].number();
  return number.count > 1 && number.stride == data.getTypeStoreSize(number.number);
}

bool Table::comparesElements(const ICmpInst &compare) {
  return all_of(compare.operands(), [&](Value *side) { return where->of(*side).has_value(); });
}

bool Table::measuresElements(const PtrToIntOperator &address) {
  return !address.use_empty() && all_of(address.users(), [&](const User *user) {
    auto *difference = dyn_cast<BinaryOperator>(user);
    return difference && difference->getOpcode() == Instruction::Sub &&
           all_of(difference->operands(), [&](Value *side) {
             auto *other = dyn_cast<PtrToIntOperator>(side);
             return other && where->of(*other->getOperand(0));
           });
  });
}

} // namespace acis
