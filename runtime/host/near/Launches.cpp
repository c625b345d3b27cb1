// Launches: starting functions on all nodes, and their ends.
#include "runtime/host/near/Communicator.h"

#include <algorithm>

using namespace acis;
using near::argument;
using near::Problem;
using near::Started;
using wire::Access;
using wire::Outcome;

Problem acis_near::launch(const acis_near_function *function, const acis_near_block *in,
                          const acis_near_block *operand, const acis_near_block *out,
                          uint64_t length, uint64_t gives, acis_near_request &request) {
  request = 0;
  if (!knows(function))
    return argument("not a function of this communicator");
  if (length == 0 || length > UINT32_MAX / std::max(function->inBytes, function->outBytes))
    return argument(std::to_string(length) + " elements; 1 to what 4 GB hold are allowed");
  if (Problem problem = check(in, length * function->inBytes))
    return problem;
  if (Problem problem = check(out, gives))
    return problem;
  if (operand)
    if (Problem problem = check(operand, 0))
      return problem;
  Launch launch;
  launch.gives = gives;
  Problem first;
  for (unsigned i = 0; i < nodes.size(); ++i) {
    Access access;
    access.op = Access::Op::Launch;
    access.place = {in->handles[i], 0, length * function->inBytes};
    access.output = {out->handles[i], 0, gives};
    if (operand)
      access.memory = {operand->handles[i], 0, operand->bytes};
    access.stages = function->stages;
    if (Problem problem = start(i, access, launch.parts); problem && !first)
      first = std::move(problem);
  }
  if (first) {
    (void)waitAll(launch.parts);
    return first;
  }
  launches[request = ++lastRequest] = std::move(launch);
  return {};
}

void acis_near::settle(Launch &launch) {
  if (launch.ended)
    return;
  Problem size;
  launch.problem = waitAll(launch.parts, [&](size_t i, const Outcome &out) {
    launch.cycles = std::max(launch.cycles, out.cycles);
    if (out.value != launch.gives && !size)
      size = {ACIS_NEAR_TRAPPED, names[launch.parts[i].node] + ": the function gave " +
                                     std::to_string(out.value) + " bytes; " +
                                     std::to_string(launch.gives) + " are right"};
  });
  if (!launch.problem)
    launch.problem = std::move(size);
  launch.ended = true;
}

Problem acis_near::finish(acis_near_request request, uint64_t &cycles) {
  cycles = 0;
  auto found = launches.extract(request);
  if (!found)
    return {};
  settle(found.mapped());
  cycles = found.mapped().cycles;
  return std::move(found.mapped().problem);
}

const char *acis_near_map(acis_near *near, const acis_near_function *function, acis_near_block *in,
                          acis_near_block *operand, acis_near_block *out, uint64_t length,
                          acis_near_request *request) {
  const uint64_t each = near->knows(function) ? function->outBytes : 0;
  return near->give(near->launch(function, in, operand, out, length, length * each, *request));
}

const char *acis_near_local_reduce(acis_near *near, const acis_near_function *function,
                                   acis_near_block *in, acis_near_block *operand,
                                   acis_near_block *out, uint64_t length,
                                   acis_near_request *request) {
  const uint64_t each = near->knows(function) ? function->outBytes : 0;
  return near->give(near->launch(function, in, operand, out, length, each, *request));
}

const char *acis_near_wait(acis_near *near, acis_near_request request, uint64_t *cycles) {
  uint64_t taken;
  return near->give(near->finish(request, cycles ? *cycles : taken));
}

const char *acis_near_test(acis_near *near, acis_near_request request, int *complete) {
  *complete = 1;
  if (const auto at = near->launches.find(request); at != near->launches.end() && !at->second.ended)
    for (const Started &part : at->second.parts) {
      Result<bool> done = near->nodes[part.node]->testAccess(part.id);
      if (!done)
        return near->give({ACIS_NEAR_NODE, near->names[part.node] + ": " + done.error().str()});
      if (!*done)
        *complete = 0;
    }
  return near->give({});
}
