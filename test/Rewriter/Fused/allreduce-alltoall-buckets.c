// Bucket sort as integer sorting benchmarks do it: the store index and an inner while loop depend
// on data, the receive buffer is read again, one output of the op goes to the host.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

#define KEYS 512
#define BUCKETS 64

int keys[KEYS], bucket_size[BUCKETS + 4], bucket_total[BUCKETS + 4];
int send_count[64], recv_count[64], recv_displ[64];
int first_bucket[64], last_bucket[64];

int main(int argc, char **argv) {
  int rank, size, i, j;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (i = 0; i < KEYS; i++)
    keys[i] = (i * 7919 + rank * 104729) % (BUCKETS * 16);
  for (i = 0; i < KEYS; i++)
    bucket_size[keys[i] / 16]++;
  int total_keys = KEYS * size;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Alltoall to line [[#@LINE+21]]: {{rewritten|fusable}}
  MPI_Allreduce(bucket_size, bucket_total, BUCKETS + 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int sum = 0, local = 0, proc = 0;
  for (i = 0; i < 64; i++)
    send_count[i] = first_bucket[i] = last_bucket[i] = 0;
  for (i = 0, j = 0; i < BUCKETS; i++) {
    sum += bucket_total[i];
    local += bucket_size[i];
    /* a process is full */
    if (sum >= (j + 1) * (total_keys / size)) {
      send_count[j] = local;
      if (j != 0)
        first_bucket[j] = last_bucket[j - 1] + 1;
      last_bucket[j++] = i;
      local = 0;
    }
  }
  while (j < size)
    send_count[j++] = 0;
  proc = rank;

  MPI_Alltoall(send_count, 1, MPI_INT, recv_count, 1, MPI_INT, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE-1]]:3: remark: semi-fused Alltoall_op: {{rewritten|fusable}}
  recv_displ[0] = 0;
  for (i = 1; i < size; i++)
    recv_displ[i] = recv_displ[i - 1] + recv_count[i - 1];

  long check = 0;
  for (i = 0; i < BUCKETS; i++)
    check += bucket_total[i] * (i + 1L);
  for (i = 0; i < size; i++)
    check += recv_displ[i] * 3 + recv_count[i] + first_bucket[i] * 5 + last_bucket[i] * 7;
  printf("%d of %d: %ld\n", proc, size, check);
  MPI_Finalize();
  return 0;
}
