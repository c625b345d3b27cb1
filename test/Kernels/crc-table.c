/* CRC-32 by bytes, with a table that is in memory and taken on chip first.
 *
 * in: uint8[300] any
 * mem: crctable
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void crc_table(const uint8_t *restrict in, uint32_t *restrict out,
                            const uint32_t *restrict mem, uint32_t *len) {
  uint32_t table[256];
  for (int i = 0; i < 256; i++)
    table[i] = mem[i];
  uint32_t n = *len, crc = 0xffffffff;
  for (uint32_t i = 0; i < n; i++)
    crc = table[(crc ^ in[i]) & 255] ^ crc >> 8;
  out[0] = ~crc;
  *len = 4;
}
