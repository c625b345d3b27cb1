/* Twelve rounds of a cipher with rotations by data.
 *
 * in: uint32[2] any
 * mem: uint32[26] any
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

static inline uint32_t rotl(uint32_t x, uint32_t n) { return x << (n & 31) | x >> (-n & 31); }
ACIS_HANDLER void rc5(const uint32_t *restrict in, uint32_t *restrict out,
                      const uint32_t *restrict mem, uint32_t *len) {
  uint32_t a = in[0] + mem[0], b = in[1] + mem[1];
  for (int i = 1; i <= 12; i++) {
    a = rotl(a ^ b, b) + mem[2 * i];
    b = rotl(b ^ a, a) + mem[2 * i + 1];
  }
  out[0] = a;
  out[1] = b;
}
