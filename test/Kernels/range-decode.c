/* Decoder of bits that a range coder wrote, with an adaptive model of 64 contexts.
 *
 * in: uint8[256] any
 * packets: 2
 * expect: maps
 * expect[tiny]: refused loop not mapped: handler 'range_decode' needs 17 context slots for 3
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void range_decode(const uint8_t *restrict in, uint8_t *restrict out,
                               const uint8_t *restrict mem, uint32_t *len) {
  uint8_t bytes[256];
  uint16_t zero[64];
  for (int i = 0; i < 256; i++)
    bytes[i] = in[i];
  for (int i = 0; i < 64; i++)
    zero[i] = 1024;
  uint32_t range = ~0u, code = 0, at = 0, context = 1;
  for (int i = 0; i < 400; i++) {
    uint32_t chance = zero[context], bound = (range >> 11) * chance;
    uint32_t bit = code >= bound;
    range = bit ? range - bound : bound;
    code = bit ? code - bound : code;
    zero[context] = (uint16_t)(bit ? chance - (chance >> 5) : chance + ((2048 - chance) >> 5));
    uint32_t next = bytes[at % 256], few = range < 1u << 24;
    range = few ? range << 8 : range;
    code = few ? code << 8 | next : code;
    at += few;
    context = context << 1 | bit;
    context = context < 64 ? context : 1;
    out[i] = (uint8_t)bit;
  }
  *len = 400;
}
