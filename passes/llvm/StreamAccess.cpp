// Objects by their underlying value, positions by ScalarEvolution.
#include "passes/llvm/StreamAccess.h"

#include "passes/llvm/Diagnose.h"
#include "passes/llvm/StaticScalars.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <numeric>

using namespace llvm;

namespace acis {

int64_t Object::elementBytes() const {
  return element ? int64_t(element->getPrimitiveSizeInBits() / 8) : 0;
}

int64_t Object::bytes() const {
  int64_t size = elementBytes();
  for (int64_t extent : shape)
    size *= extent;
  return size;
}

int64_t Object::vpeBytes() const { return perVpe && !shape.empty() ? bytes() / shape[0] : 0; }

std::optional<int64_t> Position::constantStep(const Loop *loop) const {
  for (const Step &step : steps)
    if (step.loop == loop) {
      if (auto *constant = dyn_cast<SCEVConstant>(step.bytes))
        return constant->getAPInt().getSExtValue();
      return std::nullopt;
    }
  return 0;
}

namespace {

/// The name in the source: optimised values keep it for arguments, globals, allocas.
std::string nameOf(const Value &value) { return value.hasName() ? value.getName().str() : "?"; }

/// Names tell arrays apart, so a local one must not have that of a static one. Static ones
/// keep theirs, which is the same in every handler.
std::string arrayName(const Value &base, size_t number) {
  if (isa<GlobalVariable>(base))
    return nameOf(base);
  if (!base.hasName())
    return "array." + std::to_string(number);
  bool isTaken = cast<AllocaInst>(base).getModule()->getNamedValue(base.getName());
  return nameOf(base) + (isTaken ? ".local" : "");
}

bool isElementType(const Type *type) {
  return type->isFloatTy() || type->isDoubleTy() || type->isIntegerTy(8) || type->isIntegerTy(16) ||
         type->isIntegerTy(32) || type->isIntegerTy(64);
}

std::string text(const Type *type) {
  std::string result;
  raw_string_ostream stream(result);
  type->print(stream);
  return result;
}

/// Clang gives an array whose last elements are 0 the type of a structure: the elements that
/// are written down, and the rest. Elements in it if all have one type, else 0.
int64_t countElements(Type *type, Type *&element) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return int64_t(array->getNumElements()) * countElements(array->getElementType(), element);
  if (auto *parts = dyn_cast<StructType>(type)) {
    int64_t sum = 0;
    for (Type *part : parts->elements()) {
      int64_t count = countElements(part, element);
      if (count == 0)
        return 0;
      sum += count;
    }
    return sum;
  }
  if (element && element != type)
    return 0;
  element = type;
  return 1;
}

/// One step per loop, also when several terms move with it.
void addStep(Position &position, const Loop *loop, const SCEV *bytes, ScalarEvolution &evolution) {
  for (Position::Step &step : position.steps)
    if (step.loop == loop) {
      step.bytes = evolution.getAddExpr(step.bytes, bytes);
      return;
    }
  position.steps.push_back({loop, bytes});
}

} // namespace

StreamAccess::StreamAccess(Function &handler, ScalarEvolution &evolution, Diagnostics &diagnostics)
    : evolution(evolution), diagnostics(diagnostics) {
  constexpr ObjectKind kinds[] = {ObjectKind::In, ObjectKind::Out, ObjectKind::Mem,
                                  ObjectKind::Len};
  for (Argument &argument : handler.args()) {
    if (argument.getArgNo() >= std::size(kinds))
      break;
    auto object = std::make_unique<Object>();
    object->kind = kinds[argument.getArgNo()];
    object->base = &argument;
    object->name = nameOf(argument);
    byBase[&argument] = object.get();
    all.push_back(std::move(object));
  }
  for (Instruction &inst : instructions(handler)) {
    Access access;
    access.inst = &inst;
    if (auto *load = dyn_cast<LoadInst>(&inst)) {
      access.pointer = load->getPointerOperand();
      access.type = load->getType();
    } else if (auto *store = dyn_cast<StoreInst>(&inst)) {
      access.pointer = store->getPointerOperand();
      access.stored = store->getValueOperand();
      access.type = access.stored->getType();
    } else {
      continue;
    }
    if (isScratchPointer(access.pointer))
      continue;
    access.object = objectOf(access.pointer, inst);
    if (!access.object)
      continue;
    if (!isElementType(access.type)) {
      diagnostics.push_back(
          diagnose(inst, Refusal(Why::AccessType, access.object->name, text(access.type))));
      continue;
    }
    byInst[&inst] = list.size();
    list.push_back(access);
  }
}

