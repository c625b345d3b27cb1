// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Arrays, of one VPE and of all.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler last_of_row --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler per_vpe --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler vpes_in_turn --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler same_name --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler scatter --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler local_array --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler byte_index --in %t.word.in --mem %t.word.mem %t.acis
#include <acis.h>
#define ARGS(type)                                                                                 \
  const type *restrict in, type *restrict out, type *restrict mem, uint32_t *len

ACIS_PER_VPE static int32_t rows[ACIS_VPES][64];
ACIS_HANDLER void per_vpe(ARGS(int32_t)) {
  int32_t n = in[0];
  for (uint32_t p = 0; p < ACIS_VPES; p++)
    for (int32_t i = 0; i < 64; i++)
      rows[p][i] = mem[p * 64 + i];
  for (uint32_t i = 0; i < 64; i++) {
    int32_t s = n;
    for (uint32_t p = 0; p < ACIS_VPES; p++)
      s = s * 3 + rows[p][i];
    out[i] = s;
  }
  *len = 256;
}

ACIS_HANDLER void vpes_in_turn(ARGS(int32_t)) {
  for (uint32_t p = 0; p < ACIS_VPES; p++)
    for (uint32_t i = 0; i < 48; i++)
      rows[p][i] = in[p * 48 + i];
  for (uint32_t p = 0; p < ACIS_VPES; p++)
    for (uint32_t i = 0; i < 48; i++)
      out[p * 48 + i] = rows[p][i] + (int32_t)p;
  *len = ACIS_VPES * 48 * 4;
}

ACIS_HANDLER void local_array(ARGS(int32_t)) {
  int32_t x[8][16];
  for (uint32_t k = 0; k < 8; k++)
    for (uint32_t l = 0; l < 16; l++)
      x[k][l] = in[k * 16 + l];
  for (uint32_t k = 0; k < 8; k++)
    for (uint32_t i = 0; i < 4; i++)
      for (uint32_t l = 0; l < 16; l++)
        out[(k * 4 + i) * 16 + l] = x[k][l] - in[128 + (k * 4 + i) * 16 + l];
  *len = 8 * 4 * 64;
}

static int32_t kept[64][16];
ACIS_HANDLER void scatter(ARGS(uint32_t)) {
  for (uint32_t i = 0; i < 50; i++)
    for (uint32_t l = 0; l < 16; l++) {
      uint32_t row = in[i * 16 + l];
      if (row < 64)
        kept[row][l] += i;
    }
  for (uint32_t r = 0; r < 64; r++)
    for (uint32_t l = 0; l < 16; l++) {
      out[r * 16 + l] = kept[r][l];
      kept[r][l] = 0;
    }
  *len = 4096;
}

/* The local array hides the static one of the same name. */
static int32_t both[32];
static int32_t first(uint32_t i) { return both[i]; }
ACIS_HANDLER void same_name(ARGS(int32_t)) {
  for (uint32_t i = 0; i < 32; i++)
    both[i] = in[i];
  int32_t both[32];
  for (uint32_t i = 0; i < 32; i++)
    both[i] = in[32 + i];
  for (uint32_t i = 0; i < 32; i++)
    out[i] = both[i] * 1000 + first(i);
  *len = 128;
}

// The index is cut to 3 bits, which no element has.
ACIS_HANDLER void byte_index(const int32_t *restrict in, int32_t *restrict out,
                             const int8_t *restrict mem, uint32_t *len) {
  int32_t x[8][16];
  for (uint32_t k = 0; k < 8; k++)
    for (uint32_t l = 0; l < 16; l++)
      x[k][l] = in[k * 16 + l];
  for (uint32_t k = 0; k < 8; k++)
    for (uint32_t l = 0; l < 16; l++)
      out[k * 16 + l] = x[mem[k * 4] & 7][l];
  *len = 8 * 64;
}

// What the last iteration of an inner loop read is all that is left of it.
ACIS_HANDLER void last_of_row(ARGS(int32_t)) {
  int32_t a[8][8], b[8], q[8];
  for (int r = 0; r < 8; r++)
    for (int c = 0; c < 8; c++)
      a[r][c] = in[r * 8 + c];
  for (int c = 0; c < 8; c++)
    b[c] = in[64 + c];
  for (int r = 0; r < 8; r++) {
    int32_t last = 5, unused = 5;
    for (int c = 0; c < 8; c++) {
      last = a[r][c];
      unused = b[c] >= last ? ~(unused >= last) : b[c];
      b[c] = 0;
    }
    q[r] = last;
  }
  for (int r = 0; r < 8; r++)
    out[r] = q[r];
  *len = 8 * 4;
}
