/* A column of AES, round after round: four bytes through a table, then mixed with each other.
 *
 * in: uint32[64] any
 * mem: uint8[256] any
 * packets: 2
 * expect: maps
 * expect[king4x4]: refused loop not mapped: initiation interval would be at least
 * expect[mesh16x16]: refused loop not mapped: initiation interval would be at least
 * expect[mesh2x2]: refused loop not mapped: initiation interval would be at least
 * expect[mesh4x4]: refused loop not mapped: initiation interval would be at least
 * expect[mesh4x4-left]: refused loop not mapped: initiation interval would be at least
 * expect[mesh8x8]: refused loop not mapped: initiation interval would be at least
 * expect[mixed4x4]: refused loop not mapped: initiation interval would be at least
 * expect[onehop4x4]: refused loop not mapped: initiation interval would be at least
 * expect[tiny]: refused loop not mapped:
 * expect[torus4x4]: refused loop not mapped: initiation interval would be at least
 * expect[u280-full]: refused loop not mapped: initiation interval would be at least
 * expect[u280-250mhz]: refused loop not mapped: initiation interval would be at least
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void aes(const uint32_t *restrict in, uint32_t *restrict out,
                      const uint8_t *restrict mem, uint32_t *len) {
  uint8_t box[256];
  for (int i = 0; i < 256; i++)
    box[i] = mem[i];
  uint32_t n = *len / 4, column = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t x = column ^ in[i];
    uint32_t v = (uint32_t)box[x & 255] | (uint32_t)box[x >> 8 & 255] << 8 |
                 (uint32_t)box[x >> 16 & 255] << 16 | (uint32_t)box[x >> 24] << 24;
    uint32_t two = (v << 1 & 0xfefefefe) ^ (v >> 7 & 0x01010101) * 27;
    uint32_t sum = two ^ v; // three times each byte
    column = two ^ (sum >> 8 | sum << 24) ^ (v >> 16 | v << 16) ^ (v >> 24 | v << 8);
    out[i] = column;
  }
}
