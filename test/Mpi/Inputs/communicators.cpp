// Collectives on communicators of every making, many of them, made and freed; on
// intercommunicators; and with user-defined operators.
// usage: communicators [how many at once]
#include "Check.h"

using namespace check;

namespace {

/// A sum, a broadcast from the last rank and a gather, against what they must be.
void use(MPI_Comm comm, const char *what) {
  if (comm == MPI_COMM_NULL)
    return;
  int rank = rankOf(comm), size = sizeOf(comm), sum = -1, word = rank == size - 1 ? 4711 : 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  require(sum == size * (size - 1) / 2, std::string(what) + ": Allreduce");
  MPI_Bcast(&word, 1, MPI_INT, size - 1, comm);
  require(word == 4711, std::string(what) + ": Bcast");
  std::vector<int> all(size, -1);
  MPI_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, comm);
  for (int r = 0; r < size; ++r)
    require(all[r] == r, std::string(what) + ": Allgather");
}

void useAndFree(MPI_Comm comm, const char *what) {
  use(comm, what);
  if (comm != MPI_COMM_NULL)
    MPI_Comm_free(&comm);
}

void everyMaking() {
  const MPI_Comm world = MPI_COMM_WORLD;
  int rank = rankOf(world), size = sizeOf(world);
  MPI_Comm made;
  use(world, "world");
  use(MPI_COMM_SELF, "self");
  MPI_Comm_dup(world, &made);
  useAndFree(made, "dup");
  MPI_Comm_dup_with_info(world, MPI_INFO_NULL, &made);
  useAndFree(made, "dup_with_info");
  MPI_Comm_split(world, rank % 2, -rank, &made); // both halves at once, backwards
  useAndFree(made, "split");
  MPI_Comm_split(world, rank == 0 ? MPI_UNDEFINED : 0, 0, &made);
  useAndFree(made, "split without rank 0");
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
  useAndFree(made, "split_type");

  MPI_Group all, some;
  MPI_Comm_group(world, &all);
  int first[1] = {size - 1};
  MPI_Group_excl(all, 1, first, &some);
  MPI_Comm_create(world, some, &made);
  useAndFree(made, "create");
  if (rank != size - 1) {
    MPI_Comm_create_group(world, some, 17, &made);
    useAndFree(made, "create_group");
  }
  MPI_Group_free(&some);
  MPI_Group_free(&all);

  int sizes[2] = {0, 0}, periodic[2] = {1, 0}, rows[2] = {0, 1}, columns[2] = {1, 0};
  MPI_Dims_create(size, 2, sizes);
  MPI_Cart_create(world, 2, sizes, periodic, 1, &made);
  use(made, "Cartesian");
  MPI_Comm line;
  MPI_Cart_sub(made, rows, &line);
  useAndFree(line, "row");
  MPI_Cart_sub(made, columns, &line);
  useAndFree(line, "column");
  MPI_Comm_free(&made);

  MPI_Request request;
  MPI_Comm_idup(world, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int sum = 0;
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, made, &request); // not set up yet
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  require(sum == size * (size - 1) / 2, "idup: Iallreduce");
  useAndFree(made, "idup");
}

void between() {
  const MPI_Comm world = MPI_COMM_WORLD;
  int rank = rankOf(world), size = sizeOf(world);
  MPI_Comm half, inter, merged;
  MPI_Comm_split(world, rank % 2, 0, &half);
  MPI_Intercomm_create(half, 0, world, 1 - rank % 2, 3, &inter);
  int others = rank % 2 ? (size + 1) / 2 : size / 2, one = 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter);
  require(sum == others, "intercommunicator: Allreduce");
  MPI_Barrier(inter);
  MPI_Intercomm_merge(inter, rank % 2, &merged);
  useAndFree(merged, "merged");
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

void many(int count) {
  std::vector<MPI_Comm> comms(count);
  for (MPI_Comm &comm : comms)
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = count - 1; i >= 0; --i)
    use(comms[i], "many");
  for (MPI_Comm &comm : comms)
    MPI_Comm_free(&comm);
  for (int i = 0; i < count; ++i) { // made and freed in turn
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rankOf(MPI_COMM_WORLD) < 2, 0, &comm);
    useAndFree(comm, "in turn");
  }
}

/// Affine maps x -> a x + b, whose composition does not commute.
void compose(void *in, void *inout, int *count, MPI_Datatype *) {
  auto *left = static_cast<unsigned *>(in), *right = static_cast<unsigned *>(inout);
  for (int i = 0; i < *count; ++i) {
    unsigned a = left[2 * i] * right[2 * i];
    unsigned b = left[2 * i + 1] * right[2 * i] + right[2 * i + 1];
    right[2 * i] = a;
    right[2 * i + 1] = b;
  }
}

void userOperator() {
  MPI_Op op;
  MPI_Op_create(compose, /*commute=*/0, &op);
  MPI_Datatype map;
  MPI_Type_contiguous(2, MPI_UNSIGNED, &map);
  MPI_Type_commit(&map);
  unsigned rank = rankOf(MPI_COMM_WORLD), mine[2] = {rank + 2, rank * rank + 1};
  unsigned ours[2] = {0, 0}, theirs[2] = {0, 0};
  MPI_Allreduce(mine, ours, 1, map, op, MPI_COMM_WORLD);
  PMPI_Allreduce(mine, theirs, 1, map, op, MPI_COMM_WORLD);
  require(std::memcmp(ours, theirs, sizeof ours) == 0, "operator that does not commute");
  MPI_Type_free(&map);
  MPI_Op_free(&op);
}

} // namespace

int main(int argc, char **argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  everyMaking();
  if (sizeOf(MPI_COMM_WORLD) > 1)
    between();
  many(argc > 1 ? std::atoi(argv[1]) : 40);
  userOperator();
  return finish();
}
