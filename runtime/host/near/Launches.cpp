// Launches: starting functions on all nodes, and their ends.
#include "runtime/host/near/Communicator.h"

#include <algorithm>

using namespace acis;
using near::argument;
using near::Problem;
using near::Started;
using wire::Access;
using wire::Outcome;

namespace {

/// Starts a function on all nodes; each is to write `gives` bytes.
Problem launch(acis_near &near, const acis_near_function *function, acis_near_block *in,
               acis_near_block *operand, acis_near_block *out, uint64_t length, uint64_t gives,
               acis_near_request *request) {
  *request = 0;
  if (!near.knows(function))
    return argument("not a function of this communicator");
  if (length == 0 || length > UINT32_MAX / std::max(function->inBytes, function->outBytes))
    return argument(std::to_string(length) + " elements; 1 to what 4 GB hold are allowed");
  if (Problem problem = near.check(in, length * function->inBytes))
    return problem;
  if (Problem problem = near.check(out, gives))
    return problem;
  if (operand)
    if (Problem problem = near.check(operand, 0))
      return problem;
  acis_near::Launch launch;
  launch.gives = gives;
  Problem first;
  for (unsigned i = 0; i < near.nodes.size(); ++i) {
    Access access;
    access.op = Access::Op::Launch;
    access.place = {in->handles[i], 0, length * function->inBytes};
    access.output = {out->handles[i], 0, gives};
    if (operand)
      access.memory = {operand->handles[i], 0, operand->bytes};
    access.stages = function->stages;
    if (Problem problem = near.start(i, access, launch.parts); problem && !first)
      first = std::move(problem);
  }
  if (first) {
    (void)near.waitAll(launch.parts);
    return first;
  }
  near.launches[ *request = ++near.lastRequest] = std::move(launch);
  return {};
}

} // namespace

const char *acis_near_map(acis_near *near, const acis_near_function *function, acis_near_block *in,
                          acis_near_block *operand, acis_near_block *out, uint64_t length,
                          acis_near_request *request) {
  const uint64_t each = near->knows(function) ? function->outBytes : 0;
  return near->give(launch(*near, function, in, operand, out, length, length * each, request));
}

const char *acis_near_local_reduce(acis_near *near, const acis_near_function *function,
                                   acis_near_block *in, acis_near_block *operand,
                                   acis_near_block *out, uint64_t length,
                                   acis_near_request *request) {
  const uint64_t each = near->knows(function) ? function->outBytes : 0;
  return near->give(launch(*near, function, in, operand, out, length, each, request));
}

const char *acis_near_wait(acis_near *near, acis_near_request request, uint64_t *cycles) {
  if (cycles)
    *cycles = 0;
  auto found = near->launches.extract(request);
  if (!found)
    return near->give({});
  Problem size;
  Problem problem = near->waitAll(found.mapped().parts, [&](size_t i, const Outcome &out) {
    if (cycles)
      *cycles = std::max(*cycles, out.cycles);
    if (out.value != found.mapped().gives && !size)
      size = {ACIS_NEAR_TRAPPED, near->names[i] + ": the function gave " +
                                     std::to_string(out.value) + " bytes; " +
                                     std::to_string(found.mapped().gives) + " are right"};
  });
  return near->give(problem ? std::move(problem) : std::move(size));
}

const char *acis_near_test(acis_near *near, acis_near_request request, int *complete) {
  *complete = 1;
  if (const auto at = near->launches.find(request); at != near->launches.end())
    for (const Started &part : at->second.parts) {
      Result<bool> done = near->nodes[part.node]->testAccess(part.id);
      if (!done)
        return near->give({ACIS_NEAR_NODE, near->names[part.node] + ": " + done.error().str()});
      if (!*done)
        *complete = 0;
    }
  return near->give({});
}
