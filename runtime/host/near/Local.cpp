// MPI_Local_*, on the communicator that was opened last.
#include "runtime/host/near/Communicator.h"

using namespace acis;
using near::argument;
using near::Problem;
using near::Started;
using wire::Access;
using wire::Outcome;

void *MPI_Local_Alloc(size_t bytes) {
  acis_near_block *block = nullptr;
  if (acis_near::current)
    (void)acis_near_alloc(acis_near::current, bytes, &block);
  return block;
}

int MPI_Local_Dealloc(void *block) {
  if (!acis_near::current)
    return ACIS_NEAR_ARGUMENT;
  (void)acis_near_free(acis_near::current, static_cast<acis_near_block *>(block));
  return acis_near::current->last.kind;
}

int MPI_Local_Map(const acis_near_function *function, void *input, void *output, size_t length) {
  if (!acis_near::current)
    return ACIS_NEAR_ARGUMENT;
  acis_near_request request;
  if (!acis_near_map(acis_near::current, function, static_cast<acis_near_block *>(input), nullptr,
                     static_cast<acis_near_block *>(output), length, &request))
    (void)acis_near_wait(acis_near::current, request, nullptr);
  return acis_near::current->last.kind;
}

void *MPI_Local_Reduce(const acis_near_function *function, void *input, size_t length) {
  acis_near_block *out = nullptr;
  if (!acis_near::current)
    return nullptr;
  if (!acis_near::current->knows(function)) {
    (void)acis_near::current->give(argument("not a function of this communicator"));
    return nullptr;
  }
  if (acis_near_alloc(acis_near::current, function->outBytes, &out))
    return nullptr;
  acis_near_request request;
  if (!acis_near_local_reduce(acis_near::current, function, static_cast<acis_near_block *>(input),
                              nullptr, out, length, &request) &&
      !acis_near_wait(acis_near::current, request, nullptr))
    return out;
  Problem problem = acis_near::current->last;
  (void)acis_near_free(acis_near::current, out);
  (void)acis_near::current->give(std::move(problem));
  return nullptr;
}

const char *MPI_Local_Error(void) {
  return acis_near::current ? acis_near::current->last.what.c_str()
                            : "there is no memory communicator; open one with acis_near_open";
}
