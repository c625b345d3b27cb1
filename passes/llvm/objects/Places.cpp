// See Places.h.
#include "passes/llvm/objects/Places.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"

#include <numeric>

using namespace llvm;

namespace acis {
namespace {

class Divider {
public:
  explicit Divider(int64_t size) : size(size) {}

  bool run(Value &value, int64_t scale, Number &sum) {
    if (auto *constant = dyn_cast<ConstantInt>(&value)) {
      if (constant->getSExtValue() * scale % size != 0)
        return false;
      sum.constant += constant->getSExtValue() * scale / size;
      return true;
    }
    if (scale % size == 0) {
      sum.add({&value, 1, scale / size});
      return true;
    }
    auto *inst = dyn_cast<Instruction>(&value);
    if (!inst || !inst->getType()->isIntegerTy() || inst->getType()->getIntegerBitWidth() < 32)
      return false;
    const bool isSum = is_contained({Instruction::Add, Instruction::Sub}, inst->getOpcode());
    if ((isSum || isa<PHINode, SelectInst>(inst)) && !seen.insert({inst, scale}).second)
      return addQuotient(*inst, scale, sum); // found before, or assumed on the way round a loop
    if (inst->getOpcode() == Instruction::Add)
      return run(*inst->getOperand(0), scale, sum) && run(*inst->getOperand(1), scale, sum);
    if (inst->getOpcode() == Instruction::Sub)
      return run(*inst->getOperand(0), scale, sum) && run(*inst->getOperand(1), -scale, sum);
    if (std::optional<int64_t> factor = factorOf(*inst))
      return run(*inst->getOperand(0), scale * *factor, sum);
    if (isa<PHINode, SelectInst>(inst))
      return choice(*inst, scale, sum);
    // Bits that are 0.
    const uint64_t divisor = uint64_t(size / std::gcd(scale, size));
    return isPowerOf2_64(divisor) &&
           computeKnownBits(inst, inst->getDataLayout()).countMinTrailingZeros() >=
               Log2_64(divisor) &&
           addQuotient(*inst, scale, sum);
  }

private:
  /// Of a product with, or a shift by, a constant.
  static std::optional<int64_t> factorOf(const Instruction &inst) {
    auto *by = inst.getNumOperands() == 2 ? dyn_cast<ConstantInt>(inst.getOperand(1)) : nullptr;
    if (by && inst.getOpcode() == Instruction::Mul)
      return by->getSExtValue();
    if (by && inst.getOpcode() == Instruction::Shl && by->getValue().ult(32))
      return int64_t(1) << by->getZExtValue();
    return std::nullopt;
  }

  bool choice(Instruction &inst, int64_t scale, Number &sum) {
    Number option; // which does not matter
    return all_of(optionsOf(inst), [&](Value *value) { return run(*value, scale, option); }) &&
           addQuotient(inst, scale, sum);
  }

  bool addQuotient(Instruction &inst, int64_t scale, Number &sum) const {
    const int64_t common = std::gcd(scale, size);
    sum.add({&inst, uint64_t(size / common), scale / common});
    return true;
  }

