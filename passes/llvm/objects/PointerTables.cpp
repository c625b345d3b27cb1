// See PointerTables.h. A number is as large as a pointer, so what else is in a record stays at its
// place.
#include "passes/llvm/objects/PointerTables.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

#include <optional>

using namespace llvm;

namespace acis {
namespace {

/// A constant pointer: an element of a variable.
struct Target {
  GlobalVariable *object;
  uint64_t element;
};

/// What all of a type is made of; an array that is filled in part is a record to Clang.
Type *elementOf(Type &type) {
  if (auto *array = dyn_cast<ArrayType>(&type))
    return elementOf(*array->getElementType());
  auto *record = dyn_cast<StructType>(&type);
  if (!record || !record->isLiteral() || record->getNumElements() == 0)
    return &type;
  Type *first = elementOf(*record->getElementType(0));
  const bool isOne =
      all_of(record->elements(), [&](Type *part) { return elementOf(*part) == first; });
  return isOne ? first : &type;
}

Type *elementOf(const GlobalVariable &object) { return elementOf(*object.getValueType()); }

uint64_t countOf(const GlobalVariable &object) {
  const DataLayout &data = object.getDataLayout();
  const uint64_t size = data.getTypeAllocSize(elementOf(object));
  return size ? data.getTypeAllocSize(object.getValueType()) / size : 0;
}

std::optional<Target> targetOf(Constant &pointer, const DataLayout &data) {
  APInt offset(data.getIndexTypeSizeInBits(pointer.getType()), 0);
  auto *object = dyn_cast<GlobalVariable>(
      pointer.stripAndAccumulateConstantOffsets(data, offset, /*AllowNonInbounds=*/true));
  if (!object || !object->hasInitializer() || object->hasSection())
    return std::nullopt;
  const uint64_t size = data.getTypeAllocSize(elementOf(*object));
  if (size == 0 || offset.urem(size) != 0 ||
      offset.udiv(APInt(offset.getBitWidth(), size)).uge(countOf(*object)))
    return std::nullopt;
  return Target{object, offset.getZExtValue() / size};
}

bool holdsPointers(Type &type) {
  return type.isPointerTy() ||
         any_of(type.subtypes(), [](Type *part) { return holdsPointers(*part); });
}

/// The pointers in a constant; all of them, since a reader may have any.
bool findPointers(Constant &value, SetVector<Constant *> &pointers) {
  if (value.getType()->isPointerTy())
    return pointers.insert(&value), !isa<ConstantPointerNull, UndefValue>(value);
  if (isa<ConstantData>(value))
    return !isa<ConstantAggregateZero>(value) || !holdsPointers(*value.getType()); // else null
  return all_of(value.operands(),
                [&](Use &part) { return findPointers(*cast<Constant>(part), pointers); });
}

/// What reads a variable; false if more is done with it.
bool findReads(Value &pointer, SmallVectorImpl<LoadInst *> &reads) {
  return all_of(pointer.users(), [&](User *user) {
    auto *read = dyn_cast<LoadInst>(user);
    if (read)
      reads.push_back(read);
    return read || (isa<GetElementPtrInst>(user) && findReads(*user, reads));
  });
}

/// Types and values with a number in place of each pointer.
class Numbered {
public:
  Type *type(Type &old) {
    if (old.isPointerTy())
      return Type::getInt32Ty(old.getContext());
    if (auto *array = dyn_cast<ArrayType>(&old))
      return ArrayType::get(type(*array->getElementType()), array->getNumElements());
    auto *record = dyn_cast<StructType>(&old);
    return record && holdsPointers(old) ? recordOf(*record) : &old;
  }

  Constant *value(Constant &old, function_ref<uint64_t(Constant &)> numberOf) {
    if (old.getType()->isPointerTy())
      return ConstantInt::get(type(*old.getType()), numberOf(old));
    if (isa<ConstantData>(old))
      return &old;
    SmallVector<Constant *, 16> parts;
    for (Use &part : old.operands())
      parts.push_back(value(*cast<Constant>(part), numberOf));
    if (auto *array = dyn_cast<ArrayType>(type(*old.getType())))
      return ConstantArray::get(array, parts);
    return ConstantStruct::get(cast<StructType>(type(*old.getType())), parts);
  }

