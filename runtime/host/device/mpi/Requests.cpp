// See Requests.h, Progress.h.
#include "runtime/host/device/mpi/Requests.h"

#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Progress.h"
#include "runtime/host/device/mpi/Sending.h"

#include <sched.h>

#include <mutex>
#include <unordered_map>

namespace acis::device {

namespace {

struct Table {
  std::mutex mutex;
  /// MPICH gives one handle to all sends that have ended at once.
  std::unordered_multimap<MPI_Request, std::unique_ptr<Message>> messages;
  std::atomic<size_t> size = 0;
  std::mutex orphanMutex;
  std::vector<std::pair<MPI_Request, std::unique_ptr<Message>>> orphans;
  std::atomic<size_t> numOrphans = 0;
};

Table &table() {
  static Table &instance = *new Table;
  return instance;
}

/// What MPI has for this message.
MPI_Request atMpi(const Message &message, MPI_Request request) {
  return message.proxy != MPI_REQUEST_NULL ? message.proxy : request;
}

} // namespace

bool hasRequests() noexcept { return table().size.load(std::memory_order_relaxed) > 0; }

void addRequest(MPI_Request request, std::unique_ptr<Message> message) {
  Table &all = table();
  std::lock_guard lock(all.mutex);
  all.messages.emplace(request, std::move(message));
  all.size = all.messages.size();
}

Completing::Completing(int count, MPI_Request *requests) : requests(requests) {
  Table &all = table();
  if (count <= 0 || !requests)
    return;
  entries.resize(size_t(count));
  {
    std::lock_guard lock(all.mutex);
    for (int i = 0; i < count; ++i) {
      entries[size_t(i)].before = requests[i];
      auto at = all.messages.find(requests[i]);
      if (at == all.messages.end())
        continue;
      entries[size_t(i)].message = std::move(at->second);
      all.messages.erase(at);
      found = true;
    }
  }
  for (int i = 0; found && i < count; ++i)
    if (!message(i))
      indices.push_back(i);
}

Completing::~Completing() {
  if (!found)
    return;
  Table &all = table();
  std::lock_guard lock(all.mutex);
  for (Entry &entry : entries)
    if (entry.message && !entry.isOver)
      all.messages.emplace(entry.before, std::move(entry.message));
  all.size = all.messages.size();
}

bool Completing::isReady(int i) { return message(i)->isReady(atMpi(*message(i), requests[i])); }

int Completing::peek(int i, MPI_Status *status) {
  int isOver = 0;
  MPI_Status own;
  const int code = PMPI_Request_get_status(atMpi(*message(i), requests[i]), &isOver, &own);
  message(i)->show(own);
  if (status != MPI_STATUS_IGNORE)
    *status = own;
  return code;
}

int Completing::finish(int i, MPI_Status *status) {
  Entry &entry = entries[size_t(i)];
  Message &message = *entry.message;
  const bool isActive = message.isActive();
  MPI_Request *request = message.proxy != MPI_REQUEST_NULL ? &message.proxy : &requests[size_t(i)];
  const int code = ACIS_NEXT(MPI_Wait)(request, status);
  entry.isOver = !message.repeated.has_value();
  return isActive ? message.conclude(status, code) : code;
}

int Completing::begin(int i) {
  if (!message(i))
    return MPI_SUCCESS;
  const Status begun = message(i)->begin();
  return begun ? MPI_SUCCESS : raiseError(message(i)->comm, begun.error().str());
}

std::unique_ptr<Message> Completing::takeOut(int i) {
  return entries.empty() ? nullptr : std::move(entries[size_t(i)].message);
}

std::vector<MPI_Request> Completing::others() const {
  std::vector<MPI_Request> made;
  for (int i : indices)
    made.push_back(requests[i]);
  return made;
}

void Completing::putBack(const std::vector<MPI_Request> &others) {
  for (size_t k = 0; k < indices.size(); ++k)
    requests[indices[k]] = others[k];
}

void addOrphan(MPI_Request request, std::unique_ptr<Message> message) {
  Table &all = table();
  std::lock_guard lock(all.orphanMutex);
  all.orphans.emplace_back(request, std::move(message));
  all.numOrphans = all.orphans.size();
}

void endOrphans(bool waits) {
  Table &all = table();
  Backoff backoff;
  while (all.numOrphans.load(std::memory_order_relaxed) > 0) {
    {
      std::lock_guard lock(all.orphanMutex);
      std::erase_if(all.orphans, [](auto &orphan) {
        Message &message = *orphan.second;
        MPI_Request request = atMpi(message, orphan.first);
        if (!message.isReady(request))
          return false;
        MPI_Status status;
        const int code = PMPI_Wait(&request, &status);
        if (message.repeated && message.proxy == MPI_REQUEST_NULL)
          PMPI_Request_free(&request);
        // Nobody is left to hear of an error.
        message.endQuietly(status, code);
        return true;
      });
      all.numOrphans = all.orphans.size();
    }
    if (!waits)
      return;
    backoff.pause();
  }
}

void advanceOthers() {
  Table &all = table();
  if (!hasRequests())
    return;
  std::unique_lock lock(all.mutex, std::try_to_lock);
  if (!lock)
    return;
  for (auto &[request, message] : all.messages)
    if (message->isActive())
      (void)message->isReady(atMpi(*message, request));
}

void Backoff::pause() {
  constexpr unsigned AtOnce = 100;
  if (++looks > AtOnce)
    sched_yield();
}

} // namespace acis::device
