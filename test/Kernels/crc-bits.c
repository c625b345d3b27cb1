/* CRC-32 bit by bit.
 *
 * in: uint8[300] any
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void crc_bits(const uint8_t *restrict in, uint32_t *restrict out,
                           const uint8_t *restrict mem, uint32_t *len) {
  uint32_t n = *len, crc = 0xffffffff;
  for (uint32_t i = 0; i < n; i++) {
    crc ^= in[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  out[0] = ~crc;
  *len = 4;
}
