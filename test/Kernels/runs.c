/* Longest rising run, largest sum of a part, changes of sign: starts from the first element.
 *
 * in: int32[256] -50..50
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>
ACIS_HANDLER void runs(const int32_t *restrict in, int32_t *restrict out, const void *restrict mem, uint32_t *len) {
  int32_t best = 0, cur = 0, run = 0, longest = 0, zc = 0, first = -1;
  int32_t prev = in[0];
  for (int i = 0; i < (int)(*len / 4); i++) {
    int32_t x = in[i];
    cur = cur + x > 0 ? cur + x : 0;
    best = cur > best ? cur : best;
    run = x > prev ? run + 1 : 0;
    longest = run > longest ? run : longest;
    zc += (x ^ prev) < 0;
    if (first < 0 && x > 45) first = i;
    prev = x;
  }
  out[0] = best; out[1] = longest; out[2] = zc; out[3] = first;
  *len = 16;
}
