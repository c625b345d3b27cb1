// Inner loops that read what an iteration of the outer one reads from its end: as long as the rows
// themselves go forward, the window of a row is read in the stream's order.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/edges.py %t.in
// RUN: %compare --handler swap8 --in %t.in %t.acis
// RUN: %compare --handler swap8 --in %t.in --packet-bytes 20 %t.acis
// RUN: %compare --handler mirror --in %t.in --packet-bytes 40 %t.acis
// RUN: %compare --handler polynomial --in %t.in %t.acis
// RUN: %compare --handler both_ways --in %t.in %t.acis
// RUN: %compare --handler last_first --in %t.in --packet-bytes 160 %t.acis
// RUN: %compare --handler reversed --in %t.in %t.acis
#include <acis.h>

#define HANDLER(name, type)                                                                        \
  ACIS_HANDLER void name(const type *restrict in, type *restrict out, const type *restrict mem,    \
                         uint32_t *len)

/* With what is left behind the last group. */
HANDLER(swap8, uint8_t) {
  uint32_t n = *len, i;
  for (i = 0; i + 8 <= n; i += 8)
    for (int j = 0; j < 8; j++)
      out[i + j] = in[i + 7 - j];
  for (; i < n; i++)
    out[i] = in[i];
}

HANDLER(mirror, uint16_t) {
  for (int row = 0; row < 2; row++)
    for (int x = 0; x < 10; x++)
      out[row * 10 + x] = in[row * 10 + 9 - x];
  *len = 40;
}

/* The highest coefficient stands last. */
HANDLER(polynomial, uint32_t) {
  uint32_t rows = *len / 20;
  for (uint32_t r = 0; r < rows; r++) {
    uint32_t y = 0;
    for (int c = 4; c >= 0; c--)
      y = y * 7 + in[r * 5 + c];
    out[r] = y;
  }
  *len = rows * 4;
}

HANDLER(both_ways, uint32_t) {
  uint32_t rows = *len / 40;
  for (uint32_t r = 0; r < rows; r++) {
    uint32_t there = 0, back = 0;
    for (int c = 0; c < 10; c++)
      there = there * 3 ^ in[r * 10 + c];
    for (int c = 9; c >= 0; c--)
      back = back * 3 ^ in[r * 10 + c];
    out[r] = there - back;
  }
  *len = rows * 4;
}

// The input is kept for it.
HANDLER(last_first, uint32_t) {
  if (*len < 160) {
    *len = 0;
    return;
  }
  for (int i = 0; i < 40; i++)
    out[i] = in[39 - i];
  *len = 160;
}

HANDLER(reversed, uint32_t) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[n - 1 - i];
}
