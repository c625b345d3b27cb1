/* Corner response from columns of three pixels: gradients and their products over three columns.
 *
 * in: int16[300] 0..255
 * packets: 2
 * expect: maps
 * expect[tiny]: refused loop not mapped: initiation interval would be at least
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void harris(const int16_t *restrict in, int32_t *restrict out,
                         const int16_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 6;
  int32_t l0 = 0, l1 = 0, l2 = 0, m0 = 0, m1 = 0, m2 = 0;
  int32_t xx1 = 0, yy1 = 0, xy1 = 0, xx2 = 0, yy2 = 0, xy2 = 0;
  for (uint32_t i = 0; i < n; i++) {
    int32_t r0 = in[3 * i], r1 = in[3 * i + 1], r2 = in[3 * i + 2];
    int32_t dx = r0 + 2 * r1 + r2 - l0 - 2 * l1 - l2;
    int32_t dy = r2 + 2 * m2 + l2 - r0 - 2 * m0 - l0;
    int32_t xx = dx * dx >> 6, yy = dy * dy >> 6, xy = dx * dy >> 6;
    int32_t sxx = xx + xx1 + xx2, syy = yy + yy1 + yy2, sxy = xy + xy1 + xy2;
    int32_t trace = sxx + syy;
    out[i] = sxx * syy - sxy * sxy - (trace * trace >> 4);
    xx2 = xx1;
    xx1 = xx;
    yy2 = yy1;
    yy1 = yy;
    xy2 = xy1;
    xy1 = xy;
    l0 = m0;
    l1 = m1;
    l2 = m2;
    m0 = r0;
    m1 = r1;
    m2 = r2;
  }
  *len = n * 4;
}
