// Names inside acis_ranges.h, which only a chain with sizes of run time needs: such a chain is left
// to the hosts.
// RUN: acisc --mpi --force --dry-run --config %overlays/u280-full.json --mpi-report %s | FileCheck %s
// RUN: acisc --mpi --force --dry-run --config %overlays/u280-full.json --mpi-report %s -- -DOTHER | FileCheck --check-prefix=OTHER %s
#include <mpi.h>
#ifdef OTHER
static int acis_held(int x) { return x; }
#else
#define lo 0
#endif
int a[64], b[64], c[64];

// CHECK: names.c:[[#@LINE+4]]: semi-fused
// CHECK: switch      no binary: acis_ranges.h cannot be read where the program has a macro 'lo'
// OTHER: switch      no binary: the program has the name 'acis_held', which the rewritten text needs
static void sized(int *x, int n) {
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    x[i] *= 2;
}

// CHECK: names.c:[[#@LINE+3]]: semi-fused
// CHECK: switch      binary of
static void fixed(void) {
  MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = b[i] * 2;
}

// A collective in a block within an expression is seen, too.
// CHECK: names.c:[[#@LINE+4]]: semi-fused Allreduce_op
// CHECK-NEXT: decision    not fused [expression]
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int code = ({ MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD); });
  sized(b, 64);
  fixed();
  MPI_Finalize();
#ifdef OTHER
  code += acis_held(0);
#endif
  return code + c[5] > 1000000;
}