const Access *StreamAccess::find(const Instruction *inst) const {
  auto found = byInst.find(inst);
  return found == byInst.end() ? nullptr : &list[found->second];
}

const Object *StreamAccess::objectOf(Value *pointer, const Instruction &user) {
  SmallVector<const Value *, 4> bases;
  getUnderlyingObjects(pointer, bases, nullptr, 0);
  if (bases.size() == 1) {
    auto *base = const_cast<Value *>(bases[0]);
    if (auto found = byBase.find(base); found != byBase.end())
      return found->second;
    if (isa<AllocaInst, GlobalVariable>(base))
      return addArray(base, user);
  }
  if (bases.size() > 1)
    addOnce(diagnose(user, Refusal(Why::PointerIntoTwo, nameOf(*bases[0]), nameOf(*bases[1]))));
  else
    addOnce(diagnose(user, Refusal(Why::PointerFromNowhere)));
  return nullptr;
}

/// `(*p)++` is a read and a write of one place.
void StreamAccess::addOnce(Diagnostic diagnostic) {
  auto isSame = [&](const Diagnostic &other) {
    return other.file == diagnostic.file && other.line == diagnostic.line &&
           other.column == diagnostic.column && other.refusal == diagnostic.refusal;
  };
  if (none_of(diagnostics, isSame))
    diagnostics.push_back(std::move(diagnostic));
}

const Object *StreamAccess::addArray(Value *base, const Instruction &user) {
  auto object = std::make_unique<Object>();
  object->base = base;
  object->name = arrayName(*base, all.size());
  Type *type = nullptr;
  const Object *result = object.get();
  if (auto *alloca = dyn_cast<AllocaInst>(base)) {
    type = alloca->getAllocatedType();
  } else {
    auto *global = cast<GlobalVariable>(base);
    type = global->getValueType();
    object->perVpe = global->getSection() == "acis.vpe";
    object->persistent = true;
    if (!global->hasInitializer()) {
      diagnostics.push_back(diagnose(user, Refusal(Why::ArrayUndefined, object->name)));
      result = nullptr;
    } else if (!global->getInitializer()->isNullValue()) {
      object->initial = global->getInitializer();
    }
  }
  if (object->perVpe && type->isStructTy()) {
    diagnostics.push_back(diagnose(user, Refusal(Why::ArrayOfVpesEndsInZeros, object->name)));
    result = nullptr;
  }
  while (auto *array = dyn_cast<ArrayType>(type)) {
    object->shape.push_back(int64_t(array->getNumElements()));
    type = array->getElementType();
  }
  if (type->isStructTy()) {
    Type *element = nullptr;
    if (int64_t count = countElements(type, element)) {
      object->shape.push_back(count);
      type = element;
    }
  }
  if (object->shape.empty())
    object->shape.push_back(1);
  object->element = type;
  if (result && !isElementType(type)) {
    diagnostics.push_back(
        diagnose(user, type->isStructTy() ? Refusal(Why::RecordUsedWhole, object->name)
                                          : Refusal(Why::ElementType, object->name, text(type))));
    result = nullptr;
  }
  byBase[base] = result;
  all.push_back(std::move(object));
  return result;
}

const SCEV *StreamAccess::offset(const Access &access) {
  const SCEV *&cached = offsets[access.pointer];
  if (cached)
    return cached;
  const SCEV *pointer = evolution.getSCEV(access.pointer);
  auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(pointer));
  const SCEV *rest = evolution.removePointerBase(pointer);
  bool fromZero =
      base && base->getValue() == access.object->base && access.object->kind != ObjectKind::Mem;
  // A pointer that control code moves is its own base: streams begin at address 0.
  if (!fromZero && base)
    rest = evolution.getAddExpr(rest, evolution.getPtrToIntExpr(base, rest->getType()));
  return cached = rest;
}

void StreamAccess::forget(const Loop &loop) {
  offsets.clear();
  for (Access &access : list)
    if (access.inst && loop.contains(access.inst)) {
      byInst.erase(access.inst);
      access.inst = nullptr;
    }
}

