// See Requests.h.
#include "runtime/host/device/mpi/Requests.h"

#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Next.h"

#include <mutex>
#include <unordered_map>

namespace acis::device {

namespace {

struct Table {
  std::mutex mutex;
  /// MPICH gives one handle to all sends that have ended at once.
  std::unordered_multimap<MPI_Request, std::unique_ptr<Message>> messages;
  std::atomic<size_t> size = 0;
  std::vector<std::pair<MPI_Request, std::unique_ptr<Message>>> orphans;
  std::atomic<size_t> numOrphans = 0;
};

Table &table() {
  static Table &instance = *new Table;
  return instance;
}

} // namespace

bool hasRequests() noexcept { return table().size.load(std::memory_order_relaxed) > 0; }

void addRequest(MPI_Request request, std::unique_ptr<Message> message) {
  Table &all = table();
  std::lock_guard lock(all.mutex);
  all.messages.emplace(request, std::move(message));
  all.size = all.messages.size();
}

Completing::Completing(int count, const MPI_Request *requests) {
  Table &all = table();
  if (count <= 0 || !requests)
    return;
  entries.resize(size_t(count));
  std::lock_guard lock(all.mutex);
  for (int i = 0; i < count; ++i) {
    entries[size_t(i)].request = requests[i];
    auto at = all.messages.find(requests[i]);
    if (at == all.messages.end())
      continue;
    entries[size_t(i)].message = std::move(at->second);
    all.messages.erase(at);
    found = true;
  }
}

Completing::~Completing() {
  if (!found)
    return;
  Table &all = table();
  std::lock_guard lock(all.mutex);
  for (Entry &entry : entries)
    if (entry.message && !entry.isOver)
      all.messages.emplace(entry.request, std::move(entry.message));
  all.size = all.messages.size();
}

int Completing::end(int i, const MPI_Status &status, int code) {
  Entry &entry = entries[size_t(i)];
  if (!entry.message)
    return code;
  entry.isOver = !entry.message->isPersistent;
  if (code != MPI_SUCCESS) {
    entry.message->abandon();
    return code;
  }
  const Status ended = entry.message->end(&status);
  return ended ? code : raiseError(entry.message->comm, ended.error().str());
}

int Completing::begin(int i) {
  Message *message = entries.empty() ? nullptr : entries[size_t(i)].message.get();
  if (!message)
    return MPI_SUCCESS;
  const Status begun = message->begin();
  return begun ? MPI_SUCCESS : raiseError(message->comm, begun.error().str());
}

void Completing::abandon(int i) {
  if (entries[size_t(i)].message)
    entries[size_t(i)].message->abandon();
}

std::unique_ptr<Message> Completing::takeOut(int i) {
  return std::move(entries[size_t(i)].message);
}

void addOrphan(MPI_Request request, std::unique_ptr<Message> message) {
  Table &all = table();
  std::lock_guard lock(all.mutex);
  all.orphans.emplace_back(request, std::move(message));
  all.numOrphans = all.orphans.size();
}

void endOrphans(bool waits) {
  Table &all = table();
  if (all.numOrphans.load(std::memory_order_relaxed) == 0)
    return;
  std::lock_guard lock(all.mutex);
  std::erase_if(all.orphans, [&](auto &orphan) {
    int isOver = 1;
    MPI_Status status;
    const int code =
        waits ? PMPI_Wait(&orphan.first, &status) : PMPI_Test(&orphan.first, &isOver, &status);
    // Nobody is left to hear of an error.
    if (isOver && code == MPI_SUCCESS)
      (void)orphan.second->end(&status);
    return isOver || code != MPI_SUCCESS;
  });
  all.numOrphans = all.orphans.size();
}

} // namespace acis::device
