/* Edit distances of the prefixes of a packet from a word of 64 bytes in memory: one row of the
 * table, and the word on chip.
 *
 * in: uint8[40] 97..100
 * mem: uint8[64] 97..100
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define WORD 64

static inline uint32_t min2(uint32_t a, uint32_t b) { return a < b ? a : b; }
ACIS_HANDLER void levenshtein(const uint8_t *restrict in, uint32_t *restrict out,
                              const uint8_t *restrict mem, uint32_t *len) {
  uint32_t row[WORD], n = *len;
  uint8_t word[WORD];
  for (int j = 0; j < WORD; j++) {
    row[j] = (uint32_t)j + 1;
    word[j] = mem[j];
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t diagonal = i, left = i + 1;
    uint8_t c = in[i];
    for (int j = 0; j < WORD; j++) {
      uint32_t up = row[j];
      left = min2(min2(left, up) + 1, diagonal + (c != word[j]));
      row[j] = left;
      diagonal = up;
    }
    out[i] = left;
  }
  *len = 4 * n;
}
