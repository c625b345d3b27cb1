/* Count-min sketch of four rows: each word counts in one place of each row, and its estimate,
 * the smallest of the four counts, leaves. Rows are parts of one array that never meet.
 *
 * in: uint32[64] 0..40
 * packets: 4
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

static uint32_t rows[4][64];

ACIS_HANDLER void sketch(const uint32_t *restrict in, uint32_t *restrict out,
                         const uint32_t *restrict mem, uint32_t *len) {
  (void)mem;
  const uint32_t factors[4] = {0x9e3779b1u, 0x85ebca77u, 0xc2b2ae3du, 0x27d4eb2fu};
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t key = in[i], estimate = UINT32_MAX;
    for (int r = 0; r < 4; r++) {
      uint32_t count = ++rows[r][key * factors[r] >> 26];
      estimate = count < estimate ? count : estimate;
    }
    out[i] = estimate;
  }
}
