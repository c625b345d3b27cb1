/* Long-term predictor of a speech coder: the lag, 40 to 120, at which 40 samples are most like
 * what came before them.
 *
 * in: int16[160] -4096..4095
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void gsm_ltp(const int16_t *restrict in, int32_t *restrict out,
                          const int16_t *restrict mem, uint32_t *len) {
  int16_t d[160];
  for (int i = 0; i < 160; i++)
    d[i] = in[i];
  int32_t best = 0, where = 40;
  for (int lag = 40; lag <= 120; lag++) {
    int32_t sum = 0;
    for (int k = 0; k < 40; k++)
      sum += d[120 + k] * d[120 + k - lag];
    if (sum > best) {
      best = sum;
      where = lag;
    }
  }
  out[0] = where;
  out[1] = best;
  *len = 8;
}
