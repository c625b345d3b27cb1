// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
static int32_t fibonacci(int32_t n) {
  // CHECK: recursion.c:[[#@LINE+1]]:26: error: recursion: 'fibonacci' calls itself; a handler has no stack: write a loop
  return n < 2 ? n : 2 * fibonacci(n - 1);
}
static int32_t odd(int32_t n);
static int32_t even(int32_t n) { return n == 0 ? 1 : odd(n - 1) * 3; }
// CHECK: recursion.c:[[#@LINE+1]]:{{[0-9]+}}: error: recursion: 'even' calls itself through 'odd'; a handler has no stack: write a loop
static int32_t odd(int32_t n) { return n == 0 ? 0 : even(n - 1) * 3; }

ACIS_HANDLER void recursion(const int32_t *restrict in, int32_t *restrict out,
                            const int32_t *restrict mem, uint32_t *len) {
  out[0] = fibonacci(in[0]);
  out[1] = even(in[1]);
}
