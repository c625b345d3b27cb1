/* Adler-32 of bytes, the remainder taken by subtraction.
 *
 * in: uint8[300] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void adler(const uint8_t *restrict in, uint32_t *restrict out,
                        const uint8_t *restrict mem, uint32_t *len) {
  uint32_t n = *len, a = 1, b = 0;
  for (uint32_t i = 0; i < n; i++) {
    a += in[i];
    if (a >= 65521)
      a -= 65521;
    b += a;
    if (b >= 65521)
      b -= 65521;
  }
  out[0] = b << 16 | a;
  *len = 4;
}
