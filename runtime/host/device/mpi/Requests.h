// The program's requests that this library has a part in: of messages on device memory, and of
// receives that may meet a large one (Message.h). A request is MPI's own; what is kept here is what
// has to be done before it has ended for the program.
#pragma once

#include "runtime/host/device/mpi/Message.h"

#include <atomic>
#include <memory>
#include <vector>

namespace acis::device {

/// Programs without such requests pay one look for each completion call.
bool hasRequests() noexcept;

void addRequest(MPI_Request request, std::unique_ptr<Message> message);

/// The requests of a completion call. Those with a message are taken out of the table before MPI
/// may end one: it may then give the same handle to another.
class Completing {
public:
  Completing(int count, MPI_Request *requests);
  /// Puts back what has not ended, and persistent ones.
  ~Completing();

  bool any() const { return found; }
  Message *message(int i) const {
    return entries.empty() ? nullptr : entries[size_t(i)].message.get();
  }
  bool isActive(int i) const { return message(i) && message(i)->isActive(); }
  /// Of an active one: whether finish will not block.
  bool isReady(int i);
  /// Of a ready one: its status, without an end.
  int peek(int i, MPI_Status *status);
  /// Of one with a message: what MPI_Wait does. Its result.
  int finish(int i, MPI_Status *status);
  /// Of a persistent one that the program starts: MPI_SUCCESS, or the error that was raised.
  int begin(int i);
  /// The program gives the request up, as MPI_Request_free does.
  std::unique_ptr<Message> takeOut(int i);

  /// The others, and where they are among all.
  std::vector<MPI_Request> others() const;
  const std::vector<int> &otherIndices() const { return indices; }
  void putBack(const std::vector<MPI_Request> &others);

private:
  struct Entry {
    MPI_Request before; ///< the handle, while the program has it
    std::unique_ptr<Message> message;
    bool isOver = false;
  };
  MPI_Request *requests;
  std::vector<Entry> entries;
  std::vector<int> indices;
  bool found = false;
};

/// Messages whose requests the program has given up: MPI is still at them. Ends what it can, or all
/// when `waits`.
void addOrphan(MPI_Request request, std::unique_ptr<Message> message);
void endOrphans(bool waits);

} // namespace acis::device
