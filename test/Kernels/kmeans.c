/* Nearest of 8 centres in 4 dimensions for each point: distances, the smallest, its number.
 *
 * in: float[256] -10..10
 * mem: float[32] -10..10
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define CENTRES 8
#define DIM 4

ACIS_HANDLER void kmeans(const float *restrict in, uint32_t *restrict out,
                         const float *restrict mem, uint32_t *len) {
  float centre[CENTRES][DIM];
  for (int k = 0; k < CENTRES; k++)
    for (int d = 0; d < DIM; d++)
      centre[k][d] = mem[k * DIM + d];
  uint32_t n = *len / (4 * DIM);
  for (uint32_t i = 0; i < n; i++) {
    float point[DIM], best = 3.0e38f;
    uint32_t nearest = 0;
    for (int d = 0; d < DIM; d++)
      point[d] = in[i * DIM + d];
    for (int k = 0; k < CENTRES; k++) {
      float distance = 0;
      for (int d = 0; d < DIM; d++) {
        float t = point[d] - centre[k][d];
        distance += t * t;
      }
      if (distance < best) {
        best = distance;
        nearest = k;
      }
    }
    out[i] = nearest;
  }
  *len = n * 4;
}
