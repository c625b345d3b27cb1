/* Low-pass filter with its last inputs in an array that is moved along by one each time, as
 * a shift register: the array becomes scalars, whatever way the loop over it goes.
 *
 * in: int32[300] -1000..1000
 * mem: int32[8] -9..9
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>
#define TAPS 8

ACIS_HANDLER void delay_line(const int32_t *restrict in, int32_t *restrict out,
                             const int32_t *restrict mem, uint32_t *len) {
  int32_t last[TAPS], taps[TAPS];
  for (int k = 0; k < TAPS; k++) {
    last[k] = 0;
    taps[k] = mem[k];
  }
  for (uint32_t i = 0; i < *len / 4; i++) {
    int32_t sum = in[i] * taps[0];
    for (int k = TAPS - 1; k > 0; k--) {
      last[k] = last[k - 1];
      sum += last[k] * taps[k];
    }
    last[0] = in[i];
    out[i] = sum;
  }
}
