/* Largest value of a packet and where it is first.
 *
 * in: float[250] -100..100
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

typedef union {
  float f;
  uint32_t u;
} bits;

ACIS_HANDLER void argmax(const float *restrict in, uint32_t *restrict out,
                         const float *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4, best = 0;
  float max = -3.0e38f;
  for (uint32_t i = 0; i < n; i++) {
    float v = in[i];
    if (v > max) {
      max = v;
      best = i;
    }
  }
  bits value = {max};
  out[0] = best;
  out[1] = value.u;
  *len = 8;
}
