// A session that is MPI itself, in place of the one that talks to a switch: for tests of
// the interposition alone, without a network. Collectives run on communicators of its own,
// by the non-blocking collectives of the MPI underneath.
//
// LOOP_ENTRIES limits the communicators, as a switch's table does. LOOP_FAIL_AFTER=n makes
// every collective after the n-th fail.
#include "runtime/host/client/Session.h"

#include <mpi.h>

#include <cstdlib>
#include <map>
#include <mutex>

namespace acis {
namespace {

MPI_Datatype typeOf(ElementType type) {
  static const MPI_Datatype types[NumElementTypes] = {
      MPI_INT8_T,    MPI_UINT8_T,  MPI_INT16_T,  MPI_UINT16_T,  MPI_INT32_T,   MPI_UINT32_T,
      MPI_INT64_T,   MPI_UINT64_T, MPI_FLOAT,    MPI_DOUBLE,    MPI_C_COMPLEX, MPI_C_DOUBLE_COMPLEX,
      MPI_SHORT_INT, MPI_2INT,     MPI_LONG_INT, MPI_FLOAT_INT, MPI_DOUBLE_INT};
  return types[unsigned(type)];
}

MPI_Op opOf(ReduceOp op) {
  static const MPI_Op ops[NumReduceOps] = {
      MPI_OP_NULL, MPI_SUM,  MPI_PROD, MPI_MIN, MPI_MAX,  MPI_MINLOC,  MPI_MAXLOC, MPI_LAND,
      MPI_LOR,     MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_OP_NULL, MPI_OP_NULL};
  return ops[unsigned(op)];
}

int numberOf(const char *variable, int otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

class LoopSession : public Session {
public:
  LoopSession() { PMPI_Comm_dup(MPI_COMM_WORLD, &world); }
  ~LoopSession() override { PMPI_Comm_free(&world); }

  Status addCommunicator(uint32_t context, std::span<const uint32_t> ranks) override {
    std::lock_guard lock(mutex);
    if (int(comms.size()) >= numberOf("LOOP_ENTRIES", 1 << 20))
      return Error{"", "full: no entry is left"};
    if (comms.contains(context))
      return Error{"", "context id in use"};
    MPI_Group all, members;
    PMPI_Comm_group(world, &all);
    std::vector<int> list(ranks.begin(), ranks.end());
    PMPI_Group_incl(all, int(list.size()), list.data(), &members);
    MPI_Comm made;
    PMPI_Comm_create_group(world, members, int(context & 0x3fff), &made);
    PMPI_Group_free(&all);
    PMPI_Group_free(&members);
    comms[context] = made;
    return {};
  }

  Status freeCommunicator(uint32_t context) override {
    std::lock_guard lock(mutex);
    // Not freed in MPI: that is collective, and this call is not.
    return comms.erase(context) ? Status() : Status(Error{"", "no such communicator"});
  }

  void retireCommunicator(uint32_t context) override { (void)freeCommunicator(context); }

  Result<uint64_t> loadOperator(std::span<const uint8_t>, const std::string &) override {
    return Error{"", "this session runs no operators"};
  }

  Status supports(const Collective &c) const override {
    return c.op == ReduceOp::Merge ? Status(Error{"", "MPI merges nothing"}) : Status();
  }

  Result<Request> start(const Collective &c) override {
    if (c.task)
      return Error{"", "MPI has no tasks"};
    std::lock_guard lock(mutex);
    if (int(++counts.collectives) > failAfter)
      return Error{"switch 0", "does not answer"};
    MPI_Request request;
    launch(c, comms.at(c.context), request);
    requests[++last] = request;
    return last;
  }

  Result<bool> test(Request request) override {
    std::lock_guard lock(mutex);
    auto found = requests.find(request);
    if (found == requests.end())
      return true;
    int flag = 0;
    PMPI_Test(&found->second, &flag, MPI_STATUS_IGNORE);
    if (flag)
      requests.erase(found);
    return flag != 0;
  }

  Status wait(Request request, Nanoseconds timeout) override {
    auto end = std::chrono::steady_clock::now() + timeout;
    do
      if (*test(request))
        return {};
    while (std::chrono::steady_clock::now() < end);
    return Error{"", "rank 1 has not come"};
  }

  Status progress() override { return {}; }
  Status drain(Nanoseconds) override { return {}; }
  Status close(Nanoseconds) override { return {}; }
  const SessionCounters &counters() const override { return counts; }

private:
  static void launch(const Collective &c, MPI_Comm comm, MPI_Request &request) {
    MPI_Datatype type = typeOf(c.type);
    MPI_Op op = opOf(c.op);
    int n = int(c.count), root = int(c.root), rank = 0;
    PMPI_Comm_rank(comm, &rank);
    const void *send = c.send ? c.send : MPI_IN_PLACE;
    std::vector<int> counts(c.counts.begin(), c.counts.end());
    switch (c.kind) {
    case Kind::Barrier:
      PMPI_Ibarrier(comm, &request);
      return;
    case Kind::Bcast:
      PMPI_Ibcast(c.recv, n, type, root, comm, &request);
      return;
    case Kind::Allreduce:
      PMPI_Iallreduce(send, c.recv, n, type, op, comm, &request);
      return;
    case Kind::Reduce:
      PMPI_Ireduce(send, c.recv, n, type, op, root, comm, &request);
      return;
    case Kind::Scan:
      PMPI_Iscan(send, c.recv, n, type, op, comm, &request);
      return;
    case Kind::Exscan:
      PMPI_Iexscan(send, c.recv, n, type, op, comm, &request);
      return;
    case Kind::ReduceScatterBlock:
      PMPI_Ireduce_scatter_block(send, c.recv, n, type, op, comm, &request);
      return;
    case Kind::ReduceScatter:
      PMPI_Ireduce_scatter(send, c.recv, counts.data(), type, op, comm, &request);
      return;
    case Kind::Gather:
      PMPI_Igather(send, n, type, c.recv, n, type, root, comm, &request);
      return;
    case Kind::Allgather:
      PMPI_Iallgather(send, n, type, c.recv, n, type, comm, &request);
      return;
    case Kind::Scatter:
      PMPI_Iscatter(c.send, n, type, c.recv ? c.recv : MPI_IN_PLACE, n, type, root, comm, &request);
      return;
    case Kind::Alltoall:
      PMPI_Ialltoall(send, n, type, c.recv, n, type, comm, &request);
      return;
    }
  }

  std::mutex mutex;
  MPI_Comm world = MPI_COMM_NULL;
  std::map<uint32_t, MPI_Comm> comms;
  std::map<Request, MPI_Request> requests;
  Request last = 0;
  int failAfter = numberOf("LOOP_FAIL_AFTER", 1 << 30);
  SessionCounters counts;
};

} // namespace

Result<std::unique_ptr<Session>> Session::open(const Endpoint &, uint32_t, uint32_t,
                                               const SessionOptions &) {
  return std::unique_ptr<Session>(new LoopSession);
}

} // namespace acis
