// See LinearBits.h. A value is a matrix: of each of its bits, the bits whose sum it is.
#include "passes/dfg/transforms/LinearBits.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <array>

using namespace mlir;

namespace acis::dfg {
namespace {

constexpr unsigned MostLeaves = 4, MostMembers = 400, MostTerms = 24;

uint64_t lowest(unsigned bits) { return llvm::maskTrailingOnes<uint64_t>(bits); }

/// The bits whose sum a bit is, and whether it is turned.
struct Row {
  std::array<uint64_t, MostLeaves> from{}; ///< by leaf
  bool turned = false;

  bool isConstant() const {
    return llvm::all_of(from, [](uint64_t bits) { return bits == 0; });
  }
  bool isZero() const { return isConstant() && !turned; }
  Row operator^(const Row &other) const {
    Row sum = *this;
    for (auto [bits, more] : llvm::zip(sum.from, other.from))
      bits ^= more;
    sum.turned ^= other.turned;
    return sum;
  }
};
using Rows = SmallVector<Row, 0>; ///< by bit, the lowest first

/// What is linear above a value, down to leaves that are not.
class Cone {
public:
  /// What the carry takes; nothing if that itself is not linear or there is too much above it.
  static std::optional<Cone> above(CarryOp carry);

  ArrayRef<Value> leaves() const { return leafValues; }
  const Rows &rows() const { return rootRows; }

  unsigned widthOf(Value leaf) const {
    return leaf == carried ? carriedBits : bitsOf(leaf.getType());
  }

private:
  Cone(Value carried, unsigned carriedBits) : carried(carried), carriedBits(carriedBits) {}
  static std::optional<Cone> above(CarryOp carry, unsigned carriedBits);
  bool expand(Value root, const llvm::SmallPtrSetImpl<Operation *> &stops);
  Value onlySum(Value leaf) const;
  std::optional<Rows> rowsOf(Value value);
  std::optional<Rows> leaf(Value value);
  Rows remember(Value value, Rows rows);
  void forgetSince(size_t time, size_t leaves);
  std::optional<Rows> apply(ComputeOp op);
  std::optional<Rows> choose(ComputeOp op);
  std::optional<Rows> compare(ComputeOp op);
  std::optional<Rows> shift(ComputeOp op, Rows rows);

