// Blocks: their handles, and one-sided access to them.
#include "runtime/host/near/Transfer.h"
#include "runtime/io/Bytes.h"

using namespace acis;
using near::argument;
using near::Problem;
using near::Started;
using wire::Access;
using wire::Outcome;

namespace {

/// Frees what nodes have of a block.
Problem release(acis_near &near, const acis_near_block &block) {
  std::vector<Started> started;
  Problem first;
  for (unsigned i = 0; i < near.nodes.size(); ++i) {
    if (block.handles[i] == 0)
      continue;
    Access access;
    access.op = Access::Op::Free;
    access.place.handle = block.handles[i];
    if (Problem problem = near.start(i, access, started); problem && !first)
      first = std::move(problem);
  }
  Problem rest = near.waitAll(started);
  return first ? first : rest;
}

} // namespace

Problem acis_near::alloc(uint64_t bytes, acis_near_block *&block) {
  block = nullptr;
  auto made = std::make_unique<acis_near_block>();
  made->bytes = bytes;
  made->handles.resize(nodes.size());
  Access access;
  access.op = Access::Op::Alloc;
  access.place.bytes = bytes;
  Problem problem = everywhere(
      access, [&](unsigned node, const Outcome &out) { made->handles[node] = out.value; });
  if (problem) {
    (void)release(*this, *made); // nodes that had room
    return problem;
  }
  block = made.get();
  blocks.push_back(std::move(made));
  return {};
}

Problem acis_near::free(const acis_near_block *block) {
  if (Problem problem = check(block, 0))
    return problem;
  Problem problem = release(*this, *block);
  std::erase_if(blocks, [&](const auto &one) { return one.get() == block; });
  return problem;
}

const char *acis_near_alloc(acis_near *near, uint64_t bytes, acis_near_block **block) {
  return near->give(near->alloc(bytes, *block));
}

const char *acis_near_free(acis_near *near, acis_near_block *block) {
  return near->give(near->free(block));
}

uint64_t acis_near_handle(const acis_near_block *block, unsigned node) {
  return node < block->handles.size() ? block->handles[node] : 0;
}

const char *acis_near_attach(acis_near *near, const uint64_t *handles, uint64_t bytes,
                             acis_near_block **block) {
  auto made = std::make_unique<acis_near_block>();
  made->bytes = bytes;
  made->handles.assign(handles, handles + near->nodes.size());
  *block = nullptr;
  std::vector<Started> started;
  Problem problem;
  for (unsigned i = 0; i < near->nodes.size() && !problem; ++i) {
    Access access; // nothing of its last byte: is it there?
    access.op = Access::Op::Get;
    access.place = {handles[i], bytes, 0};
    problem = near->start(i, access, started);
  }
  Problem waited = near->waitAll(started);
  if (problem || waited)
    return near->give(problem ? std::move(problem) : std::move(waited));
  *block = made.get();
  near->blocks.push_back(std::move(made));
  return near->give({});
}

const char *acis_near_list(acis_near *near, unsigned node, uint64_t *handles, uint64_t *bytes,
                           size_t most, size_t *count) {
  *count = 0;
  if (node >= near->nodes.size())
    return near->give(argument("there is no node " + std::to_string(node)));
  Access access;
  access.op = Access::Op::List;
  for (;;) {
    std::vector<Started> started;
    Outcome out;
    Problem problem = near->start(node, access, started);
    if (!problem)
      problem = near->wait(started.front(), out);
    if (problem)
      return near->give(std::move(problem));
    if (out.data.size() < 16)
      return near->give({});
    for (size_t at = 0; at + 16 <= out.data.size(); at += 16) {
      access.place.handle = io::load<uint64_t>(out.data.data() + at);
      if (*count < most) {
        handles[*count] = access.place.handle;
        bytes[*count] = io::load<uint64_t>(out.data.data() + at + 8);
      }
      ++*count;
    }
  }
}

const char *acis_near_put(acis_near *near, unsigned node, acis_near_block *block, uint64_t offset,
                          const void *data, uint64_t row, uint32_t rows, uint64_t stride) {
  return near->give(near::moveOne(*near, Access::Op::Put, node, block, offset,
                                  const_cast<void *>(data), row, rows, stride));
}

const char *acis_near_get(acis_near *near, unsigned node, acis_near_block *block, uint64_t offset,
                          void *data, uint64_t row, uint32_t rows, uint64_t stride) {
  return near->give(
      near::moveOne(*near, Access::Op::Get, node, block, offset, data, row, rows, stride));
}
