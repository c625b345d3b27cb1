/* Rows of 8 words, each sorted in a small array by a triangular pair of loops: the loops
 * become a network of min and max.
 *
 * in: int32[160] -100000..100000
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>
#define N 8

ACIS_HANDLER void sort(const int32_t *restrict in, int32_t *restrict out,
                       const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t row = 0; row < *len / (4 * N); row++) {
    int32_t a[N];
    for (int i = 0; i < N; i++)
      a[i] = in[row * N + i];
    for (int i = 0; i < N - 1; i++)
      for (int j = 0; j < N - 1 - i; j++)
        if (a[j] > a[j + 1]) {
          int32_t t = a[j];
          a[j] = a[j + 1];
          a[j + 1] = t;
        }
    for (int i = 0; i < N; i++)
      out[row * N + i] = a[i];
  }
}
