// Three handlers whose loops have room on the overlay, one handler at a time, but are more than a
// file can number.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=mesh4x4.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
#define FOUR(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3)
#define SIXTEEN(k) FOUR(k) FOUR(k + 4) FOUR(k + 8) FOUR(k + 12)
#define ONE(k)                                                                                     \
  for (uint32_t i = 0; i < 16; i++)                                                                \
    mem[16 * (k) + i] = mem[16 * (k) + 1 + i] * ((k) + 3);
#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const int32_t *restrict in, int32_t *restrict out, int32_t *restrict mem, \
                         uint32_t *len) {                                                          \
    out[0] = in[0];                                                                                \
    SIXTEEN(0) SIXTEEN(16) SIXTEEN(32)                                                             \
  }
HANDLER(first)
HANDLER(second)
// CHECK: error: more than 128 mapped loops in one file
HANDLER(third)
