/* Updates of a distributed table; one allocation cut into four. */
#include "parts.h"
int main(int argc, char **argv) {
  int me, ranks, round, proc, j, *send, *recv, *sdispl, *rdispl, total, root = 0;
  unsigned long *ran, *table, **buckets, *inbox, i, index;
  double t = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  ran = (unsigned long *)malloc(64 * sizeof(*ran));
  table = (unsigned long *)malloc(256 * sizeof(*table));
  if (!table) {
    printf("ERROR: rank %d could not allocate\n", me);
    bail_out(1);
  }
  buckets = (unsigned long **)malloc((ranks + 1) * sizeof(*buckets));
  buckets[0] = (unsigned long *)malloc(2 * ranks * 64 * sizeof(**buckets));
  for (proc = 1; proc < ranks; proc++)
    buckets[proc] = buckets[0] + proc * 64;
  inbox = buckets[0] + ranks * 64;
  send = (int *)malloc(4 * ranks * sizeof(int));
  if (!send) {
    printf("ERROR\n");
    bail_out(1);
  }
  recv = send + ranks;
  sdispl = recv + ranks;
  rdispl = sdispl + ranks;
  for (proc = 0; proc < ranks; proc++)
    sdispl[proc] = 64 * proc;
  rdispl[0] = 0;
  for (i = 0; i < 256; i++)
    table[i] = i + 256 * me;
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == root)
    t = wall();
  for (round = 0; round < 2; round++) {
    for (j = 0; j < 64; j++)
      ran[j] = j * 77 + me;
    for (proc = 0; proc < ranks; proc++)
      send[proc] = 0;
    for (j = 0; j < 64; j++) {
      int to = ran[j] % ranks;
      buckets[to][send[to]++] = ran[j];
    }
    MPI_Alltoall(send, 1, MPI_INT, /*@counts*/
                 recv, 1, MPI_INT, MPI_COMM_WORLD);
    /* offsets so that what comes is contiguous */
    for (proc = 1; proc < ranks; proc++)
      rdispl[proc] = rdispl[proc - 1] + recv[proc - 1];
    MPI_Alltoallv(buckets[0], send, sdispl, MPI_UNSIGNED_LONG, inbox, recv, rdispl, /*@v*/
                  MPI_UNSIGNED_LONG, MPI_COMM_WORLD);
    total = rdispl[ranks - 1] + recv[ranks - 1];
    for (j = 0; j < total; j++) {
      index = inbox[j] & 255;
      table[index] ^= inbox[j];
    }
  }
  if (me == root)
    printf("%lf\n", wall() - t);
  MPI_Finalize();
  return 0;
}
