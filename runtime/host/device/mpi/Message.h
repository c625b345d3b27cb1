// One end of a message, or of a rank's part in a collective, on device memory.
//
// The protocol between ranks is MPI's own: what a program sends from a device goes as one message
// of its communicator and tag, from host memory that the bytes are copied to before, and is
// received into such memory. So a device's message matches any receive (of ordinary memory, with
// wildcards, probed before), keeps its order, and makes progress wherever the program is in MPI;
// nothing here has a thread. The life of an end:
//
//   begin   a send's bytes are copied from the device. Nothing has gone out if that fails.
//   (MPI)   moves bytes from or to buffer().
//   end     a receive's bytes are copied to the device, if MPI received them and the program has
//           still the buffer; else nothing is.
//
// Mapped memory is the host's already: MPI uses it where it is, and between begin and end the
// program cannot unmap it (Registry.h).
#pragma once

#include "runtime/host/device/Copy.h"
#include "runtime/host/device/Staging.h"

#include <mpi.h>

namespace acis::device {

/// What elements of a datatype take in memory.
struct Layout {
  MPI_Datatype type = MPI_BYTE;
  size_t count = 0;     ///< elements
  size_t size = 0;      ///< bytes of one, without gaps
  MPI_Aint first = 0;   ///< of the lowest byte, from the address that MPI is given
  size_t span = 0;      ///< from the lowest to the highest byte
  bool isPlain = false; ///< a prefix of the message is a prefix of the memory
  bool hasGaps() const { return size * count != span; }

  static Layout of(size_t count, MPI_Datatype type);
  Layout of(size_t otherCount) const { return of(otherCount, type); }
};

class Message {
public:
  /// With InOut, elements that a collective reads and writes, both copies are made.
  enum class Use { Send, Receive, InOut };
  /// `count` elements at `address`. Where that is not device memory after all, buffer() is the
  /// address and nothing is copied.
  static Result<std::unique_ptr<Message>> make(Use use, const void *address, size_t count,
                                               MPI_Datatype type, MPI_Comm comm);
  ~Message();

  Status begin();
  /// What MPI is given in place of the address.
  void *buffer() const { return given; }
  /// Of a receive that MPI has ended well; `status` may be null: all elements came.
  Status end(const MPI_Status *status);
  /// Of a message that MPI has not ended well.
  void abandon();

  /// Between begin and end.
  bool isActive() const { return isUnderWay; }

  const MPI_Comm comm;
  bool isPersistent = false;

private:
  Message(Use use, MPI_Comm comm) : comm(comm), use(use) {}
  Status deliver(size_t elements);
  Status deliverAroundGaps(const Layout &came);
  Status beginMapped();
  Status endMapped();

  Use use;
  std::optional<Place> place; ///< of the lowest byte
  std::optional<Hold> hold;
  Layout layout;
  Staging staging;
  void *given = nullptr;
  bool ownsType = false, isUnderWay = false;
};

} // namespace acis::device
