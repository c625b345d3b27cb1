// Buffers of a call as plain bytes. A message whose items lie in memory as they are sent
// is used where it is; any other is packed into a copy, or unpacked from one, so that what
// goes to the switch depends on its signature alone.
#pragma once

#include "runtime/mpi/interpose/Types.h"

#include <mpi.h>

#include <cstddef>
#include <memory>

namespace acis::mpi {

class Staging {
public:
  Staging() = default;
  Staging(const Staging &) = delete;
  Staging &operator=(const Staging &) = delete;
  ~Staging();

  /// `items` of `type` at `from` as bytes, to be sent. nullptr when MPI could not pack
  /// them; error() then has its code. With no bytes: any address.
  const void *toSend(const void *from, uint64_t items, MPI_Datatype type, MPI_Comm comm);
  /// Where `items` of `type` are to be received; deliver() brings them to `into`.
  void *toReceive(void *into, uint64_t items, MPI_Datatype type);
  /// Unpacks what toReceive() made a copy for. An MPI error code.
  int deliver();
  int error() const { return code; }

private:
  std::unique_ptr<std::byte[]> sendCopy, receiveCopy;
  void *target = nullptr;
  uint64_t targetItems = 0;
  MPI_Datatype targetType = MPI_DATATYPE_NULL; ///< ours: the program may free its own
  TypeLayout targetLayout;
  int code = MPI_SUCCESS;
};

} // namespace acis::mpi
