// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
#define STEP v = (v * 0x01000193) ^ (v >> 7) ^ mem[i];
#define STEPS8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS64 STEPS8 STEPS8 STEPS8 STEPS8 STEPS8 STEPS8 STEPS8 STEPS8
ACIS_HANDLER void hash(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  // CHECK: too-large-loop.c:[[#@LINE+1]]:3: error: loop not mapped: initiation interval would be at least {{[0-9]+}} ({{[0-9]+}} integer operations on 16 PEs); 64 context slots are allowed
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t v = in[i];
    STEPS64 STEPS64 STEPS64 STEPS64 STEPS64 STEPS64
    out[i] = v;
  }
}
// CHECK-NOT: see current operation
