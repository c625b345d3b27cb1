/* Parallel sorting by regular sampling, as taught in courses. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MASTER 0

static int cmp(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(int argc, char *argv[]) {
  int rank, p, n = 64, i, j;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1)
    n = atoi(argv[1]);
  int *data = (int *)malloc(n * sizeof(int));
  for (i = 0; i < n; i++)
    data[i] = (i * 7919 + rank * 104729) % 1009;
  double start = MPI_Wtime();
  qsort(data, n, sizeof(int), cmp);

  int *samples = (int *)malloc(p * sizeof(int));
  int *all_samples = NULL;
  int *pivots = (int *)malloc((p - 1) * sizeof(int));
  for (i = 0; i < p; i++)
    samples[i] = data[i * n / p];
  if (rank == MASTER)
    all_samples = (int *)malloc(p * p * sizeof(int));
  MPI_Gather(samples, p, MPI_INT, all_samples, p, MPI_INT, MASTER, MPI_COMM_WORLD); /*@samples*/
  if (rank == MASTER) {
    qsort(all_samples, p * p, sizeof(int), cmp);
    for (i = 1; i < p; i++)
      pivots[i - 1] = all_samples[i * p + p / 2 - 1];
  }
  MPI_Bcast(pivots, p - 1, MPI_INT, MASTER, MPI_COMM_WORLD); /*@pivots*/

  int *send_counts = (int *)calloc(p, sizeof(int));
  int *recv_counts = (int *)malloc(p * sizeof(int));
  int *send_displs = (int *)malloc(p * sizeof(int));
  int *recv_displs = (int *)malloc(p * sizeof(int));
  j = 0;
  for (i = 0; i < n; i++) {
    while (j < p - 1 && data[i] > pivots[j])
      j++;
    send_counts[j]++;
  }
  MPI_Alltoall(send_counts, 1, MPI_INT, recv_counts, 1, MPI_INT, MPI_COMM_WORLD); /*@counts*/
  send_displs[0] = 0;
  recv_displs[0] = 0;
  for (i = 1; i < p; i++) {
    send_displs[i] = send_displs[i - 1] + send_counts[i - 1];
    recv_displs[i] = recv_displs[i - 1] + recv_counts[i - 1];
  }
  int total = recv_displs[p - 1] + recv_counts[p - 1];
  int *sorted = (int *)malloc((total + 1) * sizeof(int));
  MPI_Alltoallv(data, send_counts, send_displs, MPI_INT, sorted, recv_counts, recv_displs, MPI_INT, /*@v*/
                MPI_COMM_WORLD);
  qsort(sorted, total, sizeof(int), cmp);
  double elapsed = MPI_Wtime() - start, slowest;
  MPI_Reduce(&elapsed, &slowest, 1, MPI_DOUBLE, MPI_MAX, MASTER, MPI_COMM_WORLD); /*@time*/
  if (rank == MASTER)
    fprintf(stderr, "time %f s\n", slowest);
  long checksum = 0;
  for (i = 0; i < total; i++)
    checksum += (long)(i + 1) * sorted[i];
  printf("rank %d has %d keys, checksum %ld\n", rank, total, checksum);
  free(data);
  free(sorted);
  MPI_Finalize();
  return 0;
}
