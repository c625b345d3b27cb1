/* Hough transform: each point votes for the lines through it, at eight angles. The votes are kept
 * from packet to packet.
 *
 * in: int16[64] -60..60
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define ANGLES 8
#define DISTANCES 8

static const int16_t cosine[ANGLES] = {256, 236, 181, 97, 0, -97, -181, -236};
static const int16_t sine[ANGLES] = {0, 97, 181, 236, 256, 236, 181, 97};
static uint16_t votes[DISTANCES * ANGLES];

ACIS_HANDLER void hough(const int16_t *restrict in, uint16_t *restrict out,
                        const int16_t *restrict mem, uint32_t *len) {
  (void)mem;
  for (uint32_t i = 0; i < *len / 4; i++) {
    int32_t x = in[2 * i], y = in[2 * i + 1];
    for (int t = 0; t < ANGLES; t++) {
      int32_t distance = (x * cosine[t] + y * sine[t]) >> 12;
      votes[(distance & (DISTANCES - 1)) * ANGLES + t]++;
    }
  }
  for (int i = 0; i < DISTANCES * ANGLES; i++)
    out[i] = votes[i];
  *len = sizeof votes;
}
