// RUN: not acisc --mpi --dry-run %s 2>&1 | FileCheck %s
// CHECK: error: expected expression
// CHECK: error: it does not compile; the file is unchanged
#include <mpi.h>
int main(void) { return +; }
