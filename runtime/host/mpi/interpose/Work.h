// A call on its way: what the session or the hosts get, and copies of buffers that it needs.
#pragma once

#include "runtime/host/mpi/interpose/Call.h"
#include "runtime/host/mpi/interpose/Communicator.h"
#include "runtime/host/mpi/interpose/Staging.h"

#include <cstdint>
#include <memory>

namespace acis::mpi {

/// Not freed when it fails: who has its buffers may still use them.
struct Work {
  /// Of a call that is Offloaded. Completes its collective; staging.error() says whether that was
  /// possible.
  Work(Call described, Communicator &communicator);

  Call call;
  Communicator &communicator;
  Staging staging;
  /// The result of a refused call: `call.take` is there.
  std::unique_ptr<uint8_t[]> unwanted;
};

/// The end of work that is complete: unpacks, gives up the communicator. An MPI error code.
int finish(Work &work);

} // namespace acis::mpi
