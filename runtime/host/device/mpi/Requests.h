// Messages on device memory that the program has requests of. A request is MPI's own, of a receive
// or send in staging memory; what is kept here is what has to be done when it has ended.
#pragma once

#include "runtime/host/device/mpi/Message.h"

#include <atomic>
#include <memory>
#include <vector>

namespace acis::device {

/// Programs without such requests pay one look for each completion call.
bool hasRequests() noexcept;

void addRequest(MPI_Request request, std::unique_ptr<Message> message);

/// The messages of some requests, while a completion call is at them. They are taken out of the
/// table before MPI may end a request: it may then give the same handle to another one.
class Completing {
public:
  Completing(int count, const MPI_Request *requests);
  /// Puts back what has not ended, and persistent ones.
  ~Completing();

  bool any() const { return found; }
  /// Request `i` has ended as `status` says, with `code`. A code of this library's after an error
  /// of ours, else `code`.
  int end(int i, const MPI_Status &status, int code);
  /// Of a persistent one that the program starts: MPI_SUCCESS, or the error that was raised.
  int begin(int i);
  void abandon(int i);
  /// The program gives the request up, as MPI_Request_free does.
  std::unique_ptr<Message> takeOut(int i);

private:
  struct Entry {
    MPI_Request request;
    std::unique_ptr<Message> message;
    bool isOver = false;
  };
  std::vector<Entry> entries;
  bool found = false;
};

/// Messages whose requests the program has given up: MPI is still at them. Ends what it can, or all
/// when `waits`.
void addOrphan(MPI_Request request, std::unique_ptr<Message> message);
void endOrphans(bool waits);

} // namespace acis::device
