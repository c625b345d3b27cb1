// Bytes between here and blocks, cut into what requests hold.
#pragma once

#include "runtime/host/near/Communicator.h"

namespace acis::near {

/// PUT or GET of the first `bytes` of a block on all nodes at the same time: here they lie `step`
/// apart, 0 for the same of all.
Problem moveAll(acis_near &near, wire::Access::Op op, void *data, uint64_t step,
                const acis_near_block *block, uint64_t bytes);

/// Of one node: `rows` rows of `row` bytes, one behind the other here and `stride` apart there.
Problem moveOne(acis_near &near, wire::Access::Op op, unsigned node, const acis_near_block *block,
                uint64_t offset, void *data, uint64_t row, uint32_t rows, uint64_t stride);

} // namespace acis::near
