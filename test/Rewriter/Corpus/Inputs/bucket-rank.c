/* Ranking of integer keys by buckets: globals, timer macros, a data-dependent index. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define KEYS 4096
#define BUCKETS 64
#define MAX_PROCS 32
#define TIMED 0
#define TIMER_START(n) if (TIMED) timers[n] = -MPI_Wtime()
#define TIMER_STOP(n) if (TIMED) timers[n] += MPI_Wtime()
typedef int KEY;
KEY keys[KEYS], sorted[KEYS], inbox[2 * KEYS];
int bucket_size[BUCKETS + 5], bucket_total[BUCKETS + 5], bucket_ptr[BUCKETS];
int proc_first[BUCKETS + 5], proc_last[BUCKETS + 5];
int send_count[MAX_PROCS], recv_count[MAX_PROCS], send_displ[MAX_PROCS], recv_displ[MAX_PROCS];
int my_rank, comm_size, passed;
double timers[8];

void rank_keys(int iteration) {
  int i, j, k, m, m1, m2, n, shift = 6, total_keys = 0;
  if (my_rank == 0) {
    keys[iteration] = iteration;
    keys[iteration + 10] = 4000 - iteration;
  }
  for (i = 0; i < BUCKETS + 5; i++) {
    bucket_size[i] = 0;
    bucket_total[i] = 0;
    proc_first[i] = 0;
    proc_last[i] = 0;
  }
  for (i = 0; i < KEYS; i++)
    bucket_size[keys[i] >> shift]++;
  bucket_ptr[0] = 0;
  for (i = 1; i < BUCKETS; i++)
    bucket_ptr[i] = bucket_ptr[i - 1] + bucket_size[i - 1];
  for (i = 0; i < KEYS; i++) {
    k = keys[i];
    sorted[bucket_ptr[k >> shift]++] = k;
  }
  TIMER_STOP(2);
  TIMER_START(3);
  MPI_Allreduce(bucket_size, bucket_total, BUCKETS + 5, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /*@sizes*/
  TIMER_STOP(3);
  TIMER_START(2);
  total_keys = 0;
  m = 0;
  j = 0;
  send_displ[0] = 0;
  proc_first[0] = 0;
  for (i = 0; i < BUCKETS; i++) {
    total_keys += bucket_total[i];
    m += bucket_size[i];
    if (total_keys >= (j + 1) * KEYS) {
      send_count[j] = m;
      if (j != 0) {
        send_displ[j] = send_displ[j - 1] + send_count[j - 1];
        proc_first[j] = proc_last[j - 1] + 1;
      }
      proc_last[j++] = i;
      m = 0;
    }
  }
  while (j < comm_size) {
    send_count[j] = 0;
    proc_first[j] = 1;
    j++;
  }
  TIMER_STOP(2);
  TIMER_START(3);
  MPI_Alltoall(send_count, 1, MPI_INT, recv_count, 1, MPI_INT, MPI_COMM_WORLD); /*@counts*/
  recv_displ[0] = 0;
  for (i = 1; i < comm_size; i++)
    recv_displ[i] = recv_displ[i - 1] + recv_count[i - 1];
  MPI_Alltoallv(sorted, send_count, send_displ, MPI_INT, inbox, recv_count, recv_displ, MPI_INT, /*@v*/
                MPI_COMM_WORLD);
  TIMER_STOP(3);
  m1 = bucket_total[proc_first[my_rank]];
  m2 = bucket_total[proc_last[my_rank]];
  n = m1 + m2;
  if (n < 0)
    passed--;
}

void verify(void) {
  MPI_Request request;
  MPI_Status status;
  int i, j = 0, k = 0, last = keys[KEYS - 1];
  if (my_rank > 0)
    MPI_Irecv(&k, 1, MPI_INT, my_rank - 1, 7, MPI_COMM_WORLD, &request);
  if (my_rank < comm_size - 1)
    MPI_Send(&last, 1, MPI_INT, my_rank + 1, 7, MPI_COMM_WORLD);
  if (my_rank > 0)
    MPI_Wait(&request, &status);
  for (i = 1; i < KEYS; i++)
    if (sorted[i - 1] > sorted[i])
      j++;
  if (j != 0)
    printf("%d keys out of order\n", j);
  else
    passed++;
}

int main(int argc, char **argv) {
  int i, iteration, total;
  double t = 0, slowest, sums[4], least[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &comm_size);
  MPI_Bcast(&passed, 1, MPI_INT, 0, MPI_COMM_WORLD); /*@flag*/
  if (passed > 0)
    t = 1;
  for (i = 0; i < KEYS; i++)
    keys[i] = (i * 37 + my_rank) % 4096;
  for (iteration = 1; iteration <= 3; iteration++)
    rank_keys(iteration);
  t = MPI_Wtime() - t;
  MPI_Reduce(&t, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD); /*@slowest*/
  verify();
  total = passed;
  MPI_Reduce(&passed, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /*@passed*/
  if (my_rank == 0) {
    if (total != 5 * comm_size)
      total = 0;
    printf("%d %s\n", total, slowest > 100 ? "slow" : "");
  }
  if (TIMED) {
    MPI_Reduce(timers, sums, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /*@timers*/
    MPI_Reduce(timers, least, 4, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD); /*@least*/
    if (my_rank == 0)
      for (i = 0; i < 4; i++)
        printf("%d: %10.4f %10.4f\n", i, least[i], sums[i] / comm_size);
  }
  MPI_Finalize();
  return 0;
}
