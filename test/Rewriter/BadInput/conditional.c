// What the preprocessor leaves out is not there.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: acisc --mpi --dry-run %s -- -DON 2>&1 | FileCheck --check-prefix=ON %s
#include <mpi.h>
int a[64], b[64], c[64];
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
#ifdef ON
  // ON: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable
  MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#endif
  // OFF: remark: no collective of MPI
  for (int i = 0; i < 64; i++)
    c[i] = b[i];
  MPI_Finalize();
  return 0;
}
