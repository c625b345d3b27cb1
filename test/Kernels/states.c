/* A state machine over text that finds words, numbers and strings in quotes: the state of
 * each byte, by a switch.
 *
 * in: text
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

enum { Space, Word, Number, Quoted };

ACIS_HANDLER void states(const uint8_t *restrict in, uint8_t *restrict out,
                         const uint8_t *restrict mem, uint32_t *len) {
  uint32_t n = *len;
  int state = Space;
  for (uint32_t i = 0; i < n; i++) {
    uint8_t c = in[i];
    int letter = (c | 32) >= 'a' && (c | 32) <= 'z', digit = c >= '0' && c <= '9';
    switch (state) {
    case Space:
    case Number:
      state = c == '"' ? Quoted : letter ? Word : digit ? Number : Space;
      break;
    case Word:
      if (!letter && !digit)
        state = c == '"' ? Quoted : Space;
      break;
    case Quoted:
      if (c == '"')
        state = Space;
      break;
    }
    out[i] = state;
  }
}