  Value carried;
  unsigned carriedBits; ///< of which the higher ones are 0
  const llvm::SmallPtrSetImpl<Operation *> *cut = nullptr;
  SmallVector<Value> leafValues;
  llvm::DenseMap<Value, Rows> known;
  SmallVector<Value> history;                 ///< keys of `known`, in the order in which they came
  llvm::SmallPtrSet<Operation *, 32> members; ///< the linear operations
  Rows rootRows;
};

bool isInteger(Value value) {
  return mlir::isa<IntegerType>(elementOf(value.getType())) && bitsOf(value.getType()) <= 64;
}

std::optional<Rows> Cone::leaf(Value value) {
  if (leafValues.size() == MostLeaves || !isInteger(value) ||
      !mlir::isa<VectorType>(value.getType()))
    return std::nullopt;
  Rows rows(bitsOf(value.getType()));
  for (unsigned bit = 0; bit < widthOf(value); ++bit)
    rows[bit].from[leafValues.size()] = uint64_t(1) << bit;
  leafValues.push_back(value);
  return remember(value, std::move(rows));
}

Rows Cone::remember(Value value, Rows rows) {
  history.push_back(value);
  return known[value] = std::move(rows);
}

/// Operands of an operation that is not linear are no leaves.
void Cone::forgetSince(size_t time, size_t leaves) {
  while (history.size() > time) {
    Value value = history.pop_back_val();
    known.erase(value);
    members.erase(value.getDefiningOp());
  }
  leafValues.resize(leaves);
}

std::optional<Rows> Cone::rowsOf(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  if (std::optional<int64_t> constant = constantOf(value); constant && isInteger(value)) {
    Rows rows(bitsOf(value.getType()));
    for (auto [bit, row] : llvm::enumerate(rows))
      row.turned = uint64_t(*constant) >> bit & 1;
    return rows;
  }
  auto op = value.getDefiningOp<ComputeOp>();
  if (!op || !isInteger(value) || op.getDistances() || op.getImmediate() || cut->contains(op) ||
      members.size() == MostMembers)
    return leaf(value);
  size_t time = history.size(), leaves = leafValues.size();
  if (std::optional<Rows> rows = apply(op)) {
    members.insert(op);
    return remember(value, *rows);
  }
  forgetSince(time, leaves);
  return leaf(value);
}

/// By a constant; the amount is taken modulo the width.
std::optional<Rows> Cone::shift(ComputeOp op, Rows rows) {
  std::optional<int64_t> constant = constantOf(op.getInputs()[1]);
  if (!constant)
    return std::nullopt;
  size_t width = rows.size(), by = size_t(*constant) % width;
  Rows moved(width);
  for (size_t bit = 0; bit < width; ++bit) {
    if (op.getOp() == OpKind::Rotl)
      moved[(bit + by) % width] = rows[bit];
    else if (op.getOp() == OpKind::Shl)
      moved[bit] = bit >= by ? rows[bit - by] : Row();
    else
      moved[bit] = bit + by < width             ? rows[bit + by]
                   : op.getOp() == OpKind::Ashr ? rows.back()
                                                : Row();
  }
  return moved;
}

/// A choice between two values that differ in constant bits adds these.
std::optional<Rows> Cone::choose(ComputeOp op) {
  std::optional<Rows> condition = rowsOf(op.getInputs()[0]);
  std::optional<Rows> yes = condition ? rowsOf(op.getInputs()[1]) : std::nullopt;
  std::optional<Rows> no = yes ? rowsOf(op.getInputs()[2]) : std::nullopt;
  if (!no || llvm::count_if(*condition, [](const Row &row) { return !row.isZero(); }) != 1)
    return std::nullopt;
  const Row &chosen = *llvm::find_if(*condition, [](const Row &row) { return !row.isZero(); });
  for (auto [row, other] : llvm::zip(*no, *yes)) {
    Row difference = row ^ other;
    if (!difference.isConstant())
      return std::nullopt;
    if (difference.turned)
      row = row ^ chosen;
  }
  return no;
}

/// Tests that depend on one bit.
std::optional<Rows> Cone::compare(ComputeOp op) {
  std::optional<Rows> a = rowsOf(op.getInputs()[0]);
  std::optional<Rows> b = a ? rowsOf(op.getInputs()[1]) : std::nullopt;
  if (!b)
    return std::nullopt;
  Rows result(1);
  if (op.getOp() == OpKind::Slt) {
    if (constantOf(op.getInputs()[1]) == 0)
      return Rows{a->back()};
    if (constantOf(op.getInputs()[0]) != -1)
      return std::nullopt;
    result[0] = b->back();
    result[0].turned = !result[0].turned;
    return result;
  }
  unsigned different = 0;
  for (auto [left, right] : llvm::zip(*a, *b))
    if (Row difference = left ^ right; !difference.isZero()) {
      ++different;
      result[0] = difference;
    }
  if (different != 1)
    return std::nullopt;
  if (op.getOp() == OpKind::Eq)
    result[0].turned = !result[0].turned;
  return result;
}

std::optional<Rows> Cone::apply(ComputeOp op) {
  OpKind kind = op.getOp();
  if (kind == OpKind::Select)
    return choose(op);
  if (kind == OpKind::Eq || kind == OpKind::Ne || kind == OpKind::Slt)
    return compare(op);
  bool two = kind == OpKind::Xor || kind == OpKind::And || kind == OpKind::Or;
  bool shifts =
      kind == OpKind::Shl || kind == OpKind::Lshr || kind == OpKind::Ashr || kind == OpKind::Rotl;
  if (!two && !shifts && kind != OpKind::Mov && kind != OpKind::Sext)
    return std::nullopt;
  if (!isInteger(op.getInputs()[0]))
    return std::nullopt;
  std::optional<Rows> rows = rowsOf(op.getInputs()[0]);
  if (!rows || shifts)
    return rows ? shift(op, *rows) : rows;
  if (!two) {
    Row above = kind == OpKind::Sext ? rows->back() : Row();
    rows->resize(bitsOf(op.getType()), above);
    return rows;
  }
  std::optional<Rows> others = rowsOf(op.getInputs()[1]);
  if (!others)
    return std::nullopt;
  for (auto [row, other] : llvm::zip(*rows, *others)) {
    if (kind == OpKind::Xor || row.isZero() || other.isZero()) {
      row = kind == OpKind::And ? Row() : row ^ other;
      continue;
    }
    if (!row.isConstant())
      std::swap(row, other);
    if (!row.isConstant()) // the product of two sums
      return std::nullopt;
    if (kind == OpKind::And)
      row = other;
  }
  return rows;
}

/// The sum of the leaf and something else, if nothing else in the cone uses the leaf.
Value Cone::onlySum(Value leaf) const {
  ComputeOp only;
  for (Operation *user : leaf.getUsers()) {
    if (!members.contains(user))
      continue;
    if (only && only != user)
      return {};
    only = cast<ComputeOp>(user);
  }
  return only && only.getOp() == OpKind::Xor ? only.getResult() : Value();
}

bool Cone::expand(Value root, const llvm::SmallPtrSetImpl<Operation *> &stops) {
  cut = &stops;
  auto op = root.getDefiningOp<ComputeOp>();
  std::optional<Rows> rows = op && isInteger(root) && !op.getDistances() ? apply(op) : std::nullopt;
  cut = nullptr;
  if (!rows)
    return false;
  members.insert(op);
  rootRows = *rows;
  return true;
}

std::optional<Cone> Cone::above(CarryOp carry, unsigned carriedBits) {
  llvm::SmallPtrSet<Operation *, 4> stops;
  for (unsigned round = 0; round <= MostLeaves; ++round) {
    Cone cone(carry.getResult(), carriedBits);
    if (!cone.expand(carry.getValue(), stops))
      return std::nullopt;
    // crc ^ byte is one value to go on from, not two.
    bool changed = false;
    for (Value leaf : cone.leaves())
      if (Value sum = cone.onlySum(leaf); sum && sum != carry.getValue())
        changed |= stops.insert(sum.getDefiningOp()).second;
    if (!changed)
      return cone;
  }
  return std::nullopt;
}

/// High bits that are 0 at first and that no iteration sets stay 0.
std::optional<Cone> Cone::above(CarryOp carry) {
  unsigned width = bitsOf(carry.getType()), bits = width;
  if (std::optional<int64_t> initial = constantOf(carry.getInit()))
    bits = unsigned(llvm::bit_width(uint64_t(*initial) & lowest(width)));
  for (;;) {
    std::optional<Cone> cone = above(carry, bits);
    unsigned reach = width;
    if (cone)
      for (reach = unsigned(cone->rows().size()); reach > 0 && cone->rows()[reach - 1].isZero();)
        --reach;
    if (reach <= bits)
      return cone;
    bits = reach;
  }
}

/// A part of the sum: a field of a leaf, moved, or a constant if a bit is set.
struct Summand {
  enum Kind { Field, Rotated, Bit } kind = Field;
  int left = 0;          ///< Field, Rotated: by so many bits
  uint64_t mask = 0;     ///< Field: bits of the leaf that are taken; Bit: the one
  bool masked = false;   ///< Field: they have to be cut out
  uint64_t constant = 0; ///< Bit

