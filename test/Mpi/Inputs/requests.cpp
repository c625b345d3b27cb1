// Requests of non-blocking collectives in every completion call, alone and among requests
// of point-to-point messages; and progress: a wait for a collective must let messages
// through, and a wait for a message must let collectives through.
#include "Check.h"

#include <numeric>

using namespace check;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

/// Collectives under way, one of each kind of completion, beside a ring of messages.
class Batch {
public:
  explicit Batch(int n) : sums(n), inputs(n) {
    int rank = rankOf(world), size = sizeOf(world);
    requests.resize(n + 2);
    MPI_Irecv(&received, 1, MPI_INT, (rank + size - 1) % size, 5, world, &requests[0]);
    for (int i = 0; i < n; ++i) {
      inputs[i] = rank + i;
      MPI_Iallreduce(&inputs[i], &sums[i], 1, MPI_INT, MPI_SUM, world, &requests[i + 1]);
    }
    sent = rank;
    MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % size, 5, world, &requests[n + 1]);
  }

  int count() const { return int(requests.size()); }

  void check(const char *what) {
    int rank = rankOf(world), size = sizeOf(world);
    require(received == (rank + size - 1) % size, std::string(what) + ": message");
    for (size_t i = 0; i < sums.size(); ++i)
      require(sums[i] == size * (size - 1) / 2 + size * int(i),
              std::string(what) + ": sum " + std::to_string(i) + " is " + std::to_string(sums[i]));
    for (MPI_Request request : requests)
      require(request == MPI_REQUEST_NULL, std::string(what) + ": request is not null");
  }

  std::vector<MPI_Request> requests;

private:
  std::vector<int> sums, inputs;
  int received = -1, sent = 0;
};

void eachCompletionCall() {
  for (int n : {1, 2, 40}) {
    Batch all(n);
    std::vector<MPI_Status> statuses(all.count());
    MPI_Waitall(all.count(), all.requests.data(), statuses.data());
    all.check("Waitall");

    Batch single(n);
    for (int i = single.count() - 1; i >= 0; --i) // last first
      MPI_Wait(&single.requests[i], MPI_STATUS_IGNORE);
    single.check("Wait");

    Batch any(n);
    for (int done = 0, index = 0; done < any.count(); ++done) {
      MPI_Waitany(any.count(), any.requests.data(), &index, MPI_STATUS_IGNORE);
      require(index != MPI_UNDEFINED, "Waitany: no index");
    }
    any.check("Waitany");

    Batch some(n);
    std::vector<int> indices(some.count());
    for (int done = 0, count = 0; done < some.count(); done += count)
      MPI_Waitsome(some.count(), some.requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE);
    some.check("Waitsome");

    Batch tested(n);
    for (int i = 0, flag = 0; i < tested.count(); ++i, flag = 0)
      while (!flag)
        MPI_Test(&tested.requests[i], &flag, MPI_STATUS_IGNORE);
    tested.check("Test");

    Batch testedAll(n);
    for (int flag = 0; !flag;)
      MPI_Testall(testedAll.count(), testedAll.requests.data(), &flag, MPI_STATUSES_IGNORE);
    testedAll.check("Testall");

    Batch testedAny(n);
    for (int flag = 0, index = 0; !flag || index != MPI_UNDEFINED;)
      MPI_Testany(testedAny.count(), testedAny.requests.data(), &index, &flag, MPI_STATUS_IGNORE);
    testedAny.check("Testany");

    Batch testedSome(n);
    for (int count = 0; count != MPI_UNDEFINED;)
      MPI_Testsome(testedSome.count(), testedSome.requests.data(), &count, indices.data(),
                   MPI_STATUSES_IGNORE);
    testedSome.check("Testsome");

    Batch asked(n);
    for (MPI_Request &request : asked.requests) {
      for (int flag = 0; !flag;)
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    asked.check("Request_get_status");
  }
}

/// A large message needs its sender while that waits in a collective for its receiver.
void messagesDuringCollective() {
  int rank = rankOf(world), size = sizeOf(world);
  std::vector<double> out(1 << 17, rank), in(out.size());
  MPI_Request request;
  MPI_Isend(out.data(), int(out.size()), MPI_DOUBLE, (rank + 1) % size, 9, world, &request);
  if (rank != 0)
    MPI_Recv(in.data(), int(in.size()), MPI_DOUBLE, rank - 1, 9, world, MPI_STATUS_IGNORE);
  MPI_Barrier(world);
  if (rank == 0)
    MPI_Recv(in.data(), int(in.size()), MPI_DOUBLE, size - 1, 9, world, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  require(in.back() == (rank + size - 1) % size, "large message beside a barrier");
}

/// Rank 0 waits for a message that rank 1 sends only after the collective that rank 0 has
/// started and does not wait for.
void collectiveDuringMessage() {
  int rank = rankOf(world), size = sizeOf(world), note = 0;
  std::vector<int> in(20000, rank), sum(in.size());
  MPI_Request request;
  MPI_Iallreduce(in.data(), sum.data(), int(in.size()), MPI_INT, MPI_SUM, world, &request);
  if (rank == 0)
    MPI_Recv(&note, 1, MPI_INT, 1, 3, world, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 1)
    MPI_Send(&note, 1, MPI_INT, 0, 3, world);
  require(sum.back() == size * (size - 1) / 2, "collective beside a message");
}

/// Different communicators may be waited for in different orders.
void ordersOfCommunicators() {
  MPI_Comm first, second;
  MPI_Comm_dup(world, &first);
  MPI_Comm_dup(world, &second);
  int rank = rankOf(world), size = sizeOf(world), a = 0, b = 0;
  MPI_Request one, two;
  if (rank % 2) {
    MPI_Iallreduce(&rank, &a, 1, MPI_INT, MPI_SUM, first, &one);
    MPI_Iallreduce(&rank, &b, 1, MPI_INT, MPI_MAX, second, &two);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    MPI_Wait(&two, MPI_STATUS_IGNORE);
  } else {
    MPI_Iallreduce(&rank, &b, 1, MPI_INT, MPI_MAX, second, &two);
    MPI_Iallreduce(&rank, &a, 1, MPI_INT, MPI_SUM, first, &one);
    MPI_Wait(&two, MPI_STATUS_IGNORE);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
  }
  require(a == size * (size - 1) / 2 && b == size - 1, "two communicators");
  MPI_Comm_free(&first);
  MPI_Comm_free(&second);
}

/// The datatype and the communicator may be freed while the collective is under way.
void freedWhileUnderWay() {
  MPI_Datatype every;
  MPI_Type_vector(8, 1, 3, MPI_INT, &every);
  MPI_Type_commit(&every);
  MPI_Comm comm;
  MPI_Comm_dup(world, &comm);
  std::vector<int> data(24, -1);
  if (rankOf(world) == 0)
    std::iota(data.begin(), data.end(), 0);
  MPI_Request request;
  MPI_Ibcast(data.data(), 1, every, 0, comm, &request);
  MPI_Type_free(&every);
  MPI_Comm_free(&comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < 24; i += 3)
    require(data[i] == i, "Bcast with a freed datatype");
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  eachCompletionCall();
  messagesDuringCollective();
  collectiveDuringMessage();
  ordersOfCommunicators();
  freedWhileUnderWay();
  return finish();
}
