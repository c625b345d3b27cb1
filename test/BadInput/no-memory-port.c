// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=mesh4x4.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
// RUN: %refused %t/out.acis acisc %examples/gcn/split.c --config=mesh4x4.json -o %t/out.acis | FileCheck %s --check-prefix=SPLIT
// SPLIT: split.c:36:5: error: loop not mapped: 16 memory reads; the overlay has 4 ports to off-chip memory, and each serves one of a loop
// RUN: acisc %s --config=u280-full.json -o %t/out.acis
#include <acis.h>
ACIS_PER_VPE static float x[ACIS_VPES][64];
ACIS_HANDLER void load(const float *restrict in, float *restrict out, const float *restrict mem,
                       uint32_t *len) {
  // CHECK: no-memory-port.c:[[#@LINE+1]]:3: error: loop not mapped: 16 memory reads; the overlay has 4 ports to off-chip memory, and each serves one of a loop
  for (uint32_t p = 0; p < ACIS_VPES; p++)
    for (uint32_t i = 0; i < 64; i++)
      x[p][i] = mem[p * 64 + i];
  for (uint32_t i = 0; i < 64; i++)
    out[i] = in[i] + x[3][i];
}
