// Average by scattered parts and an allgather.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
float *create_numbers(int count) {
  float *numbers = (float *)malloc(sizeof(float) * count);
  assert(numbers != NULL);
  int i;
  for (i = 0; i < count; i++)
    numbers[i] = (rand() / (float)RAND_MAX);
  return numbers;
}
float average(float *array, int count) {
  float sum = 0.f;
  int i;
  for (i = 0; i < count; i++)
    sum += array[i];
  return sum / count;
}
int main(int argc, char **argv) {
  if (argc > 2) {
    fprintf(stderr, "Usage: average count\n");
    exit(1);
  }
  int each = argc == 2 ? atoi(argv[1]) : 100;
  srand(1);
  MPI_Init(NULL, NULL);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  float *numbers = NULL;
  if (rank == 0) {
    numbers = create_numbers(each * size);
  }
  float *mine = (float *)malloc(sizeof(float) * each);
  assert(mine != NULL);
  MPI_Scatter(numbers, each, MPI_FLOAT, mine, /*@scatter*/
              each, MPI_FLOAT, 0, MPI_COMM_WORLD);
  float part = average(mine, each);
  float *parts = (float *)malloc(sizeof(float) * size);
  assert(parts != NULL);
  MPI_Allgather(&part, 1, MPI_FLOAT, parts, 1, MPI_FLOAT, MPI_COMM_WORLD); /*@gather*/
  float avg = average(parts, size);
  printf("Avg of all elements from proc %d is %f\n", rank, avg);
  if (rank == 0) {
    free(numbers);
    free(parts);
  }
  free(mine);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
