/* Parts sorted by a library, then exchanged. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int Compare(const void *a_p, const void *b_p) { return *(int *)a_p - *(int *)b_p; }
void Read_list(int local_A[], int local_n, int my_rank, int p, MPI_Comm comm) {
  int i, *temp = NULL;
  if (my_rank == 0) {
    temp = (int *)malloc(p * local_n * sizeof(int));
    for (i = 0; i < p * local_n; i++)
      temp[i] = i * 31 % 100;
  }
  MPI_Scatter(temp, local_n, MPI_INT, local_A, local_n, MPI_INT, 0, comm); /*@list*/
  if (my_rank == 0)
    free(temp);
}
int main(void) {
  int my_rank, p, n = 40, local_n, *local_A, *all = NULL, i;
  MPI_Comm comm;
  MPI_Status status;
  MPI_Init(NULL, NULL);
  comm = MPI_COMM_WORLD;
  MPI_Comm_size(comm, &p);
  MPI_Comm_rank(comm, &my_rank);
  local_n = n / p;
  local_A = (int *)malloc(local_n * sizeof(int));
  Read_list(local_A, local_n, my_rank, p, comm); /*@read*/
  qsort(local_A, local_n, sizeof(int), Compare);
  if (my_rank % 2 == 0 && my_rank + 1 < p)
    MPI_Sendrecv_replace(local_A, local_n, MPI_INT, my_rank + 1, 0, my_rank + 1, 0, comm, &status);
  else if (my_rank % 2)
    MPI_Sendrecv_replace(local_A, local_n, MPI_INT, my_rank - 1, 0, my_rank - 1, 0, comm, &status);
  if (my_rank == 0)
    all = (int *)malloc(n * sizeof(int));
  MPI_Gather(local_A, local_n, MPI_INT, all, local_n, MPI_INT, 0, comm);
  if (my_rank == 0)
    for (i = 0; i < n; i++)
      printf("%d ", all[i]);
  MPI_Finalize();
  return 0;
}
