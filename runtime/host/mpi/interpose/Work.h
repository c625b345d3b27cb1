// A call on its way: what the session or the hosts get, and copies of buffers that it needs.
#pragma once

#include "runtime/host/mpi/interpose/Call.h"
#include "runtime/host/mpi/interpose/Communicator.h"
#include "runtime/host/mpi/interpose/Staging.h"

#include <cstdint>
#include <memory>

namespace acis::mpi {

/// What the session has begun for a request. Not freed when it fails: who has its buffers may still
/// use them.
struct Pending {
  virtual ~Pending() = default;
  /// Of the function that was called, a literal.
  virtual const char *name() const = 0;
  /// Once the switch has answered: whether what goes other ways is complete, too.
  virtual bool isDone() { return true; }
  /// Once it is complete: unpacks, gives up the communicator. An MPI error code.
  virtual int finish() = 0;
};

/// One collective.
struct Work final : Pending {
  /// Of a call that is Offloaded. Completes its collective; staging.error() says whether that was
  /// possible.
  Work(Call described, Communicator &communicator);

  const char *name() const override { return call.name; }
  int finish() override;

  Call call;
  Communicator &communicator;
  Staging staging;
  /// The result of a refused call: `call.take` is there.
  std::unique_ptr<uint8_t[]> unwanted;
};

} // namespace acis::mpi
