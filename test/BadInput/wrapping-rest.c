// What is left of the packet may become less than 0, which is more than all of it: nothing bounds the loop.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void tooMuch(const uint8_t *restrict in, uint8_t *restrict out, const uint8_t *restrict mem,
                          uint32_t *len) {
  uint32_t left = *len, at = 0, o = 0;
  // CHECK: wrapping-rest.c:[[#@LINE+1]]:3: error: loop not mapped: the number of its iterations is not known when it starts
  while (left >= 4) {
    uint32_t taken = 4 + (in[at] & 31);
    out[o++] = in[at];
    at += taken;
    left -= taken;
  }
  *len = o;
}
