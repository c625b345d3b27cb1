// What the rewritten program looks like, in place, as a difference, and not at all.
// RUN: rm -rf %t.d && mkdir %t.d && cp %s %t.d/app.c && cd %t.d
// RUN: acisc --mpi --dry-run app.c 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: not ls app.acis.c app.c.orig
// RUN: acisc --mpi --diff --no-remarks app.c | FileCheck --check-prefix=DIFF %s
// RUN: not ls app.acis.c
// RUN: acisc --mpi --no-remarks app.c && cmp app.c %s && FileCheck --check-prefix=TEXT %s < app.acis.c
// RUN: acisc --mpi --no-remarks --in-place app.c && cmp app.c.orig %s && cmp app.c app.acis.c
// RUN: acisc --mpi --in-place app.c -- -I%obj_root/include 2>&1 | FileCheck --check-prefix=AGAIN %s
// RUN: cmp app.c app.acis.c
// RUN: mpicc.mpich -I%obj_root/include -c -Wall -Werror app.c -o app.o
// REQUIRES: mpich
#include <mpi.h>
#include <stdio.h>

/* Doubles. */
int main(int argc, char **argv) {
  int in[64] = {1}, out[64], other = 0;
  MPI_Init(&argc, &argv);
  // REMARK: app.c:[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: rewritten
  MPI_Allreduce(in, out, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  // twice of it
  for (int i = 0; i < 64; i++)
    out[i] *= 2; /* kept */
  other += 5;
  printf("%d %d line %d\n", out[0], other, __LINE__);
  MPI_Finalize();
  return 0;
}
// AGAIN: remark: no collective of MPI; the file is unchanged
// DIFF: --- app.c
// DIFF: +++ app.c (rewritten)
// DIFF: -  MPI_Allreduce(in, out, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
// TEXT: /* acis: the op of Allreduce_op in main, line [[#CALL:]] */
// TEXT-NEXT: #include <acis_cccf.h>
// TEXT: int *out = acis->out;
// TEXT-NEXT: #line [[#CALL+1]] "app.c"
// TEXT-NEXT: // twice of it
// TEXT-NEXT: for (int i = 0; i < 64; i++)
// TEXT-NEXT: out[i] *= 2; /* kept */
// TEXT-NEXT: }
// TEXT-NEXT: #line
// TEXT-NEXT: int main
// TEXT: /* acis: Allreduce_op, op in [[OP:acis_op_[0-9]+]] */
// TEXT-NEXT: MPI_Request [[REQUEST:acis_request_[0-9]+]];
// TEXT-NEXT: struct [[OP]] [[ARGS:acis_args_[0-9]+]] = {out};
// TEXT-NEXT: ACIS_Isemifused(ACIS_Allreduce(in, out, 64, MPI_INT, MPI_SUM),
// TEXT-NEXT: ACIS_Place_op("{{.*}}.c:{{[0-9]+}}", ACIS_Make_op([[OP]]_run, &[[ARGS]])),
// TEXT-NEXT: MPI_COMM_WORLD, &[[REQUEST]]);
// TEXT-NEXT: #line
// The wait is as late as the data allows.
// TEXT-NEXT: other += 5;
// TEXT-NEXT: MPI_Wait(&[[REQUEST]], MPI_STATUS_IGNORE);
// TEXT-NEXT: #line
// TEXT-NEXT: printf
