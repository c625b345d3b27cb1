// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void shifted(const int32_t *restrict in, int32_t *restrict out,
                          int32_t *restrict mem, uint32_t *len) {
  int32_t *from = mem, *to = mem + in[0];
  for (uint32_t i = 0; i < *len / 4 - 1; i++)
    // CHECK: aliasing-in-memory.c:[[#@LINE+2]]:{{[0-9]+}}: error: memory is read here that the same loop may have written, in this iteration or an earlier one; keep the value in a local array or a variable
    // CHECK: aliasing-in-memory.c:[[#@LINE+1]]:{{[0-9]+}}: note: written here
    to[i] = from[i] + in[i + 1];
}
// The program's graph is of no use here.
// CHECK-NOT: see current operation
