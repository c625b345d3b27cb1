// The rank of each process's number among all numbers, as a library function.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
  int comm_rank;
  union {
    float f;
    int i;
  } number;
} CommRankNumber;
void *gather_numbers_to_root(void *number, MPI_Datatype datatype, MPI_Comm comm) {
  int comm_rank, comm_size;
  MPI_Comm_rank(comm, &comm_rank);
  MPI_Comm_size(comm, &comm_size);
  int datatype_size;
  MPI_Type_size(datatype, &datatype_size);
  void *gathered;
  if (comm_rank == 0)
    gathered = malloc(datatype_size * comm_size);
  MPI_Gather(number, 1, datatype, gathered, 1, datatype, 0, comm); /*@inner*/
  return gathered;
}
int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int *get_ranks(void *gathered, int count) {
  CommRankNumber *all = malloc(count * sizeof(CommRankNumber));
  int i;
  for (i = 0; i < count; i++) {
    all[i].comm_rank = i;
    memcpy(&(all[i].number), gathered + i * 4, 4);
  }
  qsort(all, count, sizeof(CommRankNumber), &compare);
  int *ranks = (int *)malloc(sizeof(int) * count);
  for (i = 0; i < count; i++)
    ranks[all[i].comm_rank] = i;
  free(all);
  return ranks;
}
int TMPI_Rank(void *send_data, void *recv_data, MPI_Datatype datatype, MPI_Comm comm) {
  if (datatype != MPI_INT && datatype != MPI_FLOAT)
    return MPI_ERR_TYPE;
  int comm_size, comm_rank;
  MPI_Comm_size(comm, &comm_size);
  MPI_Comm_rank(comm, &comm_rank);
  void *gathered = gather_numbers_to_root(send_data, datatype, comm); /*@gather*/
  int *ranks = NULL;
  if (comm_rank == 0)
    ranks = get_ranks(gathered, comm_size);
  MPI_Scatter(ranks, 1, MPI_INT, recv_data, 1, MPI_INT, 0, comm); /*@scatter*/
  if (comm_rank == 0) {
    free(gathered);
    free(ranks);
  }
  return MPI_SUCCESS;
}
