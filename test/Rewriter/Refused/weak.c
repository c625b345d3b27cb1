// A weak function is not what is called if another file has one of that name; of two of one name
// nothing says which it is.
// RUN: acisc --mpi --dry-run %s -- -D'BODY={return x*by;}' -DWEAK= 2>&1 | FileCheck --check-prefix=STRONG %s
// RUN: acisc --mpi --dry-run %s -- -D'BODY={return x*by;}' '-DWEAK=__attribute__((weak))' 2>&1 | FileCheck %s
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && cp %s a.c
// RUN: echo 'double scaled(double x, double by) { return x; }' > b.c
// RUN: echo '__attribute__((weak)) double scaled(double x, double by) { return x * by; }' > c.c
// RUN: acisc --mpi --dry-run --whole-program a.c --context=b.c -- '-DBODY=;' -DWEAK= 2>&1 | FileCheck --check-prefix=STRONG %s
// RUN: acisc --mpi --dry-run --whole-program a.c --context=b.c --context=c.c -- '-DBODY=;' -DWEAK= 2>&1 | FileCheck %s
// RUN: acisc --mpi --dry-run --whole-program a.c --context=c.c --context=b.c -- '-DBODY=;' -DWEAK= 2>&1 | FileCheck %s
// RUN: acisc --mpi --dry-run --whole-program a.c --context=c.c -- '-DBODY=;' -DWEAK= 2>&1 | FileCheck %s
#include <mpi.h>
WEAK double scaled(double x, double by) BODY
#define N 64
void scale(double *x, double mine) {
  double sum = 0;
  // CHECK: remark: semi-fused Allreduce_op: not fused [calls]: 'scaled' gets the result
  // STRONG: remark: semi-fused Allreduce_op: rewritten
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    x[i] = scaled(x[i], sum);
}
