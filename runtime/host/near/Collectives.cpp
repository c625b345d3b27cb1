// Collectives by one-sided access from this rank.
#include "runtime/host/near/Transfer.h"
#include "runtime/switch/collective/Combine.h"

#include <algorithm>
#include <cstring>

using namespace acis;
using near::argument;
using near::Problem;
using near::Started;
using wire::Access;
using wire::Outcome;

namespace {

/// Folds `result` of each node's block in the switch above the nodes. False: it was not done, and
/// nothing has changed. Without result: whether there is such a switch.
bool foldInSwitch(acis_near &near, const acis_near_block *block, std::span<uint8_t> result,
                  ElementType type, ReduceOp op, Problem &problem) {
  uint64_t most = UINT64_MAX;
  for (const auto &node : near.nodes)
    most = std::min<uint64_t>(most, node->accessBytes() / 16 * 16); // whole elements
  std::vector<Started> started;
  Access access;
  access.op = Access::Op::Fold;
  access.context = near.foldContext;
  access.nodes = uint32_t(near.nodes.size());
  access.reduce = op;
  access.type = type;
  uint64_t at = 0;
  do { // a piece on all nodes, then the next one
    const uint64_t bytes = std::min<uint64_t>(most, result.size() - at);
    for (unsigned i = 0; i < near.nodes.size(); ++i) {
      access.place = {block ? block->handles[i] : 0, at, bytes};
      access.position = i;
      if (Problem one = near.start(i, access, started); one && !problem)
        problem = std::move(one);
    }
    at += bytes;
  } while (at < result.size());
  bool isDone = true;
  uint64_t into = 0;
  for (const Started &one : started) {
    Outcome out;
    Problem wrong = near.wait(one, out);
    // One that does not know the request says that it is malformed.
    const bool isRefused = out.failure == Outcome::Failure::NoFold ||
                           (!block && out.failure == Outcome::Failure::Malformed);
    isDone &= !wrong;
    if (wrong && !isRefused && !problem)
      problem = std::move(wrong);
    if (one.node != 0)
      continue;
    const uint64_t bytes = std::min<uint64_t>(most, result.size() - into);
    if (!wrong && out.data.size() == bytes)
      std::copy(out.data.begin(), out.data.end(), result.begin() + long(into));
    else
      isDone = false;
    into += bytes;
  }
  return isDone && !problem;
}

/// The same, if it can be done at all: where it once was not, it is not tried again.
bool foldedInSwitch(acis_near &near, const acis_near_block *block, std::span<uint8_t> result,
                    ElementType type, ReduceOp op, Problem &problem) {
  using Folds = acis_near::Folds;
  if (near.nodes.size() == 1 || result.empty() || near.folds == Folds::Here)
    return false;
  const bool isDone =
      (near.folds == Folds::InSwitch || foldInSwitch(near, nullptr, {}, type, op, problem)) &&
      foldInSwitch(near, block, result, type, op, problem);
  near.folds = isDone ? Folds::InSwitch : Folds::Here;
  return isDone;
}

} // namespace

void acis_near_fold_in_switch(acis_near *near, int wanted) {
  near->folds = wanted ? acis_near::Folds::NotAsked : acis_near::Folds::Here;
}

int acis_near_folds_in_switch(const acis_near *near) {
  return near->folds == acis_near::Folds::InSwitch;
}

void acis_near_traffic(const acis_near *near, uint64_t *packets, uint64_t *bytes) {
  *packets = *bytes = 0;
  for (const auto &node : near->nodes) {
    const SessionCounters &count = node->counters();
    *packets += count.packetsSent + count.packetsReceived;
    *bytes += count.bytesSent + count.bytesReceived;
  }
}

const char *acis_near_bcast(acis_near *near, const void *data, acis_near_block *block,
                            uint64_t bytes) {
  return near->give(
      near::moveAll(*near, Access::Op::Put, const_cast<void *>(data), 0, block, bytes));
}

const char *acis_near_scatter(acis_near *near, const void *data, acis_near_block *block,
                              uint64_t bytes) {
  return near->give(
      near::moveAll(*near, Access::Op::Put, const_cast<void *>(data), bytes, block, bytes));
}

const char *acis_near_gather(acis_near *near, acis_near_block *block, void *data, uint64_t bytes) {
  return near->give(near::moveAll(*near, Access::Op::Get, data, bytes, block, bytes));
}

const char *acis_near_gather_in_turn(acis_near *near, acis_near_block *block, void *data,
                                     uint64_t bytes) {
  for (unsigned i = 0; i < near->nodes.size(); ++i)
    if (Problem problem = near::moveOne(*near, Access::Op::Get, i, block, 0,
                                        static_cast<uint8_t *>(data) + i * bytes, bytes, 1, 0))
      return near->give(std::move(problem));
  return near->give({});
}

const char *acis_near_allgather(acis_near *near, acis_near_block *block, acis_near_block *to,
                                uint64_t bytes) {
  const uint64_t all = bytes * near->nodes.size();
  if (Problem problem = near->check(to, all))
    return near->give(std::move(problem));
  std::vector<uint8_t> data(all);
  if (Problem problem = near::moveAll(*near, Access::Op::Get, data.data(), bytes, block, bytes))
    return near->give(std::move(problem));
  return near->give(near::moveAll(*near, Access::Op::Put, data.data(), 0, to, all));
}

const char *acis_near_reduce(acis_near *near, acis_near_block *block, void *result, uint64_t count,
                             enum acis_type type, enum acis_op op) {
  if (unsigned(type) >= NumElementTypes || unsigned(op) >= NumReduceOps ||
      !isDefined(ReduceOp(op), ElementType(type)) || op == ACIS_NONE || op == ACIS_USER ||
      op == ACIS_MERGE)
    return near->give(argument("this operation on this type is not one of MPI's"));
  const uint64_t bytes = count * bytesOf(ElementType(type));
  Problem problem = near->check(block, bytes);
  if (problem ||
      foldedInSwitch(*near, block, {static_cast<uint8_t *>(result), bytes}, ElementType(type),
                     ReduceOp(op), problem) ||
      problem)
    return near->give(std::move(problem));
  std::vector<uint8_t> data(bytes * near->nodes.size());
  if (Problem problem = near::moveAll(*near, Access::Op::Get, data.data(), bytes, block, bytes))
    return near->give(std::move(problem));
  const std::span<uint8_t> all(data);
  for (size_t i = 1; i < near->nodes.size(); ++i)
    collective::combine(ReduceOp(op), ElementType(type), all.first(bytes),
                        all.subspan(i * bytes, bytes), all.first(bytes));
  std::memcpy(result, data.data(), bytes);
  return near->give({});
}

const char *acis_near_allreduce(acis_near *near, acis_near_block *block, uint64_t count,
                                enum acis_type type, enum acis_op op) {
  if (Problem problem = near->check(block, 0))
    return near->give(std::move(problem));
  std::vector<uint8_t> data(block->bytes);
  if (const char *wrong = acis_near_reduce(near, block, data.data(), count, type, op))
    return wrong;
  return near->give(near::moveAll(*near, Access::Op::Put, data.data(), 0, block,
                                  count * bytesOf(ElementType(type))));
}

const char *acis_near_barrier(acis_near *near) {
  for (auto &[request, launch] : near->launches)
    near->settle(launch); // how they ended is for those who wait for them
  Access access;          // takes its turn after all other requests, on each node
  access.op = Access::Op::List;
  access.place.handle = ~uint64_t(0);
  return near->give(near->everywhere(access, [](unsigned, const Outcome &) {}));
}
