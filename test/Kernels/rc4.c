/* Stream cipher whose table changes with each byte.
 *
 * in: uint8[200] any
 * mem: uint8[256] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void rc4(const uint8_t *restrict in, uint8_t *restrict out,
                      const uint8_t *restrict mem, uint32_t *len) {
  uint8_t s[256];
  uint32_t n = *len, j = 0;
  for (int i = 0; i < 256; i++)
    s[i] = mem[i];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t a = s[(i + 1) & 255];
    j = (j + a) & 255;
    uint32_t b = s[j];
    s[(i + 1) & 255] = b;
    s[j] = a;
    out[i] = in[i] ^ s[(a + b) & 255];
  }
}