  /// Steps in a variable say its type, see sourceTypeOf().
  void steps(Value &pointer) {
    for (User *user : pointer.users())
      if (auto *step = dyn_cast<GetElementPtrInst>(user)) {
        step->setSourceElementType(type(*step->getSourceElementType()));
        step->setResultElementType(type(*step->getResultElementType()));
        steps(*step);
      }
  }

private:
  /// A record of the source stays one, which has a name.
  StructType *recordOf(StructType &old) {
    if (StructType *made = records.lookup(&old))
      return made;
    SmallVector<Type *, 8> parts;
    for (Type *part : old.elements())
      parts.push_back(type(*part));
    return records[&old] =
               old.isLiteral()
                   ? StructType::get(old.getContext(), parts, old.isPacked())
                   : StructType::create(parts, (old.getName() + ".numbers").str(), old.isPacked());
  }

  DenseMap<StructType *, StructType *> records;
};

/// A constant array of pointers and what reads it.
struct PointerTable {
  GlobalVariable *variable;
  SmallVector<LoadInst *, 8> reads;
};

class Numberer {
public:
  Numberer(Module &module, unsigned lanes)
      : module(module), data(module.getDataLayout()), lanes(lanes) {}

  bool run() {
    for (GlobalVariable &variable : module.globals())
      add(variable);
    joinObjects();
    for (PointerTable &table : tables)
      rewrite(table);
    replaceObjects();
    return !tables.empty();
  }

private:
  void add(GlobalVariable &variable) {
    if (!variable.hasInitializer() || variable.hasSection() ||
        !holdsPointers(*variable.getValueType()))
      return;
    convertUsersOfConstantsToInstructions({&variable});
    PointerTable table{&variable, {}};
    SetVector<Constant *> pointers;
    if (!findReads(variable, table.reads) || !findPointers(*variable.getInitializer(), pointers))
      return;
    SmallVector<GlobalVariable *, 8> objects;
    for (Constant *pointer : pointers) {
      const std::optional<Target> target = targetOf(*pointer, data);
      if (!target ||
          elementOf(*target->object) != elementOf(*targetOf(*pointers.front(), data)->object))
        return;
      objects.push_back(target->object);
    }
    for (GlobalVariable *object : objects) {
      classes.insert(object);
      classes.unionSets(objects.front(), object);
      if (known.insert(object))
        names[object] = variable.getName().str() + ".targets";
    }
    tables.push_back(std::move(table));
  }

  /// Puts the elements of one object behind those of the other.
  void joinObjects() {
    MapVector<GlobalVariable *, SmallVector<GlobalVariable *, 8>> members;
    for (GlobalVariable *object : known)
      members[classes.getLeaderValue(object)].push_back(object);
    for (auto &[leader, objects] : members)
      join(objects);
  }

  void join(ArrayRef<GlobalVariable *> objects) {
    Type *element = elementOf(*objects.front());
    SmallVector<Constant *, 64> values;
    for (GlobalVariable *object : objects) {
      const uint64_t own = countOf(*object);
      values.resize(alignTo(values.size(), std::min<uint64_t>(lanes, PowerOf2Ceil(own))),
                    Constant::getNullValue(element));
      starts[object] = values.size();
      const uint64_t size = data.getTypeAllocSize(element);
      for (uint64_t i = 0; i < own; i++)
        values.push_back(ConstantFoldLoadFromConst(object->getInitializer(), element,
                                                   APInt(64, i * size), data));
    }
    auto *type = ArrayType::get(element, values.size());
    const bool isConstant = all_of(objects, [](auto *object) { return object->isConstant(); });
    auto *joined = new GlobalVariable(module, type, isConstant, GlobalValue::InternalLinkage,
                                      ConstantArray::get(type, values), names[objects.front()],
                                      objects.front());
    for (GlobalVariable *object : objects)
      arrays[object] = joined;
  }

