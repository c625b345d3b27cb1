// Every pointer to a record becomes the number of the record, and every use is written anew for the
// arrays of the members.
#include "passes/llvm/SplitRecords.h"

#include "passes/llvm/Handlers.h"
#include "passes/llvm/RecordTypes.h"
#include "passes/llvm/RecordUses.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace acis {
namespace {

class Splitter {
public:
  Splitter(Value &object, const RecordUses &uses, const DataLayout &data)
      : object(object), uses(uses), data(data), record(uses.type()),
        numberType(data.getIndexType(object.getType())) {}

  /// Lets every use be of `arrays`, a variable for each member.
  void split(ArrayRef<Value *> arrays) {
    members = arrays;
    for (Value *pointer : uses.pointers())
      numberOf(pointer);
    for (auto &[phi, number] : phis)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); i++)
        number->addIncoming(numberOf(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    for (Instruction *use : uses.uses())
      rewrite(*use);
    for (Value *pointer : drop_begin(uses.pointers()))
      pointer->replaceAllUsesWith(PoisonValue::get(pointer->getType()));
    for (Value *pointer : drop_begin(uses.pointers()))
      cast<Instruction>(pointer)->eraseFromParent();
  }

private:
  //===----------------------------------------------------------------------===//
  // Numbers of records
  //===----------------------------------------------------------------------===//

  /// Which record a pointer is to; -1 for none.
  Value *numberOf(Value *pointer) {
    if (pointer == &object)
      return ConstantInt::get(numberType, 0);
    if (isa<ConstantPointerNull>(pointer))
      return ConstantInt::getAllOnesValue(numberType);
    if (isa<UndefValue>(pointer))
      return PoisonValue::get(numberType);
    if (Value *known = numbers.lookup(pointer))
      return known;
    IRBuilder<> builder(cast<Instruction>(pointer));
    Value *number = nullptr;
    if (auto *phi = dyn_cast<PHINode>(pointer)) {
      PHINode *joined = builder.CreatePHI(numberType, phi->getNumIncomingValues());
      phis.emplace_back(phi, joined);
      number = joined;
    } else if (auto *choice = dyn_cast<SelectInst>(pointer)) {
      number = builder.CreateSelect(choice->getCondition(), numberOf(choice->getTrueValue()),
                                    numberOf(choice->getFalseValue()));
    } else {
      auto &step = cast<GetElementPtrInst>(*pointer);
      number = numberAt(builder, step, *uses.analyse(step));
    }
    return numbers[pointer] = number;
  }

  Value *numberAt(IRBuilder<> &builder, GetElementPtrInst &step, const RecordAddress &address) {
    Value *number = numberOf(step.getPointerOperand());
    for (auto [index, records] : address.terms) {
      Value *product = builder.CreateSExtOrTrunc(index, numberType);
      if (records != 1)
        product = builder.CreateMul(product, ConstantInt::getSigned(numberType, records));
      number = add(builder, number, product);
    }
    return add(builder, number, ConstantInt::getSigned(numberType, address.constant));
  }

  static Value *add(IRBuilder<> &builder, Value *left, Value *right) {
    auto isZero = [](Value *value) {
      return isa<ConstantInt>(value) && cast<ConstantInt>(value)->isZero();
    };
    return isZero(left) ? right : isZero(right) ? left : builder.CreateAdd(left, right);
  }

  //===----------------------------------------------------------------------===//
  // The uses, written anew
  //===----------------------------------------------------------------------===//

  Value *placeOf(IRBuilder<> &builder, unsigned member, Value *number) const {
    if (auto *constant = dyn_cast<ConstantInt>(number); constant && constant->isZero())
      return members[member];
    return builder.CreateInBoundsGEP(record->getElementType(member), members[member], number);
  }

  Value *inMember(IRBuilder<> &builder, Value *number, uint64_t bytes) const {
    unsigned member = uses.memberAt(bytes);
    Value *place = placeOf(builder, member, number);
    uint64_t rest = bytes - uses.offsetOf(member);
    return rest ? builder.CreateInBoundsPtrAdd(place, ConstantInt::get(numberType, rest)) : place;
  }

  void rewrite(Instruction &use) {
    IRBuilder<> builder(&use);
    if (auto *step = dyn_cast<GetElementPtrInst>(&use)) {
      rewriteAddress(builder, *step);
    } else if (isa<LoadInst, StoreInst>(use)) {
      rewriteAccess(use, numberOf(getLoadStorePointerOperand(&use)), 0);
      return;
    } else if (auto *compare = dyn_cast<ICmpInst>(&use)) {
      compare->replaceAllUsesWith(builder.CreateICmp(compare->getPredicate(),
                                                     numberOf(compare->getOperand(0)),
                                                     numberOf(compare->getOperand(1))));
    } else if (auto *call = dyn_cast<MemIntrinsic>(&use); call && uses.isOfFirst(*call)) {
      for (Use &operand : call->args())
        if (uses.isPointer(operand))
          operand.set(placeOf(builder, 0, numberOf(operand)));
      return;
    } else if (auto *set = dyn_cast<MemSetInst>(&use)) {
      Value *number = numberOf(set->getRawDest());
      for (unsigned i = 0; i < members.size(); i++)
        builder.CreateMemSet(placeOf(builder, i, number), set->getValue(), bytesOf(i, *set), {});
    } else if (auto *transfer = dyn_cast<MemTransferInst>(&use)) {
      rewriteCopy(builder, *transfer);
    }
    use.eraseFromParent();
  }

  uint64_t bytesOf(unsigned member, const MemIntrinsic &call) const {
    return uses.recordsOf(call) * data.getTypeAllocSize(record->getElementType(member));
  }

  void rewriteAddress(IRBuilder<> &builder, GetElementPtrInst &step) {
    RecordAddress address = *uses.analyse(step);
    Value *number = numberAt(builder, step, address);
    if (address.kind == RecordAddress::Kind::Bytes) {
      for (User *user : make_early_inc_range(step.users()))
        if (isa<MemIntrinsic>(user))
          user->replaceUsesOfWith(&step, inMember(builder, number, address.bytes));
        else
          rewriteAccess(cast<Instruction>(*user), number, address.bytes);
      return;
    }
    Value *place = placeOf(builder, address.member, number);
    SmallVector<Value *, 4> inner(drop_begin(step.operands(), address.inner));
    Type *type = step.getSourceElementType();
    if (recordOf(type) == record) {
      type = record->getElementType(address.member);
      inner.insert(inner.begin(), ConstantInt::get(numberType, 0));
    }
    place = builder.CreateGEP(type, place, inner, "", step.getNoWrapFlags());
    step.replaceAllUsesWith(place);
  }

  void rewriteAccess(Instruction &access, Value *number, uint64_t bytes) {
    IRBuilder<> builder(&access);
    Type *type = getLoadStoreType(&access);
    if (uses.isInMember(data.getTypeStoreSize(type), bytes)) {
      access.replaceUsesOfWith(getLoadStorePointerOperand(&access),
                               inMember(builder, number, bytes));
      return;
    }
    Value *whole = isa<LoadInst>(access) ? ConstantInt::get(type, 0)
                                         : cast<StoreInst>(access).getValueOperand();
    for (unsigned member : uses.partsOf(type, bytes)) {
      Type *part = record->getElementType(member);
      Type *bits = builder.getIntNTy(data.getTypeStoreSizeInBits(part));
      Value *place = placeOf(builder, member, number);
      const uint64_t shift = 8 * (uses.offsetOf(member) - bytes);
      if (isa<LoadInst>(access)) {
        Value *value = builder.CreateBitCast(builder.CreateLoad(part, place), bits);
        whole = builder.CreateOr(whole, builder.CreateShl(builder.CreateZExt(value, type), shift));
      } else {
        Value *value = builder.CreateTrunc(builder.CreateLShr(whole, shift), bits);
        builder.CreateStore(builder.CreateBitCast(value, part), place);
      }
    }
    if (isa<LoadInst>(access))
      access.replaceAllUsesWith(whole);
    access.eraseFromParent();
  }

  void rewriteCopy(IRBuilder<> &builder, MemTransferInst &copy) {
    GlobalVariable *table = uses.tableOf(copy);
    if (!table || uses.isPointer(copy.getRawSource())) {
      for (uint64_t number = 0; number < uses.recordsOf(copy); number++)
        copyRecord(builder, copy, number);
      return;
    }
    Value *number = numberOf(copy.getRawDest());
    for (unsigned i = 0; i < members.size(); i++)
      builder.CreateMemCpy(placeOf(builder, i, number), {}, partOf(*table, i), {},
                           bytesOf(i, copy));
  }

  /// One of the records of a copy, `ahead` of the first.
  void copyRecord(IRBuilder<> &builder, MemTransferInst &copy, uint64_t ahead) {
    Value *step = ConstantInt::get(numberType, ahead);
    for (unsigned i = 0; i < members.size(); i++) {
      Type *type = record->getElementType(i);
      auto placeIn = [&](Value *pointer) -> Value * {
        if (uses.isPointer(pointer))
          return placeOf(builder, i, add(builder, numberOf(pointer), step));
        return builder.CreateInBoundsGEP(record, pointer, {step, builder.getInt32(i)});
      };
      Value *to = placeIn(copy.getRawDest());
      Value *from = placeIn(copy.getRawSource());
      if (isNumber(type))
        builder.CreateStore(builder.CreateLoad(type, from), to);
      else
        builder.CreateMemCpy(to, {}, from, {}, data.getTypeAllocSize(type));
    }
  }

  GlobalVariable *partOf(GlobalVariable &table, unsigned member) const {
    Constant *values = valuesOfMember(table, member);
    return new GlobalVariable(*table.getParent(), values->getType(), /*isConstant=*/true,
                              GlobalValue::PrivateLinkage, values,
                              table.getName() + "." + Twine(member));
  }

  Value &object;
  const RecordUses &uses;
  const DataLayout &data;
  StructType *record;
  Type *numberType;
  ArrayRef<Value *> members;
  DenseMap<Value *, Value *> numbers;
  SmallVector<std::pair<PHINode *, PHINode *>, 2> phis;
};

/// Splits a variable if all that it is used for allows it, and, with `indexed`, one cannot do
/// without. `make` makes the one of a member.
bool splitVariable(Value &object, Type *type, bool indexed, const DataLayout &data,
                   function_ref<Value *(unsigned member, Type *)> make) {
  StructType *record = recordOf(type);
  if (!record || record->getNumElements() < 2)
    return false;
  RecordUses uses(object, record, data);
  if (!uses.collect() || (indexed && !uses.isIndexed()))
    return false;
  SmallVector<Value *, 8> members;
  for (unsigned i = 0; i < record->getNumElements(); i++)
    members.push_back(make(i, arrayOfMember(type, i)));
  Splitter(object, uses, data).split(members);
  return true;
}

bool splitStatic(GlobalVariable &object, SmallVectorImpl<GlobalVariable *> &made) {
  convertUsersOfConstantsToInstructions({&object}); // IRBuilder makes constants of addresses
  Type *whole = sourceTypeOf(object);
  auto make = [&](unsigned member, Type *type) {
    made.push_back(new GlobalVariable(*object.getParent(), type, object.isConstant(),
                                      object.getLinkage(), valuesOfMember(object, member),
                                      object.getName() + "." + Twine(member), &object));
    made.back()->setSection(object.getSection());
    return made.back();
  };
  if (!splitVariable(object, whole, /*indexed=*/false, object.getDataLayout(), make))
    return false;
  object.eraseFromParent();
  return true;
}

bool splitLocal(AllocaInst &object, bool indexed, SmallVectorImpl<AllocaInst *> &made) {
  auto make = [&](unsigned member, Type *type) {
    made.push_back(new AllocaInst(type, object.getAddressSpace(),
                                  object.getName() + "." + Twine(member), object.getIterator()));
    return made.back();
  };
  if (!splitVariable(object, object.getAllocatedType(), indexed, object.getDataLayout(), make))
    return false;
  object.eraseFromParent();
  return true;
}

/// Static records of the module, of which every use is an instruction.
SmallVector<GlobalVariable *, 8> staticRecords(Module &module) {
  SmallVector<GlobalVariable *, 8> records;
  for (GlobalVariable &variable : module.globals()) {
    if (!variable.hasInitializer() || !elementOf(variable.getValueType())->isStructTy())
      continue;
    convertUsersOfConstantsToInstructions({&variable});
    // A table that is only copied is split for what it is copied to.
    if (variable.isConstant() && all_of(variable.users(), IsaPred<MemTransferInst>))
      continue;
    if (recordOf(sourceTypeOf(variable)))
      records.push_back(&variable);
  }
  return records;
}

SmallVector<AllocaInst *, 8> localRecords(Function &handler) {
  SmallVector<AllocaInst *, 8> records;
  for (Instruction &inst : handler.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&inst);
        variable && variable->isStaticAlloca() && recordOf(variable->getAllocatedType()))
      records.push_back(variable);
  return records;
}

} // namespace

// SROA would do that too, but it also makes copies of records copies of bytes.
void promotePointers(Function &handler) {
  SmallVector<AllocaInst *, 16> pointers;
  for (Instruction &inst : handler.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&inst);
        variable && variable->getAllocatedType()->isPointerTy() && isAllocaPromotable(variable))
      pointers.push_back(variable);
  DominatorTree tree(handler);
  PromoteMemToReg(pointers, tree);
}

bool splitStaticRecords(Module &module) {
  SmallVector<GlobalVariable *, 8> records = staticRecords(module);
  if (records.empty())
    return false;
  for (Function *handler : handlersOf(module))
    promotePointers(*handler);
  for (size_t at = 0; at < records.size(); at++)
    splitStatic(*records[at], records);
  return true;
}

bool splitLocalRecords(Function &handler, bool indexed) {
  SmallVector<AllocaInst *, 8> records = localRecords(handler);
  if (records.empty())
    return false;
  promotePointers(handler);
  for (size_t at = 0; at < records.size(); at++)
    splitLocal(*records[at], indexed, records);
  return true;
}

} // namespace acis
