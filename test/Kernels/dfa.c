/* Matches of a pattern by a switch over states, each of which reads the next byte.
 *
 * in: uint8[512] 97..100
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>
ACIS_HANDLER void dfa(const uint8_t *restrict in, uint32_t *restrict out, const void *restrict mem, uint32_t *len) {
  uint32_t state = 0, hits = 0;
  for (uint32_t i = 0; i < *len; i++) {
    switch (state) {
    case 0: state = in[i] == 'a' ? 1 : 0; break;
    case 1: state = in[i] == 'b' ? 2 : in[i] == 'a' ? 1 : 0; break;
    case 2: state = in[i] == 'c' ? 3 : in[i] == 'a' ? 1 : 0; break;
    default: hits++; state = in[i] == 'a' ? 1 : 0; break;
    }
  }
  out[0] = hits;
  *len = 4;
}
