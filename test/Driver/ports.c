// What an overlay with fewer memory ports or VPEs than the U280's makes of arrays per VPE:
// a VPE without a port is not loaded by a vector instruction, and an index that is the same
// in every lane is taken from one that there is.
// RUN: not acisc --config=%overlays/mesh4x4.json -DMEMORY %s -o %t.none 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: acisc --config=%overlays/tiny.json %s -o %t.acis
// RUN: %host_cc -O1 -ffp-contract=off -fPIC -shared -DACIS_VPES=2 -DACIS_LANES=4 -I%src_root/compiler/frontend/include %s -o %t.so
// RUN: %python -c "import random, struct; open(r'%t.in', 'wb').write(struct.pack('<64I', *random.Random(1).choices(range(1 << 32), k=64)))"
// RUN: acis-compare --config=%overlays/tiny.json --native %t.so --handler rows --in %t.in %t.acis
#include <acis.h>

#ifdef MEMORY
ACIS_PER_VPE static float x[ACIS_VPES][ACIS_LANES];
ACIS_HANDLER void fill(const float *restrict in, float *restrict out, const float *restrict mem,
                       uint32_t *len) {
  // CHECK: ports.c:[[#@LINE+1]]:{{.*}} error: loop not mapped: 16 memory reads; the overlay has 4 ports
  for (uint32_t p = 0; p < ACIS_VPES; p++)
    for (uint32_t l = 0; l < ACIS_LANES; l++)
      x[p][l] = mem[p * ACIS_LANES + l];
  for (uint32_t l = 0; l < ACIS_LANES; l++)
    out[l] = x[0][l] + x[1][l];
}
#else
ACIS_PER_VPE static uint32_t sums[ACIS_VPES][4][ACIS_LANES];
ACIS_HANDLER void rows(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / (4 * ACIS_VPES);
  for (uint32_t b = 0; b < n; b++)
    for (uint32_t p = 0; p < ACIS_VPES; p++) {
      uint32_t row = in[b * ACIS_VPES + p] & 3;
      for (uint32_t l = 0; l < ACIS_LANES; l++)
        sums[p][row][l] += b;
    }
  for (uint32_t r = 0; r < 4; r++)
    for (uint32_t l = 0; l < ACIS_LANES; l++)
      out[r * ACIS_LANES + l] = sums[0][r][l] + sums[1][r][l];
  *len = 16 * ACIS_LANES;
}
#endif
