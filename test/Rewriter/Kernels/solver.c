// A conjugate gradient step over several files: halo exchange and sparse product, dot products
// whose results go into vector updates.
// RUN: acisc --mpi --dry-run --whole-program %s %S/Inputs/sparse.c > %t 2>&1; FileCheck %s < %t
// RUN: FileCheck --check-prefix=DOT %S/Inputs/sparse.c < %t
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck --check-prefix=ALONE %s
#include "Inputs/sparse.h"
#include <math.h>
#include <mpi.h>
#include <stdio.h>

int solve(Matrix *m, double *x, double *r, double *p, double *q, int most) {
  int rank;
  double old = 1.0, beta, alpha, norm;
  // ALONE: remark: no collective of MPI
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: not fused [scalar+io]
  double now = dot(m->rows, r, r);
  norm = sqrt(now);
  if (rank == 0)
    printf("%g\n", norm);
  for (int k = 1; k < most && norm > 1e-6; k++) {
    if (k == 1) {
      update(m->rows, 1.0, r, 0.0, r, p);
    } else {
      old = now;
      // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: fusable
      now = dot(m->rows, r, r);
      beta = now / old;
      update(m->rows, 1.0, r, beta, p, p);
    }
    // CHECK: :[[#@LINE+1]]:5: remark: kernel-spmv to line [[#@LINE+2]]: fusable, not rewritten [kernel]: {{.*}}, write ACIS_Ispmv of acis_kernels.h
    exchange(m, p);
    product(m, p, q);
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: fusable
    alpha = dot(m->rows, p, q);
    alpha = now / alpha;
    update(m->rows, 1.0, x, alpha, p, x);
    update(m->rows, 1.0, r, -alpha, q, r);
  }
  return 0;
}
