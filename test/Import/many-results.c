// An iteration with a loop in it hands on more than a launch returns, in its own code: the loop in it
// is launched alone.
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.acis --report 2>&1 | FileCheck %s
#include <acis.h>
ACIS_HANDLER void sums(const int32_t *restrict in, int32_t *restrict out,
                       const int32_t *restrict mem, uint32_t *len) {
  int32_t s[9] = {0};
  // CHECK: sums.k0 ({{.*}}:[[#@LINE+3]]): loop mapped
  for (uint32_t r = 0; r < *len / 64; r++) { // CHECK: scalar unit ({{.*}}:[[#@LINE]]): a loop with 9 results; an overlay has 8: split the loop
    int32_t t = 0;
    for (int c = 0; c < 16; c++)
      t += in[r * 16 + c];
    s[0] = s[0] * 3 ^ t;
    s[1] = s[1] * 5 ^ t;
    s[2] = s[2] * 7 ^ t;
    s[3] = s[3] * 9 ^ t;
    s[4] = s[4] * 11 ^ t;
    s[5] = s[5] * 13 ^ t;
    s[6] = s[6] * 15 ^ t;
    s[7] = s[7] * 17 ^ t;
    s[8] = s[8] * 19 ^ t;
  }
  out[0] = s[0] ^ s[1] ^ s[2] ^ s[3];
  out[1] = s[4] ^ s[5] ^ s[6] ^ s[7] ^ s[8];
  *len = 8;
}
