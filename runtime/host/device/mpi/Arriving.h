// A large message on its way to this rank, after its announcement was received. All that it waits
// for is MPI's, or this rank's device's: see Sending.h.
#pragma once

#include "runtime/host/device/Copy.h"
#include "runtime/host/device/Staging.h"
#include "runtime/host/device/mpi/Announcement.h"

#include "runtime/host/device/mpi/Peer.h"

#include <mpi.h>

#include <deque>
#include <optional>
#include <string>

namespace acis::device {

class Arriving {
public:
  /// Where the bytes go.
  struct Target {
    char *host = nullptr;       ///< `header.bytes` bytes; null: they are received and dropped
    std::optional<Place> place; ///< on a device, to which they are copied from there
  };
  Arriving(const Header &header, Target target);
  ~Arriving();

  /// Goes on without blocking: whether it is over.
  bool advance();
  /// When it is over. After an error any part of the bytes may be in their place.
  const Status &result() const { return failure; }
  const Header header;

private:
  Status copyFromPeer();
  bool advanceChunks();
  bool advanceText();
  void post();
  void take(size_t i, const MPI_Status &status);

  Target target;
  bool isPeer = false; ///< it is copied from the sender's memory
  Staging dropped;     ///< one chunk
  std::deque<MPI_Request> receives;
  std::shared_ptr<Import> import; ///< is used by `writes`
  std::deque<Copying> writes;
  size_t numTaken = 0, numWritten = 0;
  bool isOver = false;
  bool isFailing = false; ///< the sender says so
  std::string text;
  MPI_Request textRequest = MPI_REQUEST_NULL;
  Status failure;
};

} // namespace acis::device
