/* Add-rotate-xor cipher in counter-free chaining: each block is mixed with the one before.
 * One long recurrence of additions, shifts and exclusive ors.
 *
 * in: uint32[128] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void arx(const uint32_t *restrict in, uint32_t *restrict out,
                      const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4, a = 0x61707865, b = 0x3320646e;
  for (uint32_t i = 0; i < n; i++) {
    a += b ^ in[i];
    b = b << 13 | b >> 19;
    b ^= a;
    a = a << 7 | a >> 25;
    a += b;
    b = b << 17 | b >> 15;
    b ^= a;
    out[i] = a + b;
  }
}
