/* An MPI program that knows nothing of switches: pi by integration, the largest part of any
 * rank, and a reduction with an operator of its own (saturating addition). */
#include <mpi.h>

#include <stdio.h>

/* Not static, so that `acis-mpirun --operator saturate=...` finds it by its name. */
void saturate(void *in, void *inout, int *count, MPI_Datatype *type) {
  const int *a = in;
  int *b = inout;
  for (int i = 0; i < *count; ++i) {
    long long sum = (long long)a[i] + b[i];
    b[i] = sum > 1000 ? 1000 : sum < -1000 ? -1000 : (int)sum;
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  int steps = rank == 0 ? 1000000 : 0;
  MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
  double part = 0, pi = 0, largest = 0;
  for (int i = rank; i < steps; i += size) {
    double x = (i + 0.5) / steps;
    part += 4 / (1 + x * x) / steps;
  }
  MPI_Allreduce(&part, &pi, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce(&part, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);

  MPI_Op op;
  MPI_Op_create(saturate, 1, &op);
  int mine[2] = {600, rank}, sums[2] = {0, 0};
  MPI_Allreduce(mine, sums, 2, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);

  if (rank == 0)
    printf("pi %.10f, largest part %.3f, saturated sum %d, sum of ranks %d\n", pi, largest,
           sums[0], sums[1]);
  MPI_Finalize();
  return 0;
}
