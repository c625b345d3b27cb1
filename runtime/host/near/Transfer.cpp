#include "runtime/host/near/Transfer.h"

#include <algorithm>
#include <cstring>

namespace acis::near {

using wire::Access;
using wire::Outcome;

namespace {

/// Bytes between here and a block, cut into what requests hold. Everything is started before
/// anything is waited for, so that all nodes are at work.
class Transfer {
public:
  Transfer(acis_near &near, Access::Op op) : near(near), op(op) {}

  Problem add(unsigned node, const acis_near_block &block, uint64_t offset, uint8_t *here,
              uint64_t row, uint32_t rows, uint64_t stride) {
    const uint64_t most = near.nodes[node]->accessBytes();
    if (row <= most) {
      const uint32_t together = uint32_t(std::max<uint64_t>(1, row ? most / row : rows));
      for (uint32_t first = 0; first < rows; first += std::min(together, rows - first))
        if (Problem problem = piece(node, block, offset + first * stride, here + first * row, row,
                                    std::min(together, rows - first), stride))
          return problem;
      return {};
    }
    for (uint32_t i = 0; i < rows; ++i)
      for (uint64_t at = 0; at < row; at += most)
        if (Problem problem = piece(node, block, offset + i * stride + at, here + i * row + at,
                                    std::min(most, row - at), 1, 0))
          return problem;
    return {};
  }

  Problem finish() {
    return near.waitAll(started, [&](size_t i, const Outcome &out) {
      if (op == Access::Op::Get)
        std::memcpy(where[i].data(), out.data.data(), std::min(where[i].size(), out.data.size()));
    });
  }

private:
  Problem piece(unsigned node, const acis_near_block &block, uint64_t offset, uint8_t *here,
                uint64_t row, uint32_t rows, uint64_t stride) {
    Access access;
    access.op = op;
    access.place = {block.handles[node], offset, row};
    access.rows = rows;
    access.stride = stride;
    const std::span<uint8_t> bytes(here, row * rows);
    if (op == Access::Op::Put)
      access.data = bytes;
    if (Problem problem = near.start(node, access, started))
      return problem;
    where.push_back(bytes);
    return {};
  }

  acis_near &near;
  Access::Op op;
  std::vector<Started> started;
  std::vector<std::span<uint8_t>> where;
};

} // namespace

Problem moveAll(acis_near &near, Access::Op op, void *data, uint64_t step,
                const acis_near_block *block, uint64_t bytes) {
  if (Problem problem = near.check(block, bytes))
    return problem;
  Transfer transfer(near, op);
  Problem first;
  for (unsigned i = 0; i < near.nodes.size(); ++i)
    if (Problem problem =
            transfer.add(i, *block, 0, static_cast<uint8_t *>(data) + i * step, bytes, 1, 0);
        problem && !first)
      first = std::move(problem);
  Problem rest = transfer.finish();
  return first ? first : rest;
}

Problem moveOne(acis_near &near, Access::Op op, unsigned node, const acis_near_block *block,
                uint64_t offset, void *data, uint64_t row, uint32_t rows, uint64_t stride) {
  if (node >= near.nodes.size())
    return argument("node " + std::to_string(node) + "; there are " +
                    std::to_string(near.nodes.size()));
  if (Problem problem = near.check(block, 0))
    return problem;
  const uint64_t most = uint64_t(1) << 40;
  if (row > most || stride > most)
    return argument("rows of more than " + std::to_string(most) + " bytes");
  if (Problem problem = near.check(
          block, rows ? std::min(offset, ~uint64_t(0) >> 1) + (rows - 1) * stride + row : 0))
    return problem;
  Transfer transfer(near, op);
  Problem added =
      transfer.add(node, *block, offset, static_cast<uint8_t *>(data), row, rows, stride);
  Problem rest = transfer.finish();
  return added ? added : rest;
}

} // namespace acis::near
