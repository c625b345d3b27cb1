// Functions without prototypes.
// RUN: acisc --mpi --dry-run %s -- -std=gnu89 2>&1 | FileCheck %s
#include <mpi.h>

double scale(x, f)
double x, f;
{
  return x * f;
}

int main(argc, argv)
int argc;
char **argv;
{
  double a[64], b[64];
  int i;
  MPI_Init(&argc, &argv);
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: {{rewritten|fusable}}
  MPI_Allreduce(a, b, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (i = 0; i < 64; i++)
    b[i] = scale(b[i], 2.0);
  MPI_Finalize();
  return b[0] > 1;
}
