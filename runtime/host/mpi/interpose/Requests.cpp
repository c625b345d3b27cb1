// See Requests.h. A record lives from the start of its collective until both the switch
// has answered and MPI has called the free function of the generalized request.
#include "runtime/host/mpi/interpose/Requests.h"

#include "runtime/host/mpi/interpose/Process.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace acis::mpi {
namespace {

struct Record {
  std::unique_ptr<Pending> work;
  Request started = 0;
  MPI_Request handle = MPI_REQUEST_NULL;
  std::string problem; ///< why it failed; "" when it did not
  int code = MPI_SUCCESS;
  bool bySwitch = false; ///< the switch has answered, or the session has failed
  bool answered = false; ///< or failed; MPI_Grequest_complete is called or about to be
};

struct Table {
  std::mutex mutex;
  /// Started and not answered, oldest first.
  std::vector<Record *> open;
  /// All that MPI has not freed.
  std::unordered_map<MPI_Request, Record *> known;
  /// Size of `known`, to be read without the mutex: programs without non-blocking
  /// collectives pay nothing for us in MPI_Wait.
  std::atomic<size_t> numKnown = 0;
  size_t next = 0; ///< where the next look at `open` begins
};

Table &table() {
  static Table &instance = *new Table;
  return instance;
}

thread_local int lastError = MPI_SUCCESS;

/// As many requests are asked after in one step; each costs a look at the socket.
constexpr size_t LooksPerStep = 16;

int onQuery(void *extra, MPI_Status *status) {
  auto *record = static_cast<Record *>(extra);
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  status->MPI_ERROR = record->code;
  return MPI_SUCCESS;
}

int onFree(void *extra) {
  auto *record = static_cast<Record *>(extra);
  if (record->code != MPI_SUCCESS)
    lastError = record->code;
  Table &all = table();
  std::lock_guard lock(all.mutex);
  all.known.erase(record->handle);
  all.numKnown = all.known.size();
  delete record;
  return MPI_SUCCESS;
}

/// MPI does not cancel collectives.
int onCancel(void *, int) { return MPI_SUCCESS; }

int addRecord(std::unique_ptr<Record> record, MPI_Request *request) {
  Record *raw = record.get();
  int code = PMPI_Grequest_start(onQuery, onFree, onCancel, raw, request);
  if (code != MPI_SUCCESS)
    return code;
  Table &all = table();
  std::lock_guard lock(all.mutex);
  raw->handle = *request;
  all.known.emplace(*request, record.release());
  all.numKnown = all.known.size();
  if (!raw->answered)
    all.open.push_back(raw);
  return MPI_SUCCESS;
}

/// Work of a request that came to nothing is not freed: the session may still use it.
void fail(Record &record, const std::string &problem) {
  record.answered = true;
  record.problem = std::string(record.work->name()) + ": " + problem;
  (void)record.work.release();
}

/// Takes the answered out of `open`, at most LooksPerStep of those looked at.
std::vector<Record *> collectAnswered() {
  Table &all = table();
  std::vector<Record *> answered;
  std::lock_guard lock(all.mutex);
  size_t looks = std::min(LooksPerStep, all.open.size());
  for (size_t look = 0; look < looks && !all.open.empty(); ++look) {
    all.next = all.next < all.open.size() ? all.next : 0;
    Record *record = all.open[all.next];
    if (!record->bySwitch) {
      Result<bool> done = process().session->test(record->started);
      record->bySwitch = !done || *done;
      if (!done)
        fail(*record, done.error().str());
    }
    if (!record->bySwitch || (record->work && !record->work->isDone())) {
      ++all.next;
      continue;
    }
    record->answered = true;
    all.open.erase(all.open.begin() + ptrdiff_t(all.next));
    answered.push_back(record);
  }
  return answered;
}

/// Outside the mutex, since both MPI and error handlers may call us again.
void conclude(const std::vector<Record *> &answered) {
  for (Record *record : answered) {
    if (record->work) {
      record->code = record->work->finish();
      record->work.reset();
    } else {
      record->code = raiseError(MPI_COMM_WORLD, record->problem);
    }
    PMPI_Grequest_complete(record->handle);
  }
}

/// Whether `is` holds for any of `requests` that is ours.
template <typename F> bool anyRecord(int count, const MPI_Request *requests, F is) {
  Table &all = table();
  if (all.numKnown == 0 || !requests)
    return false;
  std::lock_guard lock(all.mutex);
  return std::any_of(requests, requests + std::max(count, 0), [&](MPI_Request request) {
    const auto found = all.known.find(request);
    return found != all.known.end() && is(*found->second);
  });
}

} // namespace

int addRequest(std::unique_ptr<Pending> work, Request started, MPI_Request *request) {
  auto record = std::make_unique<Record>();
  record->work = std::move(work);
  record->started = started;
  return addRecord(std::move(record), request);
}

int addCompleteRequest(MPI_Request *request) {
  auto record = std::make_unique<Record>();
  record->answered = true;
  int code = addRecord(std::move(record), request);
  return code == MPI_SUCCESS ? PMPI_Grequest_complete(*request) : code;
}

bool anyOurs(int count, const MPI_Request *requests) {
  return anyRecord(count, requests, [](const Record &) { return true; });
}

bool anyOpen(int count, const MPI_Request *requests) {
  return anyRecord(count, requests, [](const Record &record) { return !record.answered; });
}

void progressRequests() {
  if (table().numKnown != 0)
    conclude(collectAnswered());
}

void pauseForRequests(Nanoseconds moment) {
  Request first = 0;
  {
    Table &all = table();
    std::lock_guard lock(all.mutex);
    const auto open = std::find_if(all.open.begin(), all.open.end(),
                                   [](const Record *record) { return !record->bySwitch; });
    if (open != all.open.end())
      first = (*open)->started;
  }
  if (first != 0)
    (void)process().session->wait(first, moment); // what came of it is seen by test()
  else
    std::this_thread::yield();
}

void failRequests(int count, const MPI_Request *requests) {
  std::vector<Record *> failed;
  {
    Table &all = table();
    std::lock_guard lock(all.mutex);
    for (int i = 0; i < count; ++i) {
      auto found = all.known.find(requests[i]);
      if (found == all.known.end() || found->second->answered)
        continue;
      Record *record = found->second;
      const Status waited = record->bySwitch
                                ? Status::ok()
                                : process().session->wait(record->started, Nanoseconds(0));
      fail(*record, waited ? "timed out" : waited.error().str());
      std::erase(all.open, record);
      failed.push_back(record);
    }
  }
  conclude(failed);
}

int takeError() { return std::exchange(lastError, MPI_SUCCESS); }

} // namespace acis::mpi
