// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Conditions, reductions, comparisons and element types.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler conditional_sum --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler differences --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler nested_conditions --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler three --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler conditional_store --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler one_beat --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler constants --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler products --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler compares --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler bytes --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler halves --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler turns --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler sums --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler reversed --packet-bytes 32 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler segments --packet-bytes 64 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler segments_on --packet-bytes 64 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler segments_apart --packet-bytes 64 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: not acisc --config=%overlays/u280-full.json -DREFUSED %s -o %t.refused.acis 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: values.c:[[#]]:{{[0-9]+}}: error: loop not mapped: a value of an inner loop is used after it in an index; write the value to an array
#include <acis.h>
#define ARGS(type)                                                                                 \
  const type *restrict in, type *restrict out, type *restrict mem, uint32_t *len

// LLVM has a polynomial of 33 bits for the sum, and a reversal of 3 bits for the order.
ACIS_HANDLER void sums(ARGS(uint32_t)) {
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t v = in[i], s = 0;
    for (uint32_t k = 0; k < (v & 31); k++)
      s += k * v;
    out[i] = s;
  }
}

ACIS_HANDLER void reversed(ARGS(uint32_t)) {
  uint32_t a[8];
  if (*len < 32) {
    *len = 0;
    return;
  }
  for (int i = 0; i < 8; i++)
    a[(i & 1) << 2 | (i & 2) | i >> 2] = in[i];
  for (int i = 0; i < 8; i++)
    out[i] = a[i] + 3 * (uint32_t)i;
  *len = 32;
}

ACIS_HANDLER void conditional_sum(ARGS(int32_t)) {
  int32_t s = mem[0];
  for (uint32_t i = 0; i < 1000; i++) {
    int32_t v = in[i];
    if (v > 50)
      s += v;
  }
  out[0] = s;
  *len = 4;
}

ACIS_HANDLER void differences(ARGS(int32_t)) {
  int32_t s = mem[0];
  for (uint32_t i = 0; i < 1000; i++) {
    s -= in[i] * 3;
    if (in[i] & 1)
      s = s - i - 12;
  }
  out[0] = s;
  *len = 4;
}

ACIS_HANDLER void nested_conditions(ARGS(int32_t)) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    int32_t v = in[i], r = 0;
    if (v > 50) {
      r = v * 3;
      if (v & 1)
        r = r - mem[i];
      else if (v > 100)
        r = ~v;
    } else if (v < 10) {
      r = v << 4;
    }
    out[i] = r;
  }
}

ACIS_HANDLER void three(ARGS(int32_t)) {
  int32_t s = 7, q = -1, m = mem[0];
  uint32_t n = *len / 4, x = 0;
  for (uint32_t i = 0; i < n; i++) {
    int32_t v = in[i];
    s += v;
    q &= v | 0xf00;
    m = v - 90 < m ? v - 90 : m;
    x ^= v * i;
  }
  out[0] = s;
  out[1] = q;
  out[2] = m;
  out[3] = x;
  *len = 16;
}

ACIS_HANDLER void conditional_store(ARGS(int32_t)) {
  for (uint32_t i = 0; i < 1000; i++) {
    int32_t v = in[i];
    if (v > 50) {
      mem[i] = v;
      if (v & 1)
        mem[i + 2000] = v;
    }
  }
  *len = 0;
}

ACIS_HANDLER void compares(const int32_t *restrict in, float *restrict out,
                           const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    float a = (float)(in[i] - 60), b = (float)mem[i] * 0.5f;
    float nan = a > 100 ? a / 0.0f - a / 0.0f : a;
    float r = a < b ? a : b;
    r += nan >= b ? 1.0f : 2.0f;
    r += !(nan < b) ? 4.0f : 8.0f;
    r += nan != b ? 16.0f : 32.0f;
    r += nan == nan ? 64.0f : 128.0f;
    out[i] = r - __builtin_fabsf(a) + (float)(int32_t)b;
  }
}

