// See Persistent.h.
#include "runtime/host/mpi/interpose/Persistent.h"

#include "runtime/host/mpi/interpose/Decide.h"
#include "runtime/host/mpi/interpose/Perform.h"
#include "runtime/host/mpi/interpose/Process.h"
#include "runtime/host/mpi/interpose/Requests.h"
#include "runtime/host/mpi/interpose/Work.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace acis::mpi {
namespace {

struct Persistent {
  const char *name = "";
  const void *site = nullptr;
  Lasting what;
  /// Started and not complete.
  MPI_Request active = MPI_REQUEST_NULL;
};

struct Table {
  std::mutex mutex;
  std::unordered_map<MPI_Request, Persistent> made;
  /// How many: read without the mutex, so that programs without any pay nothing for them.
  std::atomic<size_t> numMade = 0;
};

Table &table() {
  static Table &instance = *new Table;
  return instance;
}

Call copyOf(const Call &call) {
  Call copy;
  copy.name = call.name;
  copy.comm = call.comm;
  copy.reason = call.reason;
  copy.collective = call.collective;
  copy.counts = call.counts;
  if (!call.collective.counts.empty())
    copy.collective.counts = copy.counts;
  copy.bytes = call.bytes;
  copy.give = call.give;
  copy.take = call.take;
  return copy;
}

/// The program may free its types, and the communicator, once the request is made.
void keep(Message &message) {
  if (message.isUsed && !message.layout.packed && !message.form)
    PMPI_Type_dup(message.type, &message.type);
}
void drop(Message &message) {
  if (message.isUsed && !message.layout.packed && !message.form)
    PMPI_Type_free(&message.type);
}

/// A collective with an entry of its own in the switch.
class PlainStartable final : public Startable {
public:
  PlainStartable(Call described, Communicator &own)
      : call(std::move(described)), communicator(own) {
    keep(call.give);
    keep(call.take);
    call.comm = MPI_COMM_WORLD; // the program may free its own
  }
  ~PlainStartable() override {
    drop(call.give);
    drop(call.take);
    release(communicator);
  }
  int start(MPI_Request &active) override {
    auto work = std::make_unique<Work>(copyOf(call), communicator);
    if (work->staging.error() != MPI_SUCCESS)
      return work->staging.error();
    retain(communicator);
    Result<Request> started = process().session->start(work->call.collective);
    if (!started)
      return raiseError(MPI_COMM_WORLD, std::string(call.name) + ": " + started.error().str());
    return addRequest(std::move(work), *started, &active);
  }

private:
  Call call;
  Communicator &communicator;
};

/// Whether the switch is to do it, alike on all members, and if so with an entry of its own.
Result<Lasting> describe(const Arguments &given) {
  Lasting made;
  const auto [communicator, reason] = communicatorOf(given.comm, given.kind, /*blocks=*/true);
  made.reason = reason;
  if (communicator && !communicator->failure.empty())
    return Error{"", communicator->failure};
  if (!communicator || communicator->state != Reason::Offloaded)
    return made;
  const Process &state = process();
  Call call = normalise(given, communicator->rank, communicator->size);
  made.bytes = call.bytes;
  made.reason = decide(call, *communicator, state.settings.policy, *state.session,
                       /*blocks=*/false)
                    .reason;
  if (made.reason != Reason::Offloaded)
    return made;
  const Result<Communicator *> own = setUpBeside(given.comm, *communicator);
  if (!own)
    return own.error();
  if (*own)
    made.startable = std::make_unique<PlainStartable>(std::move(call), **own);
  else
    made.reason = Reason::NoEntry;
  return made;
}

/// The program may not free or start it meanwhile.
Persistent *persistentOf(MPI_Request request) {
  Table &all = table();
  if (all.numMade == 0)
    return nullptr;
  std::lock_guard lock(all.mutex);
  const auto found = all.made.find(request);
  return found == all.made.end() ? nullptr : &found->second;
}

} // namespace

int addPersistent(const Arguments &given, MPI_Request request) {
  return addPersistent(given, describe(given), request);
}

int addPersistent(const Arguments &given, Result<Lasting> agreed, MPI_Request request) {
  if (!agreed)
    return raiseError(given.comm, std::string(given.name) + ": " + agreed.error().str());
  Persistent made;
  made.name = given.name;
  made.site = given.site;
  made.what = std::move(*agreed);
  Table &all = table();
  std::lock_guard lock(all.mutex);
  all.made.insert_or_assign(request, std::move(made));
  all.numMade = all.made.size();
  return MPI_SUCCESS;
}

std::optional<int> startPersistent(MPI_Request request) {
  Persistent *persistent = persistentOf(request);
  if (!persistent)
    return std::nullopt;
  process().summary.count(persistent->name, persistent->site, persistent->what.reason,
                          persistent->what.bytes);
  if (!persistent->what.startable || !process().attached)
    return std::nullopt;
  MPI_Request active = MPI_REQUEST_NULL;
  const int code = persistent->what.startable->start(active);
  Table &all = table();
  std::lock_guard lock(all.mutex);
  persistent->active = active;
  return code;
}

bool isStarted(MPI_Request request) {
  const Persistent *persistent = persistentOf(request);
  return persistent && persistent->active != MPI_REQUEST_NULL;
}

void forgetPersistent(MPI_Request request) {
  Table &all = table();
  std::unique_ptr<Startable> startable; // ends after the lock: MPI may call us again
  std::lock_guard lock(all.mutex);
  const auto found = all.made.find(request);
  if (found == all.made.end())
    return;
  startable = std::move(found->second.what.startable);
  all.made.erase(found);
  all.numMade = all.made.size();
}

/// One that is not started is as none: MPICH 4.0.2 waits for a persistent collective that is not.
Stand::Stand(int count, MPI_Request *requests) : given(requests) {
  Table &all = table();
  if (all.numMade == 0 || !requests || count <= 0)
    return;
  std::lock_guard lock(all.mutex);
  standing.assign(requests, requests + count);
  for (MPI_Request &request : standing)
    if (const auto found = all.made.find(request);
        found != all.made.end() && found->second.what.startable)
      request = found->second.active;
}

Stand::~Stand() {
  if (standing.empty())
    return;
  Table &all = table();
  std::lock_guard lock(all.mutex);
  for (size_t i = 0; i < standing.size(); ++i) {
    const auto found = all.made.find(given[i]);
    if (found == all.made.end() || !found->second.what.startable)
      given[i] = standing[i];
    else if (standing[i] == MPI_REQUEST_NULL)
      found->second.active = MPI_REQUEST_NULL;
  }
}

} // namespace acis::mpi
