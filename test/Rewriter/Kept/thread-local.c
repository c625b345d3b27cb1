// State of threads and functions that lives on from call to call, used and set by ops.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { N = 48 };
static _Thread_local int calls;
static int from[2][N], to[2][N];
static MPI_Comm comms[2];

static int chain(int *a, int *d, MPI_Comm comm) {
  static _Thread_local int before;
  int b[N], c[N];
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, comm);
  calls++;
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i] + calls + before;
  before += c[0];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, comm);
  return before;
}

static void *run(void *number) {
  int me = number != NULL, last = 0;
  for (int round = 0; round < 20; round++)
    last = chain(from[me], to[me], comms[me]);
  to[me][0] = last + calls;
  return NULL;
}

int main(int argc, char **argv) {
  int rank, given;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int k = 0; k < 2; k++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[k]);
    for (int i = 0; i < N; i++)
      from[k][i] = rank + i + 100 * k;
  }
  pthread_t thread;
  int threads = given == MPI_THREAD_MULTIPLE;
  if (threads)
    pthread_create(&thread, NULL, run, comms);
  run(NULL);
  if (threads)
    pthread_join(thread, NULL);
  else
    run(comms);
  printf("%d: %d %d %d\n", rank, to[0][0], to[0][1], to[1][1]);
  for (int k = 0; k < 2; k++)
    MPI_Comm_free(&comms[k]);
  MPI_Finalize();
  return 0;
}