ACIS_HANDLER void bytes(ARGS(uint8_t)) {
  uint32_t n = *len;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = in[i] * 3u + mem[i];
    out[i] = v > 255 ? 255 : v;
  }
}

ACIS_HANDLER void halves(ARGS(int16_t)) {
  uint32_t n = *len / 2;
  for (uint32_t i = 0; i < n; i++)
    out[i] = (int16_t)(in[i] - 100) >> 1;
  *len = n * 2;
}

/* Each call of the inner loop is one iteration, which reads what the call before wrote. */
ACIS_HANDLER void one_beat(ARGS(int32_t)) {
  uint32_t n = in[0];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < 16; j++)
      mem[j] += in[16 + i * 16 + j];
  for (uint32_t i = 0; i < 16; i++)
    out[i] = mem[i];
  *len = 64;
}

/* More than two constants for an operation, and for what may share its slot. */
static int32_t kept[8][16];
ACIS_HANDLER void constants(ARGS(int32_t)) {
  int32_t a = in[0], b = in[1], c = in[2];
  for (uint32_t i = 0; i < 8; i++)
    for (uint32_t l = 0; l < 16; l++) {
      kept[i][l] = a;
      mem[i * 16 + l] = b;
      out[i * 16 + l] = (in[16 + i * 16 + l] + c) ^ 0x5a5a;
    }
  for (uint32_t i = 0; i < 8; i++)
    for (uint32_t l = 0; l < 16; l++)
      out[128 + i * 16 + l] = kept[i][l];
  *len = 1024;
}

ACIS_HANDLER void products(ARGS(float)) {
  float a = mem[0], b = mem[1], c = mem[2];
  for (uint32_t i = 0; i < 500; i++)
    out[i] = in[i] + __builtin_fmaf(a, b, c);
  *len = 2000;
}

// A truth value that changes in each iteration: i & 1, as the importer writes it.
ACIS_HANDLER void turns(ARGS(uint32_t)) {
  uint32_t state = 0, hits = 0;
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t x = in[i];
    if (state == 0 || state == 1) {
      state = 2;
    } else {
      state = 1;
      hits += x;
    }
  }
  out[0] = hits;
  out[1] = state;
  *len = 8;
}

// Where an element goes behind a loop, is counted by it: directly, and with more added to it.
static inline void segments_of(ARGS(int32_t), int32_t scale, int32_t offset, int32_t step) {
  static int32_t x[16], own[16], sums[48];
  int32_t first_of_packet = in[0];
  for (int32_t i = 0; i < 16; i++) {
    x[i] = mem[16 + i] + first_of_packet;
    own[i] = mem[i];
  }
  for (int32_t i = 0; i < 48; i++)
    sums[i] = 0;
  int32_t m = 0, sum = 0, first = 0, n = 4;
  for (int32_t i = 0; i < 4; i++) {
    for (int32_t j = 0, k = first, l = 1; j < 16; j++, k++, l++) {
      if (l == n + 1) {
        sums[m] = sum;
        l = 1;
        m++;
        k = first;
        sum = 0;
      }
      sum += x[j] * own[k];
    }
    sums[scale * m + offset - step * i] = sum;
    sum = 0;
    m++;
    first = first + n;
  }
  for (int32_t i = 0; i < 48; i++)
    out[i] = sums[i];
  *len = 192;
}
ACIS_HANDLER void segments(ARGS(int32_t)) { segments_of(in, out, mem, len, 1, 0, 0); }
ACIS_HANDLER void segments_on(ARGS(int32_t)) { segments_of(in, out, mem, len, 1, 3, 0); }
ACIS_HANDLER void segments_apart(ARGS(int32_t)) { segments_of(in, out, mem, len, 2, 1, 0); }
#ifdef REFUSED
ACIS_HANDLER void refused(ARGS(int32_t)) { segments_of(in, out, mem, len, 2, 1, 1); }
#endif
