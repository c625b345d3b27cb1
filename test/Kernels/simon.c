/* 44 rounds of a lightweight block cipher.
 *
 * in: uint32[2] any
 * mem: uint32[44] any
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

static inline uint32_t rotl(uint32_t x, uint32_t n) { return x << n | x >> (32 - n); }
ACIS_HANDLER void simon(const uint32_t *restrict in, uint32_t *restrict out,
                        const uint32_t *restrict mem, uint32_t *len) {
  uint32_t x = in[0], y = in[1];
  for (int i = 0; i < 44; i++) {
    uint32_t t = x;
    x = y ^ (rotl(x, 1) & rotl(x, 8)) ^ rotl(x, 2) ^ mem[i];
    y = t;
  }
  out[0] = x;
  out[1] = y;
}
