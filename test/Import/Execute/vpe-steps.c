// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// A loop over VPEs that is all of its nest, since the loop around it is control code.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler hashed --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler summed --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler chained --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler scaled --in %t.float.in --mem %t.float.mem %t.acis
#include <acis.h>
#define ARGS(type)                                                                                 \
  const type *restrict in, type *restrict out, type *restrict mem, uint32_t *len

ACIS_PER_VPE static uint32_t kept[ACIS_VPES][64];
ACIS_HANDLER void hashed(ARGS(uint32_t)) {
  uint32_t hash = 7;
  for (uint32_t j = 0; j < 64; j++) {
    const uint32_t v = in[j];
    for (uint32_t p = 0; p < ACIS_VPES; p++)
      kept[p][j] = v + p;
    hash = hash * 31 + v;
  }
  out[0] = hash;
  *len = 4;
}

ACIS_HANDLER void summed(ARGS(uint32_t)) {
  uint32_t largest = 0;
  const uint32_t n = *len / 4 < 64 ? *len / 4 : 64;
  for (uint32_t j = 0; j < n; j++) {
    const uint32_t v = in[j];
    for (uint32_t p = 0; p < ACIS_VPES; p++)
      kept[p][j] += v;
    if (v > largest)
      largest = v;
  }
  out[0] = largest;
  *len = 4;
}

// The loop over VPEs returns a value to the control code.
ACIS_HANDLER void chained(ARGS(uint32_t)) {
  uint32_t hash = 1;
  for (uint32_t j = 0; j < 16; j++) {
    uint32_t sum = in[j];
    for (uint32_t p = 0; p < ACIS_VPES; p++)
      sum = sum * 3 + kept[p][j];
    hash = hash * 5 ^ sum;
  }
  out[0] = hash;
  *len = 4;
}

ACIS_PER_VPE static float weights[ACIS_VPES][16];
ACIS_HANDLER void scaled(ARGS(float)) {
  float s = 1;
  for (uint32_t j = 0; j < 16; j++) {
    const float v = in[j];
    for (uint32_t p = 0; p < ACIS_VPES; p++)
      weights[p][j] = weights[p][j] * 0.5f + v;
    s = s * 0.25f + v;
  }
  out[0] = s;
  *len = 4;
}
