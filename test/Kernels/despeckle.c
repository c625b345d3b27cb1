/* Median of 3x3 pixels over rows as they come: two rows before are kept in the switch.
 *
 * in: uint8[512] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define COLS 32

static uint8_t above[COLS], middle[COLS];

ACIS_HANDLER void despeckle(const uint8_t *restrict in, uint8_t *restrict out,
                            const uint8_t *restrict mem, uint32_t *len) {
  (void)mem;
  for (uint32_t r = 0; r < *len / COLS; r++) {
    uint8_t a1 = 0, a2 = 0, b1 = 0, b2 = 0, c1 = 0, c2 = 0;
    for (int x = 0; x < COLS; x++) {
      uint8_t a = above[x], b = middle[x], c = in[COLS * r + x];
      uint8_t v[9] = {a, a1, a2, b, b1, b2, c, c1, c2};
      for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++)
          if (v[j] < v[i]) {
            uint8_t t = v[i];
            v[i] = v[j];
            v[j] = t;
          }
      out[COLS * r + x] = v[4];
      a2 = a1;
      a1 = a;
      b2 = b1;
      b1 = b;
      c2 = c1;
      c1 = c;
      above[x] = b;
      middle[x] = c;
    }
  }
}
