// A handler with more loops than a PE has slots for.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
#define FOUR(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3)
#define SIXTEEN(k) FOUR(k) FOUR(k + 4) FOUR(k + 8) FOUR(k + 12)
#define ONE(k) \
  for (uint32_t i = 0; i < 16; i++) \
    mem[16 * (k) + i] = mem[16 * (k) + 1 + i] * ((k) + 3);
// CHECK: too-many-contexts.c:[[#@LINE+4]]:{{[0-9]+}}: error: loop not mapped: handler 'loops' needs 80 context slots for 80 mapped loops; a PE of the overlay has 64: split the handler or make its loops smaller
ACIS_HANDLER void loops(const int32_t *restrict in, int32_t *restrict out,
                        int32_t *restrict mem, uint32_t *len) {
  out[0] = in[0];
  SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48) SIXTEEN(64)
}
