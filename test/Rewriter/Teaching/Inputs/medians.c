/* Median of medians: local medians to the root, which sorts them with its own sort. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static void insertion_sort(int *a, int n) {
  for (int i = 1; i < n; i++) {
    int key = a[i], j = i - 1;
    while (j >= 0 && a[j] > key) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = key;
  }
}
int main(int argc, char **argv) {
  int me, np, ierr, values[31], all[64], pivot = 0, counts[2], totals[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &np);
  for (int i = 0; i < 31; i++)
    values[i] = (i * 37 + me * 11) % 101;
  insertion_sort(values, 31);
  ierr = MPI_Gather(&values[15], 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD); /*@medians*/
  if (ierr != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, ierr);
  if (me == 0) {
    insertion_sort(all, np);
    pivot = all[np / 2];
  }
  MPI_Bcast(&pivot, 1, MPI_INT, 0, MPI_COMM_WORLD); /*@pivot*/
  counts[0] = counts[1] = 0;
  for (int i = 0; i < 31; i++)
    counts[values[i] < pivot ? 0 : 1]++;
  MPI_Allreduce(counts, totals, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /*@counts*/
  if (me == 0)
    printf("pivot %d: %d below, %d not\n", pivot, totals[0], totals[1]);
  MPI_Finalize();
  return 0;
}
