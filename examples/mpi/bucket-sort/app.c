/* The counting step of a parallel bucket sort: how many keys each process gets.
 *
 * The sizes of all buckets are summed over the processes (Allreduce); from the sums every
 * process finds which buckets go to whom (the op) and tells each process how many of its keys
 * will come (Alltoall). Allreduce_op_Alltoall. */
#include <mpi.h>
#include <stdio.h>

#define KEYS 4096
#define BUCKETS 512
#define MAX_RANKS 64

static unsigned keys[KEYS];
static int bucket_size[BUCKETS], bucket_total[BUCKETS];
static int send_count[MAX_RANKS], recv_count[MAX_RANKS], last_bucket[MAX_RANKS];

int main(int argc, char **argv) {
  int rank, size, i, process = 0, sum = 0, mine = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  unsigned random = 12345u + 977u * (unsigned)rank;
  for (i = 0; i < KEYS; i++) {
    random = random * 1664525u + 1013904223u;
    keys[i] = (random >> 8) % (BUCKETS * 32);
  }
  for (i = 0; i < KEYS; i++)
    bucket_size[keys[i] / 32]++;

  MPI_Allreduce(bucket_size, bucket_total, BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

  for (i = 0; i < size; i++)
    send_count[i] = 0;
  for (i = 0; i < BUCKETS; i++) {
    sum += bucket_total[i];
    mine += bucket_size[i];
    /* this process has its share */
    if (sum >= (process + 1) * KEYS && process < size - 1) {
      send_count[process] = mine;
      last_bucket[process++] = i;
      mine = 0;
    }
  }
  send_count[process] = mine;

  MPI_Alltoall(send_count, 1, MPI_INT, recv_count, 1, MPI_INT, MPI_COMM_WORLD);

  int keys_here = 0;
  for (i = 0; i < size; i++)
    keys_here += recv_count[i];
  printf("process %d sorts %d keys, up to bucket %d\n", rank, keys_here, last_bucket[rank]);
  MPI_Finalize();
  return 0;
}