  unsigned operations() const {
    return kind == Bit ? 3 : kind == Rotated ? 2 : 1 + (left != 0) + masked;
  }
};

uint64_t moved(uint64_t bits, int left) { return left >= 0 ? bits << left : bits >> -left; }

/// The columns of a leaf as few terms: the one that gives most for its operations, again and
/// again.
class Cover {
public:
  /// By bit of the leaf, those of the `result` bits of the root that it goes to. `rotates`: both
  /// are all bits of the type that is computed in.
  Cover(SmallVector<uint64_t> columns, unsigned result, bool rotates)
      : columns(std::move(columns)), width(unsigned(this->columns.size())), result(result),
        rotates(rotates) {}

  bool run(SmallVectorImpl<Summand> &terms) {
    while (llvm::any_of(columns, [](uint64_t column) { return column != 0; })) {
      if (terms.size() == MostTerms)
        return false;
      best = {};
      gain = 0;
      for (unsigned bit = 0; bit < width; ++bit)
        consider({Summand::Bit, 0, uint64_t(1) << bit, false, columns[bit]},
                 unsigned(llvm::popcount(columns[bit])));
      for (int left = 1 - int(width); left < int(result); ++left)
        considerField(left);
      for (unsigned by = 1; rotates && by < width; ++by)
        considerRotation(by);
      take();
      terms.push_back(best);
    }
    return true;
  }

private:
  void consider(const Summand &term, unsigned bits) {
    if (bits * best.operations() > gain * term.operations()) {
      best = term;
      gain = bits;
    }
  }
  void considerField(int left) {
    uint64_t mask = 0, all = 0;
    for (unsigned bit = 0; bit < width; ++bit) {
      int to = int(bit) + left;
      if (to < 0 || to >= int(result))
        continue;
      all |= uint64_t(1) << bit;
      if (columns[bit] >> to & 1)
        mask |= uint64_t(1) << bit;
    }
    consider({Summand::Field, left, mask, mask != all, 0}, unsigned(llvm::popcount(mask)));
  }
  void considerRotation(unsigned by) {
    for (unsigned bit = 0; bit < width; ++bit)
      if ((columns[bit] >> (bit + by) % width & 1) == 0)
        return;
    consider({Summand::Rotated, int(by), lowest(width), false, 0}, width);
  }
  void take() {
    for (unsigned bit = 0; bit < width; ++bit) {
      uint64_t one = uint64_t(1) << bit;
      if (best.kind == Summand::Bit)
        columns[bit] = best.mask == one ? 0 : columns[bit];
      else if (best.kind == Summand::Rotated)
        columns[bit] &= ~(uint64_t(1) << (bit + unsigned(best.left)) % width);
      else if (best.mask & one)
        columns[bit] &= ~moved(one, best.left);
    }
  }

