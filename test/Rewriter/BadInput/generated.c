// What a generator wrote: several statements in a line, goto for loops, lines of another file,
// one of them twice. Remarks and #line directives name the places it names, and two ops of one
// line have different names.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
// RUN: cp %s %t.c && acisc --mpi --diff --no-remarks %t.c | FileCheck --check-prefix=DIFF %s
#include <mpi.h>
extern int printf(const char *, ...);
static int v1[64], v2[64], v3[64];
int main(int argc, char **argv) { int r; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &r);
# 90 "model.y"
  MPI_Allreduce(v1, v2, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD); { int t1 = 0; L1: if (t1 >= 64) goto L2; v3[t1] = v2[t1]; t1++; goto L1; L2:; }
# 120 "model.y"
  MPI_Allreduce(v3, v2, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD); for (int t2 = 0; t2 < 64; t2++) v1[t2] = v2[t2] * 2; printf("%d\n", v1[r]);
# 120 "other.y"
  MPI_Allreduce(v3, v2, 64, MPI_INT, MPI_MAX, MPI_COMM_WORLD); for (int t2 = 0; t2 < 64; t2++) v1[t2] = v2[t2] * 3; printf("%d\n", v1[r]);
  MPI_Finalize(); return 0; }
// CHECK: model.y:90:3: remark: semi-fused Allreduce_op: not fused
// CHECK: model.y:120:3: remark: semi-fused Allreduce_op: rewritten
// CHECK: other.y:120:3: remark: semi-fused Allreduce_op: rewritten
// DIFF: acis_op_120_run
// DIFF: #line 120 "model.y"
// DIFF: acis_op_120_2_run
// DIFF: #line 120 "other.y"
// DIFF: ACIS_Isemifused
