#include "runtime/host/client/Plan.h"

#include "runtime/switch/collective/Combine.h"
#include "runtime/switch/collective/Shapes.h"

#include <algorithm>
#include <cstring>

namespace acis::client {

using namespace collective;

namespace {

/// Bytes of a block that a message may have: what a member gives, in some shapes a block
/// for each member, is cut to one datagram, or to 16 KB where datagrams are smaller.
uint64_t mostInMessage(Shape shape, uint32_t size, uint32_t messageBytes, uint32_t cutBytes,
                       uint64_t itemBytes) {
  constexpr uint32_t SmallestCut = 16'384;
  const uint64_t most = messageBytes / largestMessage(shape, 1, size);
  const uint64_t given = std::max(cutBytes, SmallestCut) / blockUp(shape, 1, size);
  return std::min(most, std::max(given, itemBytes));
}

} // namespace

Result<Plan> Plan::make(const Collective &call, const Tree &tree, uint32_t me,
                        uint32_t messageBytes, uint32_t cutBytes) {
  Plan plan;
  plan.tree = &tree;
  plan.kind = call.kind;
  plan.op = call.op;
  plan.type = call.type;
  plan.handle = call.op == ReduceOp::User ? uint32_t(call.operatorHandle) : 0;
  plan.me = me;
  plan.size = uint32_t(tree.rankAt.size());
  plan.count = call.count;
  plan.shape = shapeOf(call.kind);
  if (call.root >= plan.size)
    return Error{"", "root " + std::to_string(call.root) + " of a communicator of " +
                         std::to_string(plan.size)};
  plan.root = tree.positionOf[call.root];
  if (isReduction(call.kind) && !isDefined(call.op, call.type))
    return Error{"", "operation " + std::string(nameOf(call.op)) + " is not defined on " +
                         std::string(nameOf(call.type))};
  if (call.op == ReduceOp::User && isReduction(call.kind) && plan.handle == 0)
    return Error{"", "the user operator was not loaded"};
  if (!isReduction(call.kind))
    plan.op = ReduceOp::None;

  if (call.kind == Kind::ReduceScatter) {
    if (call.counts.size() != plan.size)
      return Error{"", "reduce_scatter with " + std::to_string(call.counts.size()) +
                           " counts on a communicator of " + std::to_string(plan.size)};
    const bool same = std::all_of(call.counts.begin(), call.counts.end(),
                                  [&](uint64_t n) { return n == call.counts[0]; });
    if (same) {
      plan.shape = Shape::FoldSplit;
      plan.count = call.counts[0];
    }
  }
  // Where positions are not ranks, the switches do not see rank order.
  const bool ordered = call.kind == Kind::Scan || call.kind == Kind::Exscan ||
                       (isReduction(call.kind) && !call.commutative);
  if (ordered && !tree.rankOrder) {
    if (call.op == ReduceOp::User || plan.shape == Shape::FoldSplit ||
        call.kind == Kind::ReduceScatter)
      return Error{"", std::string(nameOf(call.kind)) +
                           " in rank order needs the ranks placed in blocks on the leaves"};
    plan.foldsHere = true;
    plan.shape = plan.shape == Shape::FoldRoot ? Shape::GatherRoot : Shape::GatherAll;
  }

  const size_t bytes = bytesOf(call.type);
  const bool merges = plan.op == ReduceOp::Merge;
  const uint64_t item = plan.op == ReduceOp::User || merges ? call.itemElements : 1;
  auto isWhole = [&](uint64_t elements) { return elements % item == 0; };
  if (item == 0 || !isWhole(call.count) ||
      !std::all_of(call.counts.begin(), call.counts.end(), isWhole))
    return Error{"", "an operator on items of " + std::to_string(item) +
                         " elements, of which the count is no multiple"};
  const uint64_t most = mostInMessage(plan.shape, plan.size, messageBytes, cutBytes, item * bytes);
  plan.most = most / bytes / item * item;
  if (merges) // a message is one sparse vector
    plan.most = std::min(plan.most, item);
  if (plan.most == 0)
    return Error{"", std::string(nameOf(call.kind)) + " on " + std::to_string(plan.size) +
                         " ranks: one " + (item > 1 ? "item" : "element") +
                         " of each does not fit a message of " + std::to_string(messageBytes) +
                         " bytes"};
  plan.given = static_cast<const uint8_t *>(call.send);
  plan.wanted = static_cast<uint8_t *>(call.recv);
  const bool atRoot = me == call.root;
  switch (call.kind) {
  case Kind::Bcast: // one buffer, whichever is given
    if (!plan.given)
      plan.given = plan.wanted;
    if (!plan.wanted)
      plan.wanted = static_cast<uint8_t *>(const_cast<void *>(call.send));
    plan.oneWay = atRoot;
    break;
  case Kind::Scatter:
    plan.oneWay = atRoot;
    break;
  case Kind::Gather:
    if (!plan.given && plan.wanted)
      plan.given = plan.wanted + call.root * call.count * bytes;
    plan.oneWay = !atRoot;
    break;
  case Kind::Allgather:
    if (!plan.given && plan.wanted)
      plan.given = plan.wanted + me * call.count * bytes;
    break;
  case Kind::Reduce:
    plan.oneWay = !atRoot;
    [[fallthrough]];
  default:
    if (!plan.given)
      plan.given = plan.wanted;
  }

  auto pieces = [&](uint64_t n) { return (n + plan.most - 1) / plan.most; };
  plan.total = call.kind == Kind::Barrier ? 1 : pieces(plan.count);
  if (call.kind == Kind::Barrier)
    plan.count = 0;
  if (plan.shape == Shape::FoldRoot && call.kind == Kind::ReduceScatter) {
    plan.total = plan.count = 0;
    for (uint64_t n : call.counts) {
      plan.firstFragment.push_back(plan.total);
      plan.firstElement.push_back(plan.count);
      plan.total += pieces(n);
      plan.count += n;
    }
    plan.firstFragment.push_back(plan.total);
    plan.firstElement.push_back(plan.count);
    if (plan.given && plan.given == plan.wanted) {
      plan.copy.assign(plan.given, plan.given + plan.count * bytes);
      plan.given = plan.copy.data();
    }
  }
  return plan;
}

Plan::Piece Plan::piece(uint64_t fragment) const {
  if (firstFragment.empty()) {
    const uint64_t from = fragment * most;
    return {from, std::min(most, count - std::min(count, from)), root, true};
  }
  const auto next = std::upper_bound(firstFragment.begin(), firstFragment.end(), fragment);
  const size_t rank = size_t(next - firstFragment.begin()) - 1;
  const uint64_t inBlock = (fragment - firstFragment[rank]) * most;
  const uint64_t block = firstElement[rank + 1] - firstElement[rank];
  return {firstElement[rank] + inBlock, std::min(most, block - inBlock), tree->positionOf[rank],
          rank == me};
}

wire::Header Plan::header(uint64_t fragment) const {
  const Piece p = piece(fragment);
  wire::Header header;
  header.fragment = uint32_t(fragment);
  header.count = uint32_t(p.count);
  header.root = p.root;
  header.kind = kind;
  header.op = op;
  header.element = type;
  header.shape = shape;
  header.handle = handle;
  return header;
}

uint32_t Plan::resultBytes(uint64_t fragment) const {
  const Piece p = piece(fragment);
  return uint32_t(
      bytesDown(shape, p.count * bytesOf(type), {tree->positionOf[me], 1, size}, p.root));
}

std::span<const uint8_t> Plan::message(uint64_t fragment, std::vector<uint8_t> &scratch) const {
  const Piece p = piece(fragment);
  const size_t bytes = bytesOf(type), unit = p.count * bytes;
  if (unit == 0 || (upOf(shape) == Up::Source && p.root != tree->positionOf[me]))
    return {};
  if (!contributesAll(shape))
    return {given + p.from * bytes, unit};
  scratch.resize(unit * size);
  for (uint32_t position = 0; position < size; ++position)
    std::memcpy(scratch.data() + position * unit,
                given + (tree->rankAt[position] * count + p.from) * bytes, unit);
  return scratch;
}

/// Folds the blocks of a gather in rank order, as far as this rank's result needs.
void Plan::local(uint64_t fragment, std::span<const uint8_t> bytes) const {
  const Piece p = piece(fragment);
  const size_t unit = p.count * bytesOf(type);
  auto block = [&](uint32_t rank) { return bytes.subspan(tree->positionOf[rank] * unit, unit); };
  uint32_t last = size;
  if (kind == Kind::Scan)
    last = me + 1;
  else if (kind == Kind::Exscan)
    last = me;
  if (last == 0)
    return;
  std::span<uint8_t> out(wanted + p.from * bytesOf(type), unit);
  std::copy(block(0).begin(), block(0).end(), out.begin());
  for (uint32_t rank = 1; rank < last; ++rank)
    combine(op, type, out, block(rank), out);
}

void Plan::result(uint64_t fragment, std::span<const uint8_t> bytes) const {
  if (!bytes.empty() && wanted && !put(fragment, 0, bytes))
    local(fragment, bytes);
}

/// Of a result that is one block: where it belongs.
uint8_t *Plan::wholeAt(const Piece &p) const {
  const uint64_t at = firstElement.empty() ? p.from : p.from - firstElement[me];
  return wanted + at * bytesOf(type);
}

std::span<uint8_t> Plan::placeOf(uint64_t fragment, size_t from, size_t bytes) const {
  const Piece p = piece(fragment);
  const size_t unit = p.count * bytesOf(type);
  if (foldsHere || !wanted || (kind == Kind::Exscan && me == 0) || resultBytes(fragment) != unit)
    return {};
  const std::span<uint8_t> place(wholeAt(p) + from, bytes);
  // What this rank gives may have to be sent again.
  const bool gives = upOf(shape) != Up::Source || p.root == tree->positionOf[me];
  const auto begin = uintptr_t(given), end = begin + bytesGiven();
  const bool overlaps = gives && given && uintptr_t(place.data()) < end &&
                        uintptr_t(place.data()) + place.size() > begin;
  return overlaps ? std::span<uint8_t>() : place;
}

bool Plan::put(uint64_t fragment, size_t from, std::span<const uint8_t> bytes) const {
  if (foldsHere)
    return false;
  if (!wanted || (kind == Kind::Exscan && me == 0))
    return true; // MPI leaves the buffer as it is
  const Piece p = piece(fragment);
  const size_t element = bytesOf(type), unit = p.count * element;
  if (resultBytes(fragment) == unit) {
    uint8_t *const at = wholeAt(p) + from;
    if (at != bytes.data()) // it may have been received there
      std::memcpy(at, bytes.data(), bytes.size());
    return true;
  }
  while (!bytes.empty()) { // each block, or what is here of it, to its rank's place
    const size_t position = from / unit, within = from % unit;
    const size_t n = std::min(unit - within, bytes.size());
    std::memcpy(wanted + (tree->rankAt[position] * count + p.from) * element + within, bytes.data(),
                n);
    from += n;
    bytes = bytes.subspan(n);
  }
  return true;
}

void Plan::copyLocal() const {
  if (kind != Kind::Scatter || root != tree->positionOf[me] || !wanted)
    return;
  const size_t block = count * bytesOf(type);
  std::memmove(wanted, given + me * block, block);
}

uint64_t Plan::bytesGiven() const {
  return count * bytesOf(type) * (contributesAll(shape) ? size : 1);
}

uint64_t Plan::bytesFolded() const {
  if (upOf(shape) != Up::Fold || total == 0)
    return 0;
  return blockUp(shape, piece(0).count * bytesOf(type), size);
}

} // namespace acis::client