  SmallVector<uint64_t> columns;
  unsigned width, result;
  bool rotates;
  Summand best;
  unsigned gain = 0;
};

/// Writes the sum in front of an operation.
class Writer {
public:
  Writer(Operation *before, Type type) : builder(before), loc(before->getLoc()), type(type) {}

  void add(Value leaf, const Summand &term) {
    Value &wide = resized[leaf];
    if (!wide)
      wide = resize(leaf, type);
    Value value = wide;
    if (term.kind == Summand::Bit) {
      Value bit = op(OpKind::And, value, constant(term.mask));
      append(ComputeOp::create(builder, loc, type, OpKind::Select,
                               ValueRange{bit, constant(term.constant), constant(0)}));
      return;
    }
    if (term.masked)
      value = op(OpKind::And, value, constant(term.mask));
    if (term.kind == Summand::Rotated)
      value = op(OpKind::Rotl, value, constant(uint64_t(term.left)));
    else if (term.left != 0)
      value = op(term.left > 0 ? OpKind::Shl : OpKind::Lshr, value,
                 constant(uint64_t(std::abs(term.left))));
    append(value);
  }
  void turn(uint64_t bits) {
    if (sum && bits != 0)
      sum = op(OpKind::Xor, sum, constant(bits));
  }
  /// Null if nothing was added.
  Value finish(Type result) { return sum ? resize(sum, result) : sum; }

private:
  Value op(OpKind kind, Value a, Value b) {
    return ComputeOp::create(builder, loc, type, kind, ValueRange{a, b});
  }
  Value constant(uint64_t value) {
    auto element = cast<IntegerType>(elementOf(type));
    APInt bits(element.getWidth(), value & lowest(element.getWidth()));
    return ConstOp::create(builder, loc, builder.getIntegerAttr(element, bits));
  }
  Value resize(Value value, Type to) {
    if (value.getType() == to)
      return value;
    return ComputeOp::create(builder, loc, to, OpKind::Mov, ValueRange{value});
  }
  void append(Value value) { sum = sum ? op(OpKind::Xor, sum, value) : value; }

  OpBuilder builder;
  Location loc;
  Type type;
  llvm::DenseMap<Value, Value> resized; ///< leaves in `type`
  Value sum;
};

/// By bit of leaf number `leaf`, which has `width` bits: the bits that it goes to.
SmallVector<uint64_t> columnsOf(const Rows &rows, unsigned leaf, unsigned width) {
  SmallVector<uint64_t> columns(width, 0);
  for (auto [to, row] : llvm::enumerate(rows))
    for (unsigned bit = 0; bit < width; ++bit)
      if (row.from[leaf] >> bit & 1)
        columns[bit] |= uint64_t(1) << to;
  return columns;
}

void eraseUnused(Value value) {
  llvm::SmallSetVector<Operation *, 8> open;
  open.insert(value.getDefiningOp());
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (!mlir::isa<ComputeOp, ConstOp>(op) || !op->use_empty())
      continue;
    for (Value operand : op->getOperands())
      if (Operation *above = operand.getDefiningOp())
        open.insert(above);
    op->erase();
  }
}

} // namespace

bool flattenLinear(CarryOp carry) {
  Value root = carry.getValue();
  std::optional<Cone> cone = Cone::above(carry);
  if (!cone || cone->leaves().empty())
    return false;
  Type type = root.getType();
  for (Value leaf : cone->leaves())
    if (bitsOf(leaf.getType()) > bitsOf(type))
      type = leaf.getType();
  if (bitsOf(type) < 8)
    return false;
  SmallVector<SmallVector<Summand>, MostLeaves> terms(cone->leaves().size());
  unsigned result = unsigned(cone->rows().size());
  for (unsigned leaf = 0; leaf < terms.size(); ++leaf) {
    unsigned width = cone->widthOf(cone->leaves()[leaf]);
    bool rotates = width == result && width == bitsOf(type);
    if (!Cover(columnsOf(cone->rows(), leaf, width), result, rotates).run(terms[leaf]))
      return false;
  }
  uint64_t turned = 0;
  for (auto [bit, row] : llvm::enumerate(cone->rows()))
    turned |= uint64_t(row.turned) << bit;
  Writer writer(root.getDefiningOp(), type);
  for (auto [leaf, own] : llvm::zip(cone->leaves(), terms))
    for (const Summand &term : own)
      writer.add(leaf, term);
  writer.turn(turned);
  Value made = writer.finish(root.getType());
  if (!made)
    return false;
  root.replaceAllUsesWith(made);
  eraseUnused(root);
  return true;
}

} // namespace acis::dfg
