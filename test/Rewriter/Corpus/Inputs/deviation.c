// Standard deviation of random numbers.
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
float *create_numbers(int count) {
  float *numbers = (float *)malloc(sizeof(float) * count);
  assert(numbers != NULL);
  int i;
  for (i = 0; i < count; i++)
    numbers[i] = (rand() / (float)RAND_MAX);
  return numbers;
}
int main(int argc, char **argv) {
  int each = argc > 1 ? atoi(argv[1]) : 100;
  MPI_Init(NULL, NULL);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  srand(rank + 1);
  float *numbers = NULL;
  numbers = create_numbers(each);
  float local_sum = 0;
  int i;
  for (i = 0; i < each; i++)
    local_sum += numbers[i];
  float global_sum;
  MPI_Allreduce(&local_sum, &global_sum, 1, MPI_FLOAT, MPI_SUM, /*@sum*/
                MPI_COMM_WORLD);
  float mean = global_sum / (each * size);
  float local_sq = 0;
  for (i = 0; i < each; i++)
    local_sq += (numbers[i] - mean) * (numbers[i] - mean);
  float global_sq;
  MPI_Reduce(&local_sq, &global_sq, 1, MPI_FLOAT, MPI_SUM, 0, /*@sq*/
             MPI_COMM_WORLD);
  if (rank == 0) {
    float stddev = sqrt(global_sq / (each * size));
    printf("Mean - %f, Standard deviation = %f\n", mean, stddev);
  }
  free(numbers);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
