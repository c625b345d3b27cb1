/* Rounds of a keyed hash over 32-bit words.
 *
 * in: uint32[120] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

static inline uint32_t rotl(uint32_t x, uint32_t n) { return x << n | x >> (32 - n); }
ACIS_HANDLER void siphash(const uint32_t *restrict in, uint32_t *restrict out,
                          const uint8_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4, v0 = 1, v1 = 2, v2 = 0x6c796765, v3 = 0x74656462;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t m = in[i];
    v3 ^= m;
    v0 += v1;
    v1 = rotl(v1, 5);
    v1 ^= v0;
    v0 = rotl(v0, 16);
    v2 += v3;
    v3 = rotl(v3, 8);
    v3 ^= v2;
    v0 += v3;
    v3 = rotl(v3, 7);
    v3 ^= v0;
    v2 += v1;
    v1 = rotl(v1, 13);
    v1 ^= v2;
    v2 = rotl(v2, 16);
    v0 ^= m;
  }
  out[0] = v1 ^ v3;
  *len = 4;
}
