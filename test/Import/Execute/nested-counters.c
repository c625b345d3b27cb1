// A counter that goes on from one row to the next is a counter of the rows, too.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 2048 %t.word > %t.in
// RUN: %compare --handler pooled --packet-bytes 512 --in %t.in %t.acis
// RUN: %compare --handler pooled --packet-bytes 1024 --in %t.in %t.acis
// RUN: %compare --handler halves --packet-bytes 512 --in %t.in %t.acis
// RUN: %compare --handler columns --packet-bytes 512 --in %t.in %t.acis
// RUN: %compare --handler varying --packet-bytes 512 --in %t.in %t.acis
#include <acis.h>

enum { COLS = 16 };

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

ACIS_HANDLER void pooled(const int32_t *restrict in, int32_t *restrict out, void *restrict mem,
                         uint32_t *len) {
  uint32_t rows = *len / (4 * COLS), k = 0;
  for (uint32_t r = 0; r + 1 < rows; r += 2)
    for (uint32_t c = 0; c < COLS; c += 2)
      out[k++] = larger(larger(in[r * COLS + c], in[r * COLS + c + 1]),
                        larger(in[(r + 1) * COLS + c], in[(r + 1) * COLS + c + 1]));
  *len = k * 4;
}

ACIS_HANDLER void halves(const int32_t *restrict in, int32_t *restrict out, void *restrict mem,
                         uint32_t *len) {
  uint32_t rows = *len / (8 * COLS), k = 0;
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t c = 0; c < COLS; c++)
      out[k++] = in[2 * r * COLS + c] + in[2 * r * COLS + c + COLS];
  *len = k * 4;
}

ACIS_HANDLER void columns(const int32_t *restrict in, int32_t *restrict out, void *restrict mem,
                          uint32_t *len) {
  int32_t *to = out;
  for (uint32_t r = 0; r < *len / 128; r++)
    for (uint32_t c = 0; c < 8; c++)
      for (uint32_t k = 0; k < 4; k++)
        *to++ = in[r * 32 + 4 * c + k] + (int32_t)k;
  *len = (uint32_t)(to - out) * 4;
}

// The inner count comes from the packet: the distance is the same in each row.
ACIS_HANDLER void varying(const int32_t *restrict in, int32_t *restrict out, void *restrict mem,
                          uint32_t *len) {
  static int32_t row[64];
  uint32_t width = 1 + (uint32_t)in[0] % 16, k = 0;
  for (uint32_t i = 0; i < 64; i++)
    row[i] = in[i + 1];
  for (uint32_t r = 0; r < 4; r++)
    for (uint32_t c = 0; c < width; c++)
      out[k++] = row[r * 16 + c];
  *len = k * 4;
}
