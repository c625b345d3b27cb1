/* Whitens bytes with a shift register of 7 bits, as wireless networks do.
 *
 * in: uint8[300] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void whiten(const uint8_t *restrict in, uint8_t *restrict out,
                         const uint8_t *restrict mem, uint32_t *len) {
  uint32_t n = *len, state = 0x5d;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t key = 0;
    for (int b = 0; b < 8; b++) {
      uint32_t f = (state >> 6 ^ state >> 3) & 1;
      state = (state << 1 | f) & 127;
      key |= f << b;
    }
    out[i] = in[i] ^ key;
  }
}
