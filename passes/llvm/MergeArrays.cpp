// Parts start at the beat of lanes that they would start at alone.
#include "passes/llvm/MergeArrays.h"

#include "passes/llvm/Handlers.h"
#include "passes/llvm/PointerWebs.h"
#include "passes/llvm/SplitRecords.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace acis {
namespace {

constexpr uint64_t MostLanes = 16; ///< elements to which the start of a part is aligned, at most

/// One array, and the parts of it that were arrays.
struct Layout {
  Type *element;
  uint64_t count = 0;                                  ///< elements
  SmallVector<std::pair<Value *, uint64_t>, 4> starts; ///< an array and its first element
  std::string name;

  explicit Layout(Type *element) : element(element) {}

  void add(Value &array, Type *type, const DataLayout &data) {
    uint64_t elements = data.getTypeAllocSize(type) / data.getTypeAllocSize(element);
    uint64_t start = alignTo(count, std::min(MostLanes, PowerOf2Ceil(elements)));
    starts.emplace_back(&array, start);
    count = start + elements;
    name += (name.empty() ? "" : ".") + array.getName().str();
  }
  Type *type() const { return ArrayType::get(element, count); }
};

/// What a constant holds at `offset`, as `type`; its own type may be another of the same bytes.
Constant *valueAt(Constant &whole, Type *type, uint64_t offset, const DataLayout &data) {
  if (!type->isAggregateType())
    return ConstantFoldLoadFromConst(&whole, type, APInt(32, offset), data);
  SmallVector<Constant *, 16> parts;
  if (auto *array = dyn_cast<ArrayType>(type)) {
    const uint64_t size = data.getTypeAllocSize(array->getElementType());
    for (uint64_t i = 0; i < array->getNumElements(); i++)
      parts.push_back(valueAt(whole, array->getElementType(), offset + i * size, data));
    return ConstantArray::get(array, parts);
  }
  auto *record = cast<StructType>(type);
  const StructLayout &layout = *data.getStructLayout(record);
  for (unsigned i = 0; i < record->getNumElements(); i++)
    parts.push_back(
        valueAt(whole, record->getElementType(i), offset + layout.getElementOffset(i), data));
  return ConstantStruct::get(record, parts);
}

/// The initial values of all parts; 0 between them.
Constant *initialValues(const Layout &layout, const DataLayout &data) {
  SmallVector<Constant *, 64> values(layout.count, Constant::getNullValue(layout.element));
  const uint64_t size = data.getTypeAllocSize(layout.element);
  for (auto [array, start] : layout.starts) {
    auto *variable = cast<GlobalVariable>(array);
    if (variable->getInitializer()->isNullValue())
      continue;
    uint64_t elements = data.getTypeAllocSize(variable->getValueType()) / size;
    for (uint64_t i = 0; i < elements; i++)
      values[start + i] = valueAt(*variable->getInitializer(), layout.element, i * size, data);
  }
  return ConstantArray::get(cast<ArrayType>(layout.type()), values);
}

void mergeStatic(ArrayRef<GlobalVariable *> arrays, Type *element, Module &module) {
  Layout layout(element);
  bool isConstant = true;
  for (GlobalVariable *array : arrays) {
    layout.add(*array, array->getValueType(), module.getDataLayout());
    isConstant &= array->isConstant();
  }
  auto *merged = new GlobalVariable(module, layout.type(), isConstant, GlobalValue::InternalLinkage,
                                    initialValues(layout, module.getDataLayout()), layout.name,
                                    arrays.front());
  for (auto [array, start] : layout.starts) {
    Constant *number = ConstantInt::get(Type::getInt32Ty(module.getContext()), start);
    array->replaceAllUsesWith(ConstantExpr::getInBoundsGetElementPtr(element, merged, number));
    cast<GlobalVariable>(array)->eraseFromParent();
  }
}

void dropLifetimes(AllocaInst &array) {
  for (User *user : make_early_inc_range(array.users()))
    if (auto *call = dyn_cast<IntrinsicInst>(user); call && call->isLifetimeStartOrEnd())
      call->eraseFromParent();
}

/// What a local array holds at the start of a call is not defined, so it may be what it held.
GlobalVariable *makeStatic(AllocaInst &array) {
  dropLifetimes(array);
  auto *made =
      new GlobalVariable(*array.getModule(), array.getAllocatedType(),
                         /*isConstant=*/false, GlobalValue::InternalLinkage,
                         Constant::getNullValue(array.getAllocatedType()), array.getName());
  array.replaceAllUsesWith(made);
  array.eraseFromParent();
  return made;
}

/// Static arrays that are to be one, by handler and over all of them.
class StaticClasses {
public:
  void add(Function &handler, WebElements kind) {
    for (const PointerWeb &web : pointerWebs(handler, kind)) {
      bool isStatic = any_of(web.arrays, IsaPred<GlobalVariable>);
      bool hasArray = any_of(web.arrays, [](Value *base) {
        auto *variable = dyn_cast<GlobalVariable>(base);
        return variable && variable->getValueType()->isAggregateType();
      });
      if (web.arrays.size() < 2 || !isStatic || !hasArray)
        continue;
      GlobalVariable *first = nullptr;
      for (Value *base : web.arrays) {
        auto *local = dyn_cast<AllocaInst>(base);
        auto *variable = local ? makeStatic(*local) : cast<GlobalVariable>(base);
        elements[variable] = web.element;
        first = first ? first : variable;
        classes.unionSets(first, variable);
      }
    }
  }

