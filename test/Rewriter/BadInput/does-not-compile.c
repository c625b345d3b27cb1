// RUN: not acisc --mpi --dry-run %s 2>&1 | FileCheck %s
// CHECK: error: expected expression
// CHECK: error: it does not compile; the file is unchanged
// The other files of a program are done all the same.
// RUN: not acisc --mpi --dry-run --no-remarks --mpi-report=- %s %S/../SemiFused/scan.c 2>/dev/null | FileCheck --check-prefix=OTHER %s
// OTHER: "file": "{{.*}}scan.c"
#include <mpi.h>
int main(void) { return +; }
