/* Coder of 16-bit samples into differences of 4 bits with an adaptive step: quantise the
 * difference, predict with saturation, adapt the step through tables.
 *
 * in: int16[300] -20000..20000
 * packets: 2
 * expect: maps
 * expect[king4x4]: refused loop not mapped: initiation interval would be at least 102 ('sub#3'
 * expect[mesh16x16]: refused loop not mapped: initiation interval would be at least 102 ('sub#3'
 * expect[mesh2x2]: refused loop not mapped: initiation interval would be at least 102 ('sub#3'
 * expect[mesh4x4]: refused loop not mapped: initiation interval would be at least 102 ('sub#3'
 * expect[mesh4x4-left]: refused loop not mapped: initiation interval would be at least 102 ('sub#3'
 * expect[mesh8x8]: refused loop not mapped: initiation interval would be at least 102 ('sub#3'
 * expect[mixed4x4]: refused loop not mapped: initiation interval would be at least 102 ('sub#3'
 * expect[onehop4x4]: refused loop not mapped: initiation interval would be at least 102 ('sub#3'
 * expect[tiny]: refused loop not mapped: initiation interval would be at least 18 (35 integer
 * expect[torus4x4]: refused loop not mapped: initiation interval would be at least 102 ('sub#3'
 * expect[u280-full]: refused loop not mapped: initiation interval would be at least 102 ('sub#3'
 * expect[u280-250mhz]: refused loop not mapped: initiation interval would be at least
 */
// RUN: %kernel %s
#include <acis.h>

static const int16_t steps[32] = {8,   10,  12,  15,  18,   22,   27,   33,   40,   48,  58,
                                  70,  85,  102, 123, 148,  178,  214,  257,  309,  371, 446,
                                  536, 644, 773, 928, 1114, 1337, 1605, 1926, 2312, 2775};
static const int8_t change[8] = {-1, -1, -1, -1, 2, 3, 5, 7};

ACIS_HANDLER void adpcm(const int16_t *restrict in, int8_t *restrict out,
                        const int16_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 2;
  int32_t predicted = 0, index = 0;
  for (uint32_t i = 0; i < n; i++) {
    int32_t step = steps[index];
    int32_t difference = in[i] - predicted, sign = 0, code = 0;
    if (difference < 0) {
      sign = 8;
      difference = -difference;
    }
    int32_t move = step >> 3;
    if (difference >= step) {
      code |= 4;
      difference -= step;
      move += step;
    }
    step >>= 1;
    if (difference >= step) {
      code |= 2;
      difference -= step;
      move += step;
    }
    step >>= 1;
    if (difference >= step) {
      code |= 1;
      move += step;
    }
    predicted += sign ? -move : move;
    if (predicted > 32767)
      predicted = 32767;
    else if (predicted < -32768)
      predicted = -32768;
    index += change[code];
    if (index < 0)
      index = 0;
    if (index > 31)
      index = 31;
    out[i] = code | sign;
  }
  *len = n;
}
