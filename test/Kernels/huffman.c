/* Decodes symbols of up to 9 bits from a bit stream with a table of 512 entries, length and symbol.
 *
 * in: uint32[64] any
 * mem: uint16[512] 257..2559
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void huffman(const uint32_t *restrict in, uint8_t *restrict out,
                          const uint16_t *restrict mem, uint32_t *len) {
  uint32_t words[65];
  uint16_t table[512];
  for (int i = 0; i < 512; i++)
    table[i] = mem[i];
  for (int i = 0; i < 64; i++)
    words[i] = in[i];
  words[64] = 0;
  uint32_t at = 0;
  for (int i = 0; i < 200; i++) {
    uint32_t w = at >> 5, s = at & 31;
    uint64_t both = (uint64_t)words[w + 1] << 32 | words[w];
    uint32_t code = (uint32_t)(both >> s) & 511;
    uint16_t entry = table[code];
    out[i] = (uint8_t)entry;
    at += entry >> 8;
  }
  *len = 200;
}
