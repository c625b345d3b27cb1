/* Forward sweep of a tridiagonal solver: rows of below, diagonal, above and right side.
 *
 * in: float[240] 1..9
 * packets: 2
 * expect: maps
 * expect[king4x4]: refused loop not mapped: initiation interval would be at least 81 ('fmul#4'
 * expect[mesh16x16]: refused loop not mapped: initiation interval would be at least 81 ('fmul#4'
 * expect[mesh2x2]: refused loop not mapped: initiation interval would be at least 81 ('fmul#4'
 * expect[mesh4x4]: refused loop not mapped: initiation interval would be at least 81 ('fmul#4'
 * expect[mesh4x4-left]: refused loop not mapped: initiation interval would be at least 81 ('fmul#4'
 * expect[mesh8x8]: refused loop not mapped: initiation interval would be at least 81 ('fmul#4'
 * expect[mixed4x4]: refused loop not mapped: initiation interval would be at least 81 ('fmul#4'
 * expect[onehop4x4]: refused loop not mapped: initiation interval would be at least 81 ('fmul#4'
 * expect[tiny]: refused loop not mapped: initiation interval would be at least 20 ('fmul#4'
 * expect[torus4x4]: refused loop not mapped: initiation interval would be at least 81 ('fmul#4'
 * expect[u280-full]: refused loop not mapped: initiation interval would be at least 81 ('fmul#4'
 * expect[u280-250mhz]: refused loop not mapped: initiation interval would be at least
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void thomas(const float *restrict in, float *restrict out, const float *restrict mem,
                         uint32_t *len) {
  uint32_t n = *len / 16;
  float c = 0, d = 0;
  for (uint32_t i = 0; i < n; i++) {
    float a = in[4 * i], b = in[4 * i + 1], r = in[4 * i + 3];
    float m = 1.0f / (b - a * c);
    c = in[4 * i + 2] * m;
    d = (r - a * d) * m;
    out[2 * i] = c;
    out[2 * i + 1] = d;
  }
  *len = n * 8;
}
