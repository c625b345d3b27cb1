// What the programs of this folder share: the arrays, the plain side of the communication in
// functions of their own, and what each rank prints.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 48 };
static int rank, size;
static int from[N], sums[N], sent[N], result[N];

static void begin(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++) {
    from[i] = rank * 7 + i;
    sent[i] = 1000 * rank - i;
  }
}

static void addPlainly(void) {
  MPI_Allreduce(from, sums, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void findLargestPlainly(void) {
  MPI_Allreduce(sent, result, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

static int end(void) {
  long total = 0;
  for (int i = 0; i < N; i++)
    total += (i + 1) * (long)result[i] + sums[i];
  printf("rank %d: %ld\n", rank, total);
  return MPI_Finalize();
}
