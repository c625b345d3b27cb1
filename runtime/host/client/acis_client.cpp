#include "runtime/host/client/acis_client.h"

#include "runtime/host/client/CSession.h"

#include <algorithm>

using namespace acis;

static_assert(ACIS_ALLTOALL + 1 == NumKinds && ACIS_USER + 1 == NumReduceOps &&
              ACIS_FLOAT64_INT + 1 == NumElementTypes);

namespace {

Nanoseconds nanoseconds(double seconds) {
  return Nanoseconds(int64_t(std::clamp(seconds, 0.0, 1e9) * 1e9));
}

Collective collectiveOf(const acis_collective &call) {
  Collective out;
  out.kind = Kind(call.kind);
  out.context = call.context;
  out.op = ReduceOp(call.op);
  out.type = ElementType(call.type);
  out.root = call.root;
  out.count = call.count;
  if (call.counts)
    out.counts = {call.counts, call.counts_size};
  out.send = call.send;
  out.recv = call.recv;
  out.operatorHandle = call.operator_handle;
  out.itemElements = call.item_elements ? call.item_elements : 1;
  out.commutative = !call.not_commutative;
  return out;
}

bool isValid(const acis_collective &call) {
  return unsigned(call.kind) < NumKinds && unsigned(call.op) < NumReduceOps &&
         unsigned(call.type) < NumElementTypes;
}

} // namespace

acis_session *acis_open(const char *address, uint32_t job, const char *key, uint32_t rank,
                        uint32_t size, const char **error) {
  thread_local std::string text;
  Result<std::unique_ptr<Session>> session =
      Session::open({address, job, key ? key : ""}, rank, size);
  if (session)
    return new acis_session{std::move(*session), ""};
  text = session.error().str();
  if (error)
    *error = text.c_str();
  return nullptr;
}

void acis_close(acis_session *session) {
  if (session)
    (void)session->session->close(std::chrono::seconds(5));
  delete session;
}

const char *acis_add_communicator(acis_session *session, uint32_t context, const uint32_t *ranks,
                                  size_t count) {
  return session->give(session->session->addCommunicator(context, {ranks, count}));
}

const char *acis_free_communicator(acis_session *session, uint32_t context) {
  return session->give(session->session->freeCommunicator(context));
}

const char *acis_load_operator(acis_session *session, const void *elf, size_t bytes,
                               const char *handler, uint64_t *handle) {
  Result<uint64_t> loaded = session->session->loadOperator(
      {static_cast<const uint8_t *>(elf), bytes}, handler ? handler : "");
  if (!loaded)
    return session->give(loaded.error());
  *handle = *loaded;
  return nullptr;
}

const char *acis_start(acis_session *session, const acis_collective *call, acis_request *request) {
  if (!isValid(*call))
    return session->give(Error{"", "kind, operation or type is not one of the header's"});
  Result<Request> started = session->session->start(collectiveOf(*call));
  if (!started)
    return session->give(started.error());
  *request = *started;
  return nullptr;
}

const char *acis_test(acis_session *session, acis_request request, int *complete) {
  Result<bool> done = session->session->test(request);
  if (!done)
    return session->give(done.error());
  *complete = *done;
  return nullptr;
}

const char *acis_wait(acis_session *session, acis_request request, double seconds) {
  return session->give(session->session->wait(request, nanoseconds(seconds)));
}

const char *acis_run(acis_session *session, const acis_collective *call, double seconds) {
  acis_request request = 0;
  if (const char *error = acis_start(session, call, &request))
    return error;
  return acis_wait(session, request, seconds);
}
