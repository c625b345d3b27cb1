// What programs do around collectives: free a communicator while another is busy, use
// communicators between two groups in every way, mix requests of all kinds, call from an
// attribute's delete function in MPI_Finalize, move large counts, use persistent
// collectives where the library has them.
#include "Check.h"

#include <complex>
#include <numeric>

using namespace check;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

/// Freeing one communicator must not wait for collectives on another, which may need a
/// message that this rank sends only afterwards.
void freeBesideBusy() {
  int rank = rankOf(world), size = sizeOf(world), sum = 0, note = 0;
  MPI_Comm busy, idle;
  MPI_Comm_dup(world, &busy);
  MPI_Comm_dup(world, &idle);
  MPI_Request request = MPI_REQUEST_NULL;
  double start = MPI_Wtime();
  if (rank == 0)
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, busy, &request);
  MPI_Comm_free(&idle);
  if (rank == 0) {
    for (int r = 1; r < size; ++r)
      MPI_Send(&note, 1, MPI_INT, r, 0, world);
  } else {
    MPI_Recv(&note, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, busy, &request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  require(sum == size * (size - 1) / 2, "Iallreduce beside a freed communicator");
  require(MPI_Wtime() - start < 100, "MPI_Comm_free waits for another communicator");
  MPI_Comm_free(&busy);
}

/// Two groups: results go to the other side.
void betweenGroups() {
  int rank = rankOf(world), size = sizeOf(world), side = rank % 2;
  int others = side ? (size + 1) / 2 : size / 2;
  MPI_Comm half, inter;
  MPI_Comm_split(world, side, 0, &half);
  MPI_Intercomm_create(half, 0, world, 1 - side, 3, &inter);
  int one = 1, sum = 0;
  MPI_Request request;
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  require(sum == others, "intercommunicator: Iallreduce");
  int mine = rankOf(half), word = side == 0 && mine == 0 ? 99 : 0;
  int root = side == 0 ? (mine == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
  MPI_Bcast(&word, 1, MPI_INT, root, inter);
  require(word == (root == MPI_PROC_NULL ? 0 : 99), "intercommunicator: Bcast");
  sum = 0;
  MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, root, inter);
  require(root != MPI_ROOT || sum == others, "intercommunicator: Reduce");
  std::vector<int> all(size, -1);
  MPI_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, inter);
  for (int r = 0; r < others; ++r)
    require(all[r] == 2 * r + 1 - side, "intercommunicator: Allgather");
  MPI_Gather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, root, inter);
  std::vector<int> out(size, rank);
  MPI_Alltoall(out.data(), 1, MPI_INT, all.data(), 1, MPI_INT, inter);
  for (int r = 0; r < others; ++r)
    require(all[r] == 2 * r + 1 - side, "intercommunicator: Alltoall");
  MPI_Ibarrier(inter, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

/// Persistent messages, null requests and collectives in one array, again and again.
void mixedRequests() {
  int rank = rankOf(world), size = sizeOf(world), out = rank, in = -1;
  MPI_Request persistent[2];
  MPI_Send_init(&out, 1, MPI_INT, (rank + 1) % size, 8, world, &persistent[0]);
  MPI_Recv_init(&in, 1, MPI_INT, (rank + size - 1) % size, 8, world, &persistent[1]);
  for (int round = 0; round < 8; ++round) {
    int sum = 0, word = rank == 0 ? round : -1;
    MPI_Request all[5] = {MPI_REQUEST_NULL, persistent[0], MPI_REQUEST_NULL, persistent[1],
                          MPI_REQUEST_NULL};
    in = -1;
    MPI_Startall(2, persistent);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world, &all[0]);
    MPI_Ibcast(&word, 1, MPI_INT, 0, world, &all[4]);
    MPI_Status statuses[5];
    switch (round % 4) {
    case 0:
      MPI_Waitall(5, all, statuses);
      break;
    case 1:
      for (int done = 0, index = 0; done < 4; ++done) {
        MPI_Waitany(5, all, &index, &statuses[0]);
        require(index >= 0 && index < 5 && index != 2, "Waitany of a mixture");
      }
      break;
    case 2:
      for (int done = 0, count = 0, indices[5]; done < 4; done += count)
        MPI_Waitsome(5, all, &count, indices, statuses);
      break;
    default:
      for (int flag = 0; !flag;)
        MPI_Testall(5, all, &flag, MPI_STATUSES_IGNORE);
    }
    require(in == (rank + size - 1) % size && sum == size * (size - 1) / 2 && word == round,
            "mixture of requests, round " + std::to_string(round));
    require(all[0] == MPI_REQUEST_NULL && all[4] == MPI_REQUEST_NULL && all[1] == persistent[0],
            "requests after their completion");
  }
  MPI_Request_free(&persistent[0]);
  MPI_Request_free(&persistent[1]);
  MPI_Request none[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int index = 0, flag = 0, count = 0, indices[2];
  MPI_Waitall(2, none, MPI_STATUSES_IGNORE);
  MPI_Waitall(0, nullptr, MPI_STATUSES_IGNORE);
  MPI_Waitany(2, none, &index, MPI_STATUS_IGNORE);
  MPI_Waitsome(2, none, &count, indices, MPI_STATUSES_IGNORE);
  require(index == MPI_UNDEFINED && count == MPI_UNDEFINED, "nothing to wait for");
  MPI_Testany(2, none, &index, &flag, MPI_STATUS_IGNORE);
  require(flag && index == MPI_UNDEFINED, "Testany of nothing");
}

/// A collective and its inverse with many megabytes, one block at a time and as one item.
void largeCounts() {
  const int n = 3 << 20, size = sizeOf(world), rank = rankOf(world);
  std::vector<int> data(n, rank), sum(n);
  MPI_Allreduce(data.data(), sum.data(), n, MPI_INT, MPI_SUM, world);
  require(sum[0] == size * (size - 1) / 2 && sum == std::vector<int>(n, sum[0]), "large Allreduce");
  MPI_Datatype whole;
  MPI_Type_contiguous(n, MPI_INT, &whole);
  MPI_Type_commit(&whole);
  if (rank == 1)
    std::iota(data.begin(), data.end(), 5);
  MPI_Bcast(data.data(), 1, whole, 1, world);
  require(data[0] == 5 && data[n - 1] == n + 4, "large Bcast");
  MPI_Type_free(&whole);
}

/// Twenty collectives under way at once, of all kinds, waited for backwards.
void manyUnderWay() {
  constexpr int N = 20;
  int rank = rankOf(world), size = sizeOf(world);
  std::vector<std::vector<int>> in(N), out(N);
  MPI_Request requests[N];
  for (int i = 0; i < N; ++i) {
    const int count = 1 + i * 700;
    in[i].assign(count, rank + i);
    out[i].assign(size_t(count) * size, -1);
    switch (i % 4) {
    case 0:
      MPI_Iallreduce(in[i].data(), out[i].data(), count, MPI_INT, MPI_MAX, world, &requests[i]);
      break;
    case 1:
      MPI_Iallgather(in[i].data(), count, MPI_INT, out[i].data(), count, MPI_INT, world,
                     &requests[i]);
      break;
    case 2:
      MPI_Iscan(in[i].data(), out[i].data(), count, MPI_INT, MPI_MIN, world, &requests[i]);
      break;
    default:
      MPI_Ibarrier(world, &requests[i]);
    }
  }
  for (int i = N - 1; i >= 0; --i)
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i) {
    if (i % 4 == 0)
      require(out[i][0] == size - 1 + i && out[i][i * 700] == size - 1 + i, "Iallreduce of many");
    if (i % 4 == 1)
      for (int r = 0; r < size; ++r)
        require(out[i][size_t(r) * (1 + i * 700)] == r + i, "Iallgather of many");
    if (i % 4 == 2)
      require(out[i][i * 700] == i, "Iscan of many");
  }
}

