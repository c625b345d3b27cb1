/* The communication of NPB's IS: in each of two rankings the sizes of all buckets are added over
 * the ranks, from the sums each rank finds which buckets go to whom and tells each how many keys
 * come (Allreduce_op_Alltoall), and the keys move. Buckets are class C's; keys of a rank are fewer.
 */
#include <mpi.h>
#include <stdio.h>

#define KEYS 4096
#define BUCKETS 1024
#define MAX_RANKS 128
#define RANKINGS 2

static int keys[KEYS], sorted[KEYS], received[8 * KEYS];
static int bucket_size[BUCKETS], bucket_total[BUCKETS], begin[BUCKETS + 1];
static int send_count[MAX_RANKS], recv_count[MAX_RANKS];
static int send_at[MAX_RANKS + 1], recv_at[MAX_RANKS + 1];

static void count_keys(void) {
  for (int b = 0; b < BUCKETS; b++)
    bucket_size[b] = 0;
  for (int i = 0; i < KEYS; i++)
    bucket_size[keys[i] >> 9]++;
  begin[0] = 0;
  for (int b = 0; b < BUCKETS; b++)
    begin[b + 1] = begin[b] + bucket_size[b];
  for (int i = 0; i < KEYS; i++)
    sorted[begin[keys[i] >> 9]++] = keys[i];
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  unsigned random = 12345u + 977u * (unsigned)rank;
  for (int i = 0; i < KEYS; i++) {
    int sum = 0; /* of four, as IS has it */
    for (int k = 0; k < 4; k++) {
      random = random * 1664525u + 1013904223u;
      sum += (int)(random >> 15);
    }
    keys[i] = sum & (BUCKETS * 512 - 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  long long total = 0;
  for (int turn = 0; turn < RANKINGS; turn++) {
    keys[turn] = turn;
    keys[turn + RANKINGS] = BUCKETS * 512 - 1 - turn;
    count_keys();
    MPI_Allreduce(bucket_size, bucket_total, BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int process = 0, sum = 0, mine = 0;
    for (int i = 0; i < MAX_RANKS; i++)
      send_count[i] = 0;
    for (int b = 0; b < BUCKETS; b++) {
      sum += bucket_total[b];
      mine += bucket_size[b];
      if (sum >= (process + 1) * KEYS && process < size - 1) {
        send_count[process] = mine;
        process++;
        mine = 0;
      }
    }
    send_count[process] = mine;
    MPI_Alltoall(send_count, 1, MPI_INT, recv_count, 1, MPI_INT, MPI_COMM_WORLD);
    send_at[0] = recv_at[0] = 0;
    for (int r = 0; r < size; r++) {
      send_at[r + 1] = send_at[r] + send_count[r];
      recv_at[r + 1] = recv_at[r] + recv_count[r];
    }
    if (recv_at[size] > 8 * KEYS)
      MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Alltoallv(sorted, send_count, send_at, MPI_INT, received, recv_count, recv_at, MPI_INT,
                  MPI_COMM_WORLD);
    for (int i = 0; i < recv_at[size]; i++)
      total += (long long)received[i] * (rank + 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double time = (MPI_Wtime() - start) * 1e6;
  long long sums = 0;
  MPI_Reduce(&total, &sums, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.3f us, check %lld\n", time, sums);
  MPI_Finalize();
  return 0;
}
