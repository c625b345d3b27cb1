/* Classes of bytes: letter, digit, space, punctuation, control, above 127; the class of
 * each byte and how many there are of each.
 *
 * in: uint8[600] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void classify(const uint8_t *restrict in, uint8_t *restrict out,
                           uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len, letters = 0, digits = 0, spaces = 0, others = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint8_t c = in[i], class;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      class = 1;
      letters++;
    } else if (c >= '0' && c <= '9') {
      class = 2;
      digits++;
    } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
      class = 3;
      spaces++;
    } else {
      class = c < 32 ? 4 : c < 127 ? 5 : 6;
      others++;
    }
    out[i] = class;
  }
  mem[0] += letters;
  mem[1] += digits;
  mem[2] += spaces;
  mem[3] += others;
}
