// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Arrays with initial values: constant and not, static and local, of every width, in one VPE
// and in all, in one handler and in several.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: acis-objdump --config=%overlays/u280-full.json %t.acis | FileCheck %s
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler narrow --packet-bytes 400 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler wide --packet-bytes 400 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler floating --packet-bytes 400 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler matrix --packet-bytes 400 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler counted --packet-bytes 400 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler shared --packet-bytes 400 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler local --packet-bytes 400 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler sliced --packet-bytes 4096 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler lanes --packet-bytes 4012 --in %t.word.in --mem %t.word.mem %t.acis
#include <acis.h>
#define ARGS                                                                                       \
  const int32_t *restrict in, int32_t *restrict out, int32_t *restrict mem, uint32_t *len

// CHECK: handler narrow:
// CHECK: initial values of 32 bytes in PE {{[0-9]+}} at byte {{[0-9]+}}
static const int8_t bytes[8] = {-1, 2, -3, 127, -128, 5, 0, 7};
static const uint16_t halves[8] = {65535, 2, 3, 4, 40000};
ACIS_HANDLER void narrow(ARGS) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = bytes[in[i] & 7] * halves[in[i] >> 3 & 7];
}

static const int64_t longs[4] = {-1, 1ll << 40, 0x0123456789abcdef, 3};
ACIS_HANDLER void wide(ARGS) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    int64_t v = longs[in[i] & 3];
    out[i] = (int32_t)(v ^ v >> 32);
  }
}

static const float parts[4] = {0.5f, -1.25f, 1e6f, 3.0f};
static const double exact[4] = {0.1, -2.5e9, 1e-3, 7};
ACIS_HANDLER void floating(ARGS) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = (int32_t)(parts[in[i] & 3] + (float)i) ^ (int32_t)(exact[in[i] >> 2 & 3] * 3.0);
}

static int32_t square[3][5] = {{1, 2, 3, 4, 5}, {6, 7}, {10, 11, 12, 13, -14}};
ACIS_HANDLER void matrix(ARGS) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t r = in[i] & 1, c = in[i] >> 1 & 3;
    out[i] = square[r][c] + square[2][c + 1];
    square[r][c] += 1; // kept for the next packet
  }
}

static uint32_t counts[16] = {100, 200, 300, [15] = 7};
ACIS_HANDLER void counted(ARGS) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    counts[in[i] & 15] += 1;
  for (uint32_t i = 0; i < 16; i++)
    out[i] = counts[i];
  *len = 64;
}

ACIS_HANDLER void shared(ARGS) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = counts[in[i] & 15] + bytes[in[i] & 7];
}

ACIS_HANDLER void local(ARGS) {
  const int16_t fixed[40] = {1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  int32_t changed[6] = {10, 20, 30, 40, 50, 60}, sparse[64] = {[3] = 4, [60] = 5};
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    out[i] = changed[in[i] & 3] + fixed[in[i] & 31] + sparse[in[i] & 63];
    changed[in[i] & 3] += 1; // begins anew with each packet
    sparse[in[i] & 63] = i;
  }
}

#define ROW(k) {k, k + 1, -k, 4, 5 * k, 6, 7, 8, 9, 10 ^ k, 11, 12, 13, 14, 15, k + 16}
ACIS_PER_VPE static int32_t slices[4][16] = {ROW(1), ROW(50), ROW(700), ROW(-9000)};
ACIS_HANDLER void sliced(ARGS) {
  for (uint32_t p = 0; p < 4; p++)
    for (uint32_t l = 0; l < 16; l++)
      out[p * 16 + l] = slices[p][l] + in[p * 16 + l];
  *len = 4 * 64;
}

// Used by whole beats as well.
static int32_t weights[32] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3,
                              2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
ACIS_HANDLER void lanes(ARGS) {
  for (uint32_t r = 0; r < 2; r++)
    for (uint32_t l = 0; l < 16; l++)
      out[r * 16 + l] = in[r * 16 + l] * weights[r * 16 + l];
  *len = 128;
}
