// See Taken.h.
#include "runtime/host/device/mpi/Taken.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>

namespace acis::device {

namespace {

struct One {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Status status{};                    ///< as the program sees it
  MPI_Message message = MPI_MESSAGE_NULL; ///< not received yet; else it is in `bytes`
  std::shared_ptr<std::vector<char>> bytes;
  uintptr_t handle = 0; ///< of one that the program has matched

  bool matches(int from, int tag, MPI_Comm of) const {
    return handle == 0 && comm == of && (from == MPI_ANY_SOURCE || from == status.MPI_SOURCE) &&
           (tag == MPI_ANY_TAG || tag == status.MPI_TAG);
  }
};

/// Bytes on their way from this rank to itself.
struct Return {
  std::shared_ptr<std::vector<char>> bytes;
  MPI_Request request;
};

struct All {
  std::mutex mutex;
  std::deque<One> messages;
  std::vector<Return> returns;
  std::atomic<size_t> size = 0;
  uintptr_t handles = 0;
};

All &all() {
  static All &instance = *new All;
  return instance;
}

bool isAnnouncementLong(const MPI_Status &status) {
  int bytes = 0;
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes == int(AnnouncementBytes);
}

/// Receives what may be an announcement, and what its status then is.
void receiveBytes(One &one) {
  one.bytes = std::make_shared<std::vector<char>>(AnnouncementBytes);
  MPI_Status status;
  PMPI_Mrecv(one.bytes->data(), int(AnnouncementBytes), MPI_BYTE, &one.message, &status);
  one.status = status;
  one.message = MPI_MESSAGE_NULL;
  Header header;
  std::memcpy(&header, one.bytes->data() + AnnouncementBytes - sizeof header, sizeof header);
  if (header.cookie == job()->cookie)
    PMPI_Status_set_elements(&one.status, MPI_BYTE, int(header.bytes));
}

TakenReceive receive(All &now, One &one, void *buffer, int count, MPI_Datatype type) {
  TakenReceive made;
  if (one.message != MPI_MESSAGE_NULL) {
    made.code = PMPI_Imrecv(buffer, count, type, &one.message, &made.request);
    return made;
  }
  made.takenFrom = {one.status.MPI_SOURCE, one.status.MPI_TAG};
  made.code = PMPI_Irecv(buffer, count, type, 0, 0, job()->own, &made.request);
  Return back{one.bytes, MPI_REQUEST_NULL};
  PMPI_Isend(back.bytes->data(), int(back.bytes->size()), MPI_BYTE, 0, 0, job()->own,
             &back.request);
  now.returns.push_back(std::move(back));
  return made;
}

/// Memory of returns that have arrived.
void endReturns(All &now) {
  std::erase_if(now.returns, [](Return &one) {
    int isOver = 0;
    PMPI_Test(&one.request, &isOver, MPI_STATUS_IGNORE);
    return isOver;
  });
}

/// A handle of MPI is never such a small number.
void give(uintptr_t number, MPI_Message *handle) {
  std::memset(static_cast<void *>(handle), 0, sizeof *handle);
  std::memcpy(static_cast<void *>(handle), &number, std::min(sizeof number, sizeof *handle));
}

uintptr_t numberOf(const MPI_Message &handle) {
  uintptr_t number = 0;
  std::memcpy(&number, &handle, std::min(sizeof number, sizeof handle));
  return number;
}

auto findMatching(All &now, int from, int tag, MPI_Comm comm) {
  return std::ranges::find_if(now.messages,
                              [&](const One &one) { return one.matches(from, tag, comm); });
}

} // namespace

bool hasTaken() noexcept { return all().size.load(std::memory_order_relaxed) > 0; }

bool peekTaken(int from, int tag, MPI_Comm comm, MPI_Status *status) {
  if (!hasTaken())
    return false;
  All &now = all();
  std::lock_guard lock(now.mutex);
  const auto found = findMatching(now, from, tag, comm);
  if (found == now.messages.end())
    return false;
  if (status != MPI_STATUS_IGNORE)
    *status = found->status;
  return true;
}

bool takeProbed(const MPI_Status &probed, MPI_Comm comm) {
  if (!job() || !isAnnouncementLong(probed))
    return false;
  All &now = all();
  std::lock_guard lock(now.mutex);
  for (int isThere = 1; isThere;) {
    One one;
    one.comm = comm;
    PMPI_Improbe(probed.MPI_SOURCE, MPI_ANY_TAG, comm, &isThere, &one.message, &one.status);
    if (!isThere)
      break; // another thread has it
    if (isAnnouncementLong(one.status))
      receiveBytes(one);
    now.messages.push_back(std::move(one));
    now.size = now.messages.size();
    if (now.messages.back().status.MPI_TAG == probed.MPI_TAG)
      break;
  }
  return true;
}

std::optional<TakenReceive> receiveTaken(void *buffer, int count, MPI_Datatype type, int from,
                                         int tag, MPI_Comm comm) {
  if (!hasTaken())
    return std::nullopt;
  All &now = all();
  std::lock_guard lock(now.mutex);
  endReturns(now);
  const auto found = findMatching(now, from, tag, comm);
  if (found == now.messages.end())
    return std::nullopt;
  One one = std::move(*found);
  now.messages.erase(found);
  now.size = now.messages.size();
  return receive(now, one, buffer, count, type);
}

bool matchTaken(int from, int tag, MPI_Comm comm, MPI_Message *handle, MPI_Status *status) {
  if (!hasTaken())
    return false;
  All &now = all();
  std::lock_guard lock(now.mutex);
  const auto found = findMatching(now, from, tag, comm);
  if (found == now.messages.end())
    return false;
  if (status != MPI_STATUS_IGNORE)
    *status = found->status;
  if (found->message != MPI_MESSAGE_NULL) {
    *handle = found->message;
    now.messages.erase(found);
    now.size = now.messages.size();
    return true;
  }
  found->handle = ++now.handles;
  give(found->handle, handle);
  return true;
}

void keepMatched(MPI_Comm comm, MPI_Message *handle, MPI_Status *status) {
  if (!job() || *handle == MPI_MESSAGE_NO_PROC || !isAnnouncementLong(*status))
    return;
  All &now = all();
  std::lock_guard lock(now.mutex);
  One one;
  one.comm = comm;
  one.message = *handle;
  receiveBytes(one);
  *status = one.status;
  one.handle = ++now.handles;
  give(one.handle, handle);
  now.messages.push_back(std::move(one));
  now.size = now.messages.size();
}

void endTaken() {
  All &now = all();
  std::lock_guard lock(now.mutex);
  for (Return &one : now.returns)
    PMPI_Wait(&one.request, MPI_STATUS_IGNORE);
  now.returns.clear();
}

std::optional<TakenReceive> receiveMatched(void *buffer, int count, MPI_Datatype type,
                                           MPI_Message *handle) {
  if (!hasTaken())
    return std::nullopt;
  All &now = all();
  std::lock_guard lock(now.mutex);
  endReturns(now);
  const auto found = std::ranges::find_if(now.messages, [&](const One &one) {
    return one.handle != 0 && one.handle == numberOf(*handle);
  });
  if (found == now.messages.end())
    return std::nullopt;
  One one = std::move(*found);
  now.messages.erase(found);
  now.size = now.messages.size();
  *handle = MPI_MESSAGE_NULL;
  return receive(now, one, buffer, count, type);
}

} // namespace acis::device