void persistentCollectives() {
#if MPI_VERSION >= 4
  int rank = rankOf(world), size = sizeOf(world), sum = 0;
  MPI_Request request;
  MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &request);
  for (int i = 0; i < 3; ++i) {
    sum = 0;
    MPI_Start(&request);
    int other = 0;
    MPI_Allreduce(&rank, &other, 1, MPI_INT, MPI_SUM, world); // beside it
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    require(sum == size * (size - 1) / 2 && sum == other, "persistent Allreduce");
  }
  MPI_Request_free(&request);
#endif
}

/// Types that C programs get from Fortran, of the sizes that Fortran gives them.
template <typename T> void fortranType(MPI_Datatype type, const char *name) {
  int bytes = 0;
  if (type == MPI_DATATYPE_NULL || MPI_Type_size(type, &bytes) != MPI_SUCCESS ||
      bytes != int(sizeof(T)))
    return;
  const int rank = rankOf(world), size = sizeOf(world);
  T mine[3], all[3] = {};
  for (int i = 0; i < 3; ++i)
    mine[i] = T(rank + i);
  MPI_Allreduce(mine, all, 3, type, MPI_SUM, world);
  for (int i = 0; i < 3; ++i)
    require(all[i] == T(size * (size - 1) / 2 + size * i), std::string(name) + ": sum");
}

void fortranTypes() {
  fortranType<int>(MPI_INTEGER, "MPI_INTEGER");
  fortranType<float>(MPI_REAL, "MPI_REAL");
  fortranType<double>(MPI_DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION");
  fortranType<int8_t>(MPI_INTEGER1, "MPI_INTEGER1");
  fortranType<int16_t>(MPI_INTEGER2, "MPI_INTEGER2");
  fortranType<int32_t>(MPI_INTEGER4, "MPI_INTEGER4");
  fortranType<int64_t>(MPI_INTEGER8, "MPI_INTEGER8");
  fortranType<float>(MPI_REAL4, "MPI_REAL4");
  fortranType<double>(MPI_REAL8, "MPI_REAL8");
  fortranType<std::complex<float>>(MPI_COMPLEX, "MPI_COMPLEX");
  fortranType<std::complex<double>>(MPI_DOUBLE_COMPLEX, "MPI_DOUBLE_COMPLEX");
  fortranType<std::complex<float>>(MPI_COMPLEX8, "MPI_COMPLEX8");
  fortranType<std::complex<double>>(MPI_COMPLEX16, "MPI_COMPLEX16");
}

/// MPI calls this in MPI_Finalize, where collectives are still allowed.
int onFinalize(MPI_Comm, int, void *, void *) {
  int one = 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, world);
  if (sum != sizeOf(world))
    std::printf("rank %d: Allreduce in MPI_Finalize\n", rankOf(world));
  return MPI_SUCCESS;
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, onFinalize, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  freeBesideBusy();
  if (sizeOf(world) > 1)
    betweenGroups();
  mixedRequests();
  manyUnderWay();
  persistentCollectives();
  fortranTypes();
  largeCounts();
  return finish();
}
