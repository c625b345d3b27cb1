/* Decoder of differences of 4 bits with an adaptive step.
 *
 * in: uint8[300] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

static const int16_t steps[32] = {8,   10,  12,  15,  18,   22,   27,   33,   40,   48,  58,
                                  70,  85,  102, 123, 148,  178,  214,  257,  309,  371, 446,
                                  536, 644, 773, 928, 1114, 1337, 1605, 1926, 2312, 2775};
static const int8_t change[8] = {-1, -1, -1, -1, 2, 3, 5, 7};
ACIS_HANDLER void adpcm_decode(const uint8_t *restrict in, int16_t *restrict out,
                               const int16_t *restrict mem, uint32_t *len) {
  uint32_t n = *len;
  int32_t predicted = 0, index = 0;
  for (uint32_t i = 0; i < n; i++) {
    int32_t code = in[i] & 15, step = steps[index];
    int32_t move = step >> 3;
    if (code & 4)
      move += step;
    if (code & 2)
      move += step >> 1;
    if (code & 1)
      move += step >> 2;
    if (code & 8)
      predicted -= move;
    else
      predicted += move;
    if (predicted > 32767)
      predicted = 32767;
    if (predicted < -32768)
      predicted = -32768;
    index += change[code & 7];
    if (index < 0)
      index = 0;
    if (index > 31)
      index = 31;
    out[i] = predicted;
  }
  *len = n * 2;
}