  void rewrite(PointerTable &table) {
    GlobalVariable &old = *table.variable;
    GlobalVariable *joined = nullptr;
    Constant *numbers = numbered.value(*old.getInitializer(), [&](Constant &pointer) {
      const Target target = *targetOf(pointer, data);
      joined = arrays[target.object];
      return starts[target.object] + target.element;
    });
    auto *made = new GlobalVariable(module, numbers->getType(), true, GlobalValue::InternalLinkage,
                                    numbers, old.getName() + ".numbers", &old);
    numbered.steps(old);
    for (LoadInst *read : table.reads)
      if (read->getType()->isPointerTy()) {
        IRBuilder<> builder(read);
        Value *number = builder.CreateLoad(builder.getInt32Ty(), read->getPointerOperand());
        read->replaceAllUsesWith(builder.CreateGEP(elementOf(*joined), joined, number));
        read->eraseFromParent();
      }
    old.replaceAllUsesWith(made);
    old.eraseFromParent();
  }

  /// What else uses an object uses its part of the array.
  void replaceObjects() {
    for (GlobalVariable *object : known) {
      GlobalVariable *joined = arrays[object];
      Constant *start = ConstantInt::get(Type::getInt32Ty(module.getContext()), starts[object]);
      object->replaceAllUsesWith(
          ConstantExpr::getInBoundsGetElementPtr(elementOf(*joined), joined, start));
      object->eraseFromParent();
    }
  }

  Module &module;
  const DataLayout &data;
  unsigned lanes;
  Numbered numbered;
  SmallVector<PointerTable, 4> tables;
  SetVector<GlobalVariable *> known; ///< objects that are pointed to
  EquivalenceClasses<GlobalVariable *> classes;
  DenseMap<GlobalVariable *, GlobalVariable *> arrays;
  DenseMap<GlobalVariable *, uint64_t> starts;
  DenseMap<GlobalVariable *, std::string> names; ///< of the first array that points to an object
};

/// A local array that is a copy of a constant and is only read becomes the constant.
bool useConstant(AllocaInst &local) {
  SmallVector<Instruction *, 4> calls;
  SmallVector<LoadInst *, 8> reads;
  GlobalVariable *from = nullptr;
  for (User *user : local.users()) {
    auto *copy = dyn_cast<MemCpyInst>(user);
    auto *call = dyn_cast<IntrinsicInst>(user);
    if (copy && !from && copy->getRawDest() == &local)
      from = dyn_cast<GlobalVariable>(copy->getRawSource());
    else if (!call || !call->isLifetimeStartOrEnd())
      continue;
    calls.push_back(cast<Instruction>(user));
  }
  if (!from || !from->isConstant() || !from->hasInitializer() ||
      from->getValueType() != local.getAllocatedType())
    return false;
  const bool isRead = all_of(local.users(), [&](User *user) {
    return is_contained(calls, user) || isa<LoadInst>(user) ||
           (isa<GetElementPtrInst>(user) && findReads(*user, reads));
  });
  if (!isRead)
    return false;
  for (Instruction *call : calls)
    call->eraseFromParent();
  local.replaceAllUsesWith(from);
  local.eraseFromParent();
  return true;
}

} // namespace

bool numberPointersInTables(Module &module, ArrayRef<Function *> handlers, unsigned lanes) {
  bool changed = false;
  SmallVector<AllocaInst *, 8> locals; // what uses them is erased as well
  for (Function *handler : handlers)
    for (Instruction &inst : handler->getEntryBlock())
      if (auto *local = dyn_cast<AllocaInst>(&inst);
          local && holdsPointers(*local->getAllocatedType()))
        locals.push_back(local);
  for (AllocaInst *local : locals)
    changed |= useConstant(*local);
  return Numberer(module, lanes).run() || changed;
}
} // namespace acis
