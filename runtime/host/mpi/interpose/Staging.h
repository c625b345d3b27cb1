// Buffers of a call as plain bytes. A message whose items lie in memory as they are sent
// is used where it is; any other is packed into a copy, or unpacked from one, so that what
// goes to the switch depends on its signature alone.
#pragma once

#include "runtime/host/mpi/interpose/Call.h"

#include <mpi.h>

#include <cstddef>
#include <memory>

namespace acis::mpi {

/// The message's bytes, as they are sent, from memory to `into`; and back. An MPI error code.
int pack(const Message &message, MPI_Comm comm, uint8_t *into);
int unpack(const Message &message, const uint8_t *from);

class Staging {
public:
  Staging() = default;
  Staging(const Staging &) = delete;
  Staging &operator=(const Staging &) = delete;
  ~Staging();

  /// The message as bytes, to be sent. nullptr when MPI could not pack it; error() then has its
  /// code. With no bytes: any address.
  const void *toSend(const Message &message, MPI_Comm comm);
  /// Where its bytes are to be received; deliver() brings them to the message.
  void *toReceive(const Message &message);
  /// Unpacks what toReceive() made a copy for. An MPI error code.
  int deliver();
  int error() const { return code; }

private:
  std::unique_ptr<uint8_t[]> sendCopy, receiveCopy;
  Message target; ///< its type is ours: the program may free its own
  int code = MPI_SUCCESS;
};

} // namespace acis::mpi
