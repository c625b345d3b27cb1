// Puts random numbers into the bins of their owners.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int *get_send_amounts(float *numbers, int each, int size) {
  int *amounts = (int *)malloc(sizeof(int) * size);
  memset(amounts, 0, sizeof(int) * size);
  int i;
  for (i = 0; i < each; i++) {
    int owner = (int)(numbers[i] * size);
    amounts[owner]++;
  }
  return amounts;
}
int *get_recv_amounts(int *send_amounts, int size) {
  int *recv_amounts = (int *)malloc(sizeof(int) * size);
  MPI_Alltoall(send_amounts, 1, MPI_INT, recv_amounts, 1, /*@inner*/
               MPI_INT, MPI_COMM_WORLD);
  return recv_amounts;
}
int *prefix_sum(int *counts, int size) {
  int *result = (int *)malloc(sizeof(int) * size);
  result[0] = 0;
  int i;
  for (i = 1; i < size; i++)
    result[i] = result[i - 1] + counts[i - 1];
  return result;
}
int sum(int *arr, int size) {
  int result = 0;
  int i;
  for (i = 0; i < size; i++)
    result += arr[i];
  return result;
}
int compare_float(const void *a, const void *b) {
  return *(float *)a < *(float *)b ? -1 : *(float *)a > *(float *)b;
}
int main(int argc, char **argv) {
  int each = 100, i;
  MPI_Init(NULL, NULL);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  float *numbers = (float *)malloc(sizeof(float) * each);
  for (i = 0; i < each; i++)
    numbers[i] = (i * 31 + rank) % 100 / 100.0f;
  int *send_amounts = get_send_amounts(numbers,
                                       each,
                                       size);
  int *recv_amounts = get_recv_amounts(send_amounts, /*@amounts*/
                                       size);
  int *send_offsets = prefix_sum(send_amounts, size);
  int *recv_offsets = prefix_sum(recv_amounts, size);
  // what comes
  int total = sum(recv_amounts, size);
  float *binned = (float *)malloc(sizeof(float) * total);
  qsort(numbers, each, sizeof(float), &compare_float);
  MPI_Alltoallv(numbers, send_amounts, send_offsets, MPI_FLOAT, /*@v*/
                binned, recv_amounts, recv_offsets, MPI_FLOAT,
                MPI_COMM_WORLD);
  printf("Process %d received %d numbers\n", rank, total);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  free(numbers);
  free(binned);
}
