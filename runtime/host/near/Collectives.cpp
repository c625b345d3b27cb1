// Collectives by one-sided access from this rank.
#include "runtime/host/near/Transfer.h"
#include "runtime/switch/collective/Combine.h"

#include <cstring>

using namespace acis;
using near::argument;
using near::Problem;
using near::Started;
using wire::Access;
using wire::Outcome;

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
      !isDefined(ReduceOp(op), ElementType(type)) || op == ACIS_NONE || op == ACIS_USER)
    return near->give(argument("this operation on this type is not one of MPI's"));
  const uint64_t bytes = count * bytesOf(ElementType(type));
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
