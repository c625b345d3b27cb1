/* Sine and cosine of angles by rotations of 16 steps, in fixed point.
 *
 * in: int32[64] -100000..100000
 * mem: int32[16] 0..51472
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void cordic(const int32_t *restrict in, int32_t *restrict out,
                         const int32_t *restrict mem, uint32_t *len) {
  int32_t angle[16];
  for (int k = 0; k < 16; k++)
    angle[k] = mem[k];
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    int32_t x = 39797, y = 0, z = in[i];
    for (int k = 0; k < 16; k++) {
      int32_t dx = x >> k, dy = y >> k;
      if (z >= 0)
        x -= dy, y += dx, z -= angle[k];
      else
        x += dy, y -= dx, z += angle[k];
    }
    out[2 * i] = x;
    out[2 * i + 1] = y;
  }
  *len = n * 8;
}
