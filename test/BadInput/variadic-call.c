// Calls with a variable number of arguments, whether the function reads them or not.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
#include <stdarg.h>
static int32_t add(int n, ...) {
  va_list list;
  va_start(list, n);
  int32_t sum = 0;
  while (n--)
    sum += va_arg(list, int);
  va_end(list);
  return sum;
}
static __attribute__((noinline)) int32_t first(int n, ...) { return n; }
ACIS_HANDLER void variadic(const int32_t *restrict in, int32_t *restrict out,
                           const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: variadic-call.c:[[#@LINE+1]]:{{[0-9]+}}: error: call of 'add', which takes a variable number of arguments; give it fixed ones
    out[i] = add(2, in[i], 1);
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: variadic-call.c:[[#@LINE+1]]:{{[0-9]+}}: error: call of 'first', which takes a variable number of arguments; give it fixed ones
    out[i] = first(1, in[i]);
}