  bool merge(Module &module) {
    MapVector<GlobalVariable *, SmallVector<GlobalVariable *, 4>> groups;
    for (GlobalVariable &variable : module.globals())
      if (elements.count(&variable))
        groups[classes.getLeaderValue(&variable)].push_back(&variable);
    for (auto &[leader, group] : groups)
      mergeStatic(group, elements[group.front()], module);
    return !groups.empty();
  }

private:
  EquivalenceClasses<GlobalVariable *> classes;
  DenseMap<GlobalVariable *, Type *> elements;
};

/// Whether a handler may choose between pointers: it has a variable for one.
bool keepsPointers(Function &handler) {
  return any_of(instructions(handler), [](Instruction &inst) {
    auto *variable = dyn_cast<AllocaInst>(&inst);
    return isPointerChoice(inst) || (variable && variable->getAllocatedType()->isPointerTy());
  });
}

} // namespace

bool mergeStaticArrays(Module &module, WebElements kind) {
  StaticClasses classes;
  if (kind == WebElements::Records) // tell the type of what they use, see sourceTypeOf()
    for (GlobalVariable &variable : module.globals())
      if (variable.hasInitializer() && variable.getValueType()->isAggregateType())
        convertUsersOfConstantsToInstructions({&variable});
  for (Function *handler : handlersOf(module))
    if (keepsPointers(*handler)) {
      promotePointers(*handler);
      classes.add(*handler, kind);
    }
  return classes.merge(module);
}

bool mergeLocalArrays(Function &handler) {
  bool changed = false;
  for (const PointerWeb &web : pointerWebs(handler)) {
    if (web.arrays.size() < 2 || !all_of(web.arrays, IsaPred<AllocaInst>))
      continue;
    Layout layout(web.element);
    for (Value *array : web.arrays)
      layout.add(*array, cast<AllocaInst>(array)->getAllocatedType(), handler.getDataLayout());
    IRBuilder<> builder(&*handler.getEntryBlock().getFirstInsertionPt());
    AllocaInst *merged = builder.CreateAlloca(layout.type(), nullptr, layout.name);
    for (auto [array, start] : layout.starts) {
      dropLifetimes(*cast<AllocaInst>(array));
      array->replaceAllUsesWith(
          builder.CreateInBoundsGEP(web.element, merged, builder.getInt32(start)));
    }
    for (auto [array, start] : layout.starts) // the builder stands in front of one
      cast<AllocaInst>(array)->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace acis
