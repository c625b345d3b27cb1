// A jump to a label that the packet chooses.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
// CHECK: computed-goto.c:[[#@LINE+1]]: error: computed goto; write if, else and loops
ACIS_HANDLER void jumps(const int32_t *restrict in, int32_t *restrict out,
                        const int32_t *restrict mem, uint32_t *len) {
  static void *const ways[] = {&&low, &&high};
  goto *ways[in[0] & 1];
low:
  out[0] = 1;
  return;
high:
  out[0] = 2;
}
