/* CRC-16 of CCITT bit by bit, the highest bit first.
 *
 * in: uint8[300] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void crc_ccitt(const uint8_t *restrict in, uint16_t *restrict out,
                            const uint8_t *restrict mem, uint32_t *len) {
  uint32_t n = *len, crc = 0xffff;
  for (uint32_t i = 0; i < n; i++) {
    crc ^= (uint32_t)in[i] << 8;
    for (int k = 0; k < 8; k++) {
      crc <<= 1;
      if (crc & 0x10000)
        crc ^= 0x11021;
    }
  }
  out[0] = crc;
  *len = 2;
}
