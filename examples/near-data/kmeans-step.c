// A step of k-means on the points of a memory node: sums and counts of those nearest to each
// centre.
#include "kmeans.h"

#include <acis.h>

ACIS_HANDLER void kmeans_step(const int *restrict in, int *restrict out, const int *restrict mem,
                              uint32_t *len) {
  const uint32_t points = *len / sizeof(struct point);
  int sums[3 * CENTRES] = {0};
  for (uint32_t i = 0; i < points; ++i) {
    const int x = in[2 * i], y = in[2 * i + 1];
    int least = INT32_MAX, nearest = 0;
    for (int k = 0; k < CENTRES; ++k) {
      const int dx = x - mem[2 * k], dy = y - mem[2 * k + 1], distance = dx * dx + dy * dy;
      nearest = distance < least ? k : nearest;
      least = distance < least ? distance : least;
    }
    for (int k = 0; k < CENTRES; ++k) {
      sums[3 * k] += nearest == k ? x : 0;
      sums[3 * k + 1] += nearest == k ? y : 0;
      sums[3 * k + 2] += nearest == k;
    }
  }
  for (int k = 0; k < 3 * CENTRES; ++k)
    out[k] = sums[k];
  *len = sizeof sums;
}
