/* Deblocking filter: eight pixels across the edge of two blocks, of which the inner two are drawn
 * together where the edge is no part of the picture.
 *
 * in: uint8[320] any
 * packets: 2
 * expect: maps
 * expect[tiny]: refused loop not mapped: initiation interval would be at least
 */
// RUN: %kernel %s
#include <acis.h>

static inline int32_t distance(int32_t a, int32_t b) { return a < b ? b - a : a - b; }
static inline int32_t clip(int32_t v, int32_t low, int32_t high) {
  return v < low ? low : v > high ? high : v;
}

ACIS_HANDLER void deblock(const uint8_t *restrict in, uint8_t *restrict out,
                          const uint8_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 8;
  for (uint32_t i = 0; i < n; i++) {
    int32_t p3 = in[8 * i], p2 = in[8 * i + 1], p1 = in[8 * i + 2], p0 = in[8 * i + 3];
    int32_t q0 = in[8 * i + 4], q1 = in[8 * i + 5], q2 = in[8 * i + 6], q3 = in[8 * i + 7];
    int32_t on = distance(p0, q0) < 120 && distance(p1, p0) < 90 && distance(q1, q0) < 90;
    int32_t step = clip((4 * (q0 - p0) + (p1 - q1) + 4) >> 3, -12, 12);
    out[8 * i] = (uint8_t)p3;
    out[8 * i + 1] = (uint8_t)p2;
    out[8 * i + 2] = (uint8_t)p1;
    out[8 * i + 3] = (uint8_t)(on ? clip(p0 + step, 0, 255) : p0);
    out[8 * i + 4] = (uint8_t)(on ? clip(q0 - step, 0, 255) : q0);
    out[8 * i + 5] = (uint8_t)q1;
    out[8 * i + 6] = (uint8_t)q2;
    out[8 * i + 7] = (uint8_t)q3;
  }
  *len = n * 8;
}