  int64_t size;
  DenseSet<std::pair<Instruction *, int64_t>> seen;
};

} // namespace

void Number::add(const Term &term) {
  for (Term &other : terms)
    if (other.value == term.value && other.of == term.of) {
      other.factor += term.factor;
      if (other.factor == 0)
        terms.erase(&other);
      return;
    }
  if (term.factor != 0)
    terms.push_back(term);
}

void Number::add(const Number &other, int64_t factor) {
  constant += other.constant * factor;
  for (const Term &term : other.terms)
    add({term.value, term.of, term.factor * factor});
}

bool Place::descend() {
  const Part *member = part().memberAt(rest);
  if (!member)
    return false;
  const uint64_t inside = rest - member->offset;
  path.push_back(member);
  numbers.emplace_back().constant = int64_t(inside / member->stride);
  rest = inside % member->stride;
  return true;
}

Number Place::bytes() const {
  Number sum;
  sum.constant = int64_t(rest);
  for (auto [part, number] : zip_equal(path, numbers)) {
    sum.constant += int64_t(part->offset);
    sum.add(number, int64_t(part->stride));
  }
  return sum;
}

bool isPointerChoice(const Value &value) {
  return isa<PHINode, SelectInst>(value) && value.getType()->isPointerTy();
}

SmallVector<Value *, 4> optionsOf(const Instruction &choice) {
  auto options = drop_begin(choice.operands(), isa<SelectInst>(choice) ? 1 : 0);
  return SmallVector<Value *, 4>(options.begin(), options.end());
}

Value *leafOf(Value &pointer) {
  Value *leaf = &pointer;
  while (auto *step = dyn_cast<GEPOperator>(leaf))
    leaf = step->getPointerOperand();
  return leaf;
}

bool divide(Value &value, int64_t scale, int64_t size, Number &sum) {
  return Divider(size).run(value, scale, sum);
}

bool Places::move(Place &place, const GEPOperator &step) const {
  SmallMapVector<Value *, APInt, 4> variable;
  APInt constant(data.getIndexTypeSizeInBits(step.getType()), 0);
  if (!step.collectOffset(data, constant.getBitWidth(), variable, constant))
    return false;
  SmallVector<std::pair<Value *, int64_t>, 4> terms;
  for (auto &[value, scale] : variable)
    terms.emplace_back(value, scale.getSExtValue());
  sort(terms,
       [](auto &left, auto &right) { return std::abs(left.second) > std::abs(right.second); });
  auto advance = [&](int64_t bytes) {
    const auto stride = int64_t(place.part().stride);
    const int64_t behind = int64_t(place.rest) + bytes;
    place.numbers.back().constant += divideFloorSigned(behind, stride);
    place.rest = uint64_t(behind - divideFloorSigned(behind, stride) * stride);
  };
  int64_t bytes = constant.getSExtValue();
  for (auto [value, scale] : terms) {
    // Steps within an element are steps in an array that is a member.
    while (scale % int64_t(place.part().stride) != 0 && !place.part().number) {
      advance(bytes);
      bytes = 0;
      if (!place.descend())
        return false;
    }
    if (place.part().extents.empty() && place.path.size() > 1)
      return false;
    if (!divide(*value, scale, int64_t(place.part().stride), place.numbers.back()))
      return false;
    place.isDivided |= scale % int64_t(place.part().stride) != 0;
  }
  advance(bytes);
  return true;
}

std::optional<Place> Places::of(Value &pointer) {
  if (auto *step = dyn_cast<GEPOperator>(&pointer)) {
    std::optional<Place> place = of(*step->getPointerOperand());
    if (place && !move(*place, *step)) {
      failed = true;
      return std::nullopt;
    }
    return place;
  }
  if (auto found = known.find(&pointer); found != known.end())
    return found->second;
  const bool isNull = isa<ConstantPointerNull>(pointer);
  auto found = starts.find(&pointer);
  if (found == starts.end() && !isNull)
    return std::nullopt;
  Place place;
  place.path.push_back(root);
  place.numbers.emplace_back().constant = isNull ? NullElement : int64_t(found->second);
  return place;
}

/// The place that all options have, as far as they are known.
std::optional<Place> Places::join(Instruction &choice) {
  std::optional<Place> joined;
  const SmallVector<Value *, 4> options = optionsOf(choice);
  const bool isNothing = all_of(options, IsaPred<ConstantPointerNull>);
  for (Value *option : options) {
    std::optional<Place> place = of(*option);
    if (!place || (isa<ConstantPointerNull>(option) && !isNothing))
      continue;
    if (!joined)
      joined = place;
    while (!joined->isIn(*place)) {
      const size_t depth = joined->path.size(), other = place->path.size();
      if ((depth <= other && !joined->descend()) || (other <= depth && !place->descend())) {
        failed = true;
        return std::nullopt;
      }
    }
  }
  return joined;
}

bool Places::settle(ArrayRef<Instruction *> choices) {
  failed = false;
  for (bool changed = true; changed && !failed;) {
    changed = false;
    for (Instruction *choice : choices) {
      std::optional<Place> place = join(*choice);
      auto found = known.find(choice);
      if (!place || (found != known.end() && found->second.isIn(*place)))
        continue;
      for (auto [depth, part] : enumerate(place->path)) {
        Number &number = place->numbers[depth];
        number = Number();
        if (depth == 0 || !part->extents.empty())
          number.add({choice, depth, 1});
      }
      place->isChosen = true;
      place->isDivided = false;
      known[choice] = *place;
      changed = true;
    }
  }
  return !failed && all_of(choices, [&](Instruction *choice) { return known.contains(choice); });
}

/// The element that no object has, wherever in it the other one is.
static Place nullAt(Place other) {
  for (Number &number : other.numbers)
    number = Number();
  other.numbers.front().constant = NullElement;
  return other;
}

Place Places::optionOf(Instruction &choice, Value &pointer) {
  if (isa<ConstantPointerNull>(pointer))
    return nullAt(known[&choice]);
  Place place = *of(pointer);
  while (place.path.size() < known[&choice].path.size())
    place.descend();
  return place;
}

Number Places::bytesFrom(Value &from, Value &to) {
  const Place first = *of(from), last = *of(to);
  Number bytes = (isa<ConstantPointerNull>(to) ? nullAt(first) : last).bytes();
  bytes.add((isa<ConstantPointerNull>(from) ? nullAt(last) : first).bytes(), -1);
  return bytes;
}

} // namespace acis
