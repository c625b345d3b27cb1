/* Rows of 8 samples to their cosine transform, in fixed point with 13 bits behind the point.
 *
 * in: int16[256] -2048..2047
 * packets: 2
 * expect: maps
 * expect[tiny]: refused loop not mapped: initiation interval would be at least 28 (56 integer
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void dct(const int16_t *restrict in, int16_t *restrict out,
                      const int16_t *restrict mem, uint32_t *len) {
  uint32_t rows = *len / 16;
  for (uint32_t r = 0; r < rows; r++) {
    const int16_t *p = in + 8 * r;
    int16_t *q = out + 8 * r;
    int32_t s0 = p[0] + p[7], d0 = p[0] - p[7], s1 = p[1] + p[6], d1 = p[1] - p[6];
    int32_t s2 = p[2] + p[5], d2 = p[2] - p[5], s3 = p[3] + p[4], d3 = p[3] - p[4];
    int32_t a = s0 + s3, b = s1 + s2, c = s0 - s3, d = s1 - s2;
    q[0] = (a + b) >> 2;
    q[4] = (a - b) >> 2;
    q[2] = (c * 10703 + d * 4433) >> 15;
    q[6] = (c * 4433 - d * 10703) >> 15;
    q[1] = (d0 * 11363 + d1 * 9633 + d2 * 6436 + d3 * 2260) >> 15;
    q[3] = (d0 * 9633 - d1 * 2260 - d2 * 11363 - d3 * 6436) >> 15;
    q[5] = (d0 * 6436 - d1 * 11363 + d2 * 2260 + d3 * 9633) >> 15;
    q[7] = (d0 * 2260 - d1 * 6436 + d2 * 9633 - d3 * 11363) >> 15;
  }
}
