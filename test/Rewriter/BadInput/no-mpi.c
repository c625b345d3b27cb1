// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
// CHECK: no-mpi.c: remark: no collective of MPI; the file is unchanged
int main(void) { return 0; }
