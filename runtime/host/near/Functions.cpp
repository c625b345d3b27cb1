// Functions: loading and composing.
#include "runtime/host/near/Communicator.h"
#include "runtime/switch/wire/Control.h"

#include <algorithm>

using namespace acis;
using near::argument;
using near::Problem;
using near::Started;
using wire::Access;
using wire::Outcome;

namespace {

/// Brings a binary to a node. The first piece has no data: the node may have it.
Problem load(acis_near &near, unsigned node, std::span<const uint8_t> elf, const std::string &name,
             uint64_t hash) {
  Access access;
  access.op = Access::Op::Load;
  access.function = hash;
  access.total = uint32_t(elf.size());
  access.name = name;
  const size_t most = near.nodes[node]->accessBytes() - std::min<size_t>(name.size(), 256);
  Outcome out;
  do {
    access.offset = uint32_t(out.value);
    std::vector<Started> started;
    if (Problem problem = near.start(node, access, started))
      return problem;
    const uint64_t before = out.value;
    if (Problem problem = near.wait(started.front(), out))
      return problem;
    if (!access.data.empty() && out.value <= before)
      return {ACIS_NEAR_NODE, near.names[node] + ": does not take the binary"};
    const size_t at = std::min<size_t>(out.value, elf.size());
    access.data = elf.subspan(at, std::min(most, elf.size() - at));
  } while (out.value < elf.size());
  return {};
}

} // namespace

const char *acis_near_load(acis_near *near, const void *elf, size_t bytes, const char *name,
                           uint32_t in_bytes, uint32_t out_bytes, acis_near_function **function) {
  *function = nullptr;
  const std::string handler = name ? name : "";
  if (!elf || bytes == 0 || bytes > UINT32_MAX || in_bytes == 0 || out_bytes == 0 ||
      handler.size() > 256)
    return near->give(argument("a function needs a binary, a name of at most 256 characters, and "
                               "elements of one byte or more"));
  const std::span<const uint8_t> binary(static_cast<const uint8_t *>(elf), bytes);
  auto made = std::make_unique<acis_near_function>();
  made->stages = {wire::operatorHash(binary, handler)};
  made->inBytes = in_bytes;
  made->outBytes = out_bytes;
  for (unsigned i = 0; i < near->nodes.size(); ++i)
    if (Problem problem = load(*near, i, binary, handler, made->stages[0]))
      return near->give(std::move(problem));
  *function = made.get();
  near->functions.push_back(std::move(made));
  return near->give({});
}

const char *acis_near_compose(acis_near *near, const acis_near_function *first,
                              const acis_near_function *second, acis_near_function **function) {
  *function = nullptr;
  if (!near->knows(first) || !near->knows(second))
    return near->give(argument("not a function of this communicator"));
  if (first->outBytes != second->inBytes)
    return near->give(argument("the first gives elements of " + std::to_string(first->outBytes) +
                               " bytes, the second takes " + std::to_string(second->inBytes)));
  if (first->stages.size() + second->stages.size() > Access::MostStages)
    return near->give(argument("more than " + std::to_string(Access::MostStages) + " functions"));
  auto made = std::make_unique<acis_near_function>(*first);
  made->stages.insert(made->stages.end(), second->stages.begin(), second->stages.end());
  made->outBytes = second->outBytes;
  *function = made.get();
  near->functions.push_back(std::move(made));
  return near->give({});
}
