// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Positions of streams and memory.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler popped --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler part_beats --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler index_value --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler window --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler gaps --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler memory_rows --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler twice --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler once --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler may_be_empty --in %t.word.in --mem %t.word.mem %t.acis
#include <acis.h>
#define ARGS(type)                                                                                 \
  const type *restrict in, type *restrict out, type *restrict mem, uint32_t *len

ACIS_HANDLER void popped(ARGS(int32_t)) {
  uint32_t a = acis_pop(in), b = acis_pop(in);
  for (uint32_t i = 0; i < a; i++)
    mem[i] = acis_pop(in);
  for (uint32_t i = 0; i < b; i++)
    acis_push(out, acis_pop(in));
  *len = b * 4;
}

// One element, under a condition and always.
ACIS_HANDLER void twice(ARGS(int32_t)) {
  int32_t limit = in[0];
  uint32_t n = *len / 4 - 1;
  for (uint32_t i = 0; i < n; i++) {
    int32_t v = i < 20 ? limit | in[i + 1] : 7;
    out[i] = v + (in[i + 1] & 63);
  }
  *len = n * 4;
}

ACIS_HANDLER void part_beats(ARGS(int32_t)) {
  uint32_t n = *len / 40;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < 10; j++)
      out[i * 10 + j] = in[i * 10 + j] + (int32_t)(i * j);
  *len = n * 40;
}

ACIS_HANDLER void index_value(ARGS(int32_t)) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] + 3 * i - (i & 7);
}

ACIS_HANDLER void window(ARGS(int32_t)) {
  uint32_t n = *len / 4;
  int32_t a = 0, b = 0, c = 0;
  for (uint32_t i = 0; i < n; i++) {
    int32_t v = in[i];
    out[i] = v + 2 * a + 3 * b + 5 * c;
    c = b;
    b = a;
    a = v;
  }
}

ACIS_HANDLER void gaps(ARGS(int32_t)) {
  uint32_t n = in[0], m = in[1];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < 16; j++)
      mem[i * 16 + j] = in[16 + i * 32 + j];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < m; j++)
      mem[4096 + i * m + j] = in[700 + i * m + j];
  *len = 0;
}

ACIS_HANDLER void memory_rows(ARGS(int32_t)) {
  uint32_t n = in[0];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < 16; j++)
      mem[i * 16 + j] += in[16 + i * 16 + j];
  *len = 0;
}

ACIS_HANDLER void may_be_empty(ARGS(int32_t)) {
  int32_t a = in[0], b = in[1], s = 5;
  for (int32_t i = a; i < b; i++)
    s += in[2 + i];
  out[0] = s;
  *len = 4;
}

// A loop of one iteration, in which the second write does not change: it stays the second one.
ACIS_HANDLER void once(ARGS(int32_t)) {
  int32_t k = mem[28], m = mem[8];
  for (uint32_t b = 0; b < 1; b++) {
    int32_t x = in[b * 4 + 2], y = in[b * 4 + 3];
    float f = (float)x;
    int32_t s = f > -2147483520.0f && f < 2147483520.0f ? (int32_t)f : 7;
    if (k == y)
      for (int32_t i = 0; i < 33; i++)
        s = m;
    out[b * 2 + 0] = s & 5;
    out[b * 2 + 1] = -k;
  }
  *len = 8;
}
