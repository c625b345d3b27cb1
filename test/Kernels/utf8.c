/* Code points of UTF-8 text and where it is wrong.
 *
 * in: uint8[300] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void utf8(const uint8_t *restrict in, uint32_t *restrict out,
                       const uint8_t *restrict mem, uint32_t *len) {
  uint32_t n = *len, left = 0, code = 0, errors = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t c = in[i];
    if (left) {
      if ((c & 0xc0) != 0x80) {
        errors++;
        left = 0;
      } else {
        code = code << 6 | (c & 63);
        left--;
      }
    } else if (c < 0x80)
      code = c;
    else if ((c & 0xe0) == 0xc0) {
      left = 1;
      code = c & 31;
    } else if ((c & 0xf0) == 0xe0) {
      left = 2;
      code = c & 15;
    } else if ((c & 0xf8) == 0xf0) {
      left = 3;
      code = c & 7;
    } else
      errors++;
    out[i] = left ? 0xffffffff : code;
  }
  *len = 4 * n;
}