namespace {

/// Behind a loop its index is what it ended with.
class AfterLoops : public SCEVRewriteVisitor<AfterLoops> {
public:
  AfterLoops(const Access &access, ScalarEvolution &evolution)
      : SCEVRewriteVisitor(evolution), access(access) {}

  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *recurrence) {
    const Loop *scope = recurrence->getLoop();
    if (scope->contains(access.inst))
      return SCEVRewriteVisitor::visitAddRecExpr(recurrence);
    while (scope && !scope->contains(access.inst))
      scope = scope->getParentLoop();
    return SE.getSCEVAtScope(recurrence, scope);
  }

private:
  const Access &access;
};

} // namespace

const SCEV *divideExactly(const SCEV *expression, int64_t divisor, ScalarEvolution &evolution) {
  if (divisor == 1)
    return expression;
  if (auto *constant = dyn_cast<SCEVConstant>(expression)) {
    int64_t value = constant->getAPInt().getSExtValue();
    if (value % divisor != 0)
      return nullptr;
    return evolution.getConstant(expression->getType(), uint64_t(value / divisor),
                                 /*isSigned=*/true);
  }
  SmallVector<const SCEV *, 4> parts;
  auto divideEach = [&](ArrayRef<const SCEV *> operands) {
    for (const SCEV *operand : operands)
      parts.push_back(divideExactly(operand, divisor, evolution));
    return !is_contained(parts, nullptr);
  };
  if (auto *add = dyn_cast<SCEVAddExpr>(expression))
    return divideEach(add->operands()) ? evolution.getAddExpr(parts) : nullptr;
  if (auto *product = dyn_cast<SCEVMulExpr>(expression)) {
    parts.assign(product->operands().begin(), product->operands().end());
    parts[0] = divideExactly(parts[0], divisor, evolution);
    return parts[0] ? evolution.getMulExpr(parts) : nullptr;
  }
  if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(expression))
    return divideEach(recurrence->operands())
               ? evolution.getAddRecExpr(parts, recurrence->getLoop(), SCEV::FlagAnyWrap)
               : nullptr;
  return nullptr;
}

Position StreamAccess::position(const Access &access, const Loop *root) {
  Position position;
  SmallVector<const SCEV *, 8> work{offset(access)}, starts;
  SmallVector<std::pair<int64_t, const SCEV *>, 2> indices;
  Type *type = work[0]->getType();
  while (!work.empty()) {
    const SCEV *term = work.pop_back_val();
    if (!root || evolution.isLoopInvariant(term, root)) {
      starts.push_back(term);
      continue;
    }
    if (auto *add = dyn_cast<SCEVAddExpr>(term)) {
      work.append(add->operands().begin(), add->operands().end());
      continue;
    }
    if (const SCEV *last = AfterLoops(access, evolution).visit(term); last != term) {
      work.push_back(last);
      continue;
    }
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(term);
    if (recurrence && recurrence->isAffine() && recurrence->getLoop()->contains(access.inst)) {
      const SCEV *step = recurrence->getStepRecurrence(evolution);
      if (root->contains(recurrence->getLoop()) && evolution.isLoopInvariant(step, root)) {
        addStep(position, recurrence->getLoop(), step, evolution);
        work.push_back(recurrence->getStart());
        continue;
      }
    }
    int64_t factor = 1;
    if (auto *product = dyn_cast<SCEVMulExpr>(term)) {
      if (auto *constant = dyn_cast<SCEVConstant>(product->getOperand(0)))
        factor = constant->getAPInt().getSExtValue();
    } else if (recurrence) {
      factor = evolution.getConstantMultiple(recurrence).getSExtValue();
    }
    indices.push_back({factor, divideExactly(term, factor, evolution)});
  }
  position.start = starts.empty() ? evolution.getZero(type) : evolution.getAddExpr(starts);
  llvm::sort(position.steps, [](const Position::Step &a, const Position::Step &b) {
    return a.loop->getLoopDepth() < b.loop->getLoopDepth();
  });
  for (auto [factor, term] : indices)
    position.scale = std::gcd(position.scale, factor);
  for (auto [factor, term] : indices) {
    const SCEV *part = evolution.getMulExpr(
        evolution.getConstant(type, uint64_t(factor / position.scale), /*isSigned=*/true), term);
    position.index = position.index ? evolution.getAddExpr(position.index, part) : part;
  }
  return position;
}

} // namespace acis
