/* Signed bytes to floats with a scale and a zero point for each of 64 channels.
 *
 * in: int8[640] any
 * mem: float[128] 0.01..2
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define CHANNELS 64

ACIS_HANDLER void dequantise(const int8_t *restrict in, float *restrict out,
                             const float *restrict mem, uint32_t *len) {
  float scale[CHANNELS], zero[CHANNELS];
  for (int c = 0; c < CHANNELS; c++)
    scale[c] = mem[c];
  for (int c = 0; c < CHANNELS; c++)
    zero[c] = mem[CHANNELS + c];
  uint32_t rows = *len / CHANNELS;
  for (uint32_t r = 0; r < rows; r++)
    for (int c = 0; c < CHANNELS; c++)
      out[r * CHANNELS + c] = ((float)in[r * CHANNELS + c] - zero[c]) * scale[c];
  *len = rows * CHANNELS * 4;
}
