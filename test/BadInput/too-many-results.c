// More flags of one loop than an overlay gives back. Numbers beyond that are kept in arrays.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
#include <stdbool.h>
ACIS_HANDLER void seen(const int32_t *restrict in, int32_t *restrict out,
                       const int32_t *restrict mem, uint32_t *len) {
  bool s0 = false, s1 = false, s2 = false, s3 = false, s4 = false, s5 = false;
  bool s6 = false, s7 = false, s8 = false, s9 = false, s10 = false, s11 = false;
  // CHECK: too-many-results.c:[[#@LINE+1]]:{{[0-9]+}}: error: a loop with 12 results; an overlay has 8: split the loop
  for (uint32_t i = 0; i < *len / 4; i++) {
    s0 |= in[i] == 0;
    s1 |= in[i] == 1;
    s2 |= in[i] == 2;
    s3 |= in[i] == 3;
    s4 |= in[i] == 4;
    s5 |= in[i] == 5;
    s6 |= in[i] == 6;
    s7 |= in[i] == 7;
    s8 |= in[i] == 8;
    s9 |= in[i] == 9;
    s10 |= in[i] == 10;
    s11 |= in[i] == 11;
  }
  out[0] = s0;
  out[1] = s1;
  out[2] = s2;
  out[3] = s3;
  out[4] = s4;
  out[5] = s5;
  out[6] = s6;
  out[7] = s7;
  out[8] = s8;
  out[9] = s9;
  out[10] = s10;
  out[11] = s11;
  *len = 48;
}
