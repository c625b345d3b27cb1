// MPI_Local_*, on the communicator that was opened last.
#include "runtime/host/near/Communicator.h"

using namespace acis;
using near::argument;
using near::Problem;

namespace {

acis_near_block *blockOf(void *block) { return static_cast<acis_near_block *>(block); }

const Problem &without() {
  static const Problem problem =
      argument("there is no memory communicator; open one with acis_near_open");
  return problem;
}

/// The end of a call: of `work(communicator)`, which gives a Problem.
template <typename Work> int ended(Work work) {
  acis_near *near = acis_near::current();
  if (!near)
    return acis_near::toldWithout.code(without());
  (void)near->give(work(*near));
  return near->lastCode;
}

/// Launches a function and waits for its end.
Problem run(acis_near &near, const acis_near_function *function, void *in,
            const acis_near_block *out, size_t length, uint64_t gives) {
  acis_near_request request;
  uint64_t cycles;
  if (Problem problem = near.launch(function, blockOf(in), nullptr, out, length, gives, request))
    return problem;
  return near.finish(request, cycles);
}

Problem reduce(acis_near &near, const acis_near_function *function, void *in, size_t length,
               acis_near_block *&out) {
  if (!near.knows(function))
    return argument("not a function of this communicator");
  if (Problem problem = near.alloc(function->outBytes, out))
    return problem;
  Problem problem = run(near, function, in, out, length, function->outBytes);
  if (problem) {
    (void)near.free(out);
    out = nullptr;
  }
  return problem;
}

} // namespace

void *MPI_Local_Alloc(size_t bytes) {
  acis_near_block *block = nullptr;
  (void)ended([&](acis_near &near) { return near.alloc(bytes, block); });
  return block;
}

int MPI_Local_Dealloc(void *block) {
  return ended([&](acis_near &near) { return near.free(blockOf(block)); });
}

int MPI_Local_Map(const acis_near_function *function, void *input, void *output, size_t length) {
  return ended([&](acis_near &near) {
    const uint64_t each = near.knows(function) ? function->outBytes : 0;
    return run(near, function, input, blockOf(output), length, length * each);
  });
}

void *MPI_Local_Reduce(const acis_near_function *function, void *input, size_t length) {
  acis_near_block *out = nullptr;
  (void)ended([&](acis_near &near) { return reduce(near, function, input, length, out); });
  return out;
}

const char *MPI_Local_Error(void) {
  const acis_near *near = acis_near::current();
  return (near ? near->last : without()).what.c_str();
}
