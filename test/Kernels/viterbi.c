/* Add, compare, select of a decoder with four states.
 *
 * in: uint8[300] any
 * packets: 2
 * expect: maps
 * expect[tiny]: refused loop not mapped: initiation interval would be at least
 */
// RUN: %kernel %s
#include <acis.h>

static inline int32_t min2(int32_t a, int32_t b) { return a < b ? a : b; }
ACIS_HANDLER void viterbi(const uint8_t *restrict in, uint8_t *restrict out,
                          const uint8_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 2;
  int32_t m0 = 0, m1 = 1000, m2 = 1000, m3 = 1000;
  for (uint32_t i = 0; i < n; i++) {
    int32_t p = in[2 * i], q = in[2 * i + 1];
    int32_t b00 = p + q, b11 = 510 - p - q, b01 = p + 255 - q, b10 = 255 - p + q;
    int32_t a0 = m0 + b00, c0 = m2 + b11, a1 = m0 + b11, c1 = m2 + b00;
    int32_t a2 = m1 + b10, c2 = m3 + b01, a3 = m1 + b01, c3 = m3 + b10;
    out[i] = (a0 > c0) | (a1 > c1) << 1 | (a2 > c2) << 2 | (a3 > c3) << 3;
    int32_t n0 = min2(a0, c0), n1 = min2(a1, c1), n2 = min2(a2, c2), n3 = min2(a3, c3);
    int32_t least = min2(min2(n0, n1), min2(n2, n3));
    m0 = n0 - least;
    m1 = n1 - least;
    m2 = n2 - least;
    m3 = n3 - least;
  }
  *len = n;
}
