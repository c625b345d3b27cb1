// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// 64-bit elements, and sums in the overlay's order.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler wide --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler doubles --in %t.double.in --mem %t.double.mem %t.acis
// RUN: %compare --handler backwards --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler narrowed --in %t.double.in --mem %t.double.mem %t.acis
// RUN: %compare --handler carried --in %t.double.in --mem %t.double.mem %t.acis
// RUN: %compare --handler sent_beside --in %t.double.in --mem %t.double.mem %t.acis
// RUN: %compare --handler negated_sum --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler sum_of_one --packet-bytes 1003 --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler sums --in %t.float.in --mem %t.float.mem %t.acis
#include <acis.h>
#define ARGS(type)                                                                                 \
  const type *restrict in, type *restrict out, type *restrict mem, uint32_t *len

ACIS_HANDLER void wide(ARGS(uint64_t)) {
  uint64_t k = in[0], s = mem[1];
  for (uint32_t i = 0; i < 200; i++)
    s += in[i + 1] * k >> 3;
  out[0] = s;
  *len = 8;
}

ACIS_HANDLER void doubles(ARGS(double)) {
  uint32_t n = *len / 8;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] * 0.5 + mem[i];
  *len = n * 8;
}

// k % 3 is k with a negative index of 32 bits beside it, in a loop of 64-bit elements.
ACIS_HANDLER void backwards(ARGS(uint64_t)) {
  uint64_t a[3][32], p[3][4];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 32; c++)
      a[r][c] = in[r * 32 + c];
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 4; k++) {
      p[r][k] = 0;
      for (int c = 0; c < 32; c++)
        p[r][k] += a[r][c] * a[k % 3][c];
    }
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 4; k++)
      out[r * 4 + k] = p[r][k];
  *len = 12 * 8;
}

// 64 bits from outside of the loop where a slot works on 32: as an operand, as the initial
// value of what is carried, and sent from a slot that computes something narrow.
ACIS_HANDLER void narrowed(ARGS(double)) {
  double k = mem[0], limit = mem[1];
  uint32_t n = *len / 8, o = 0;
  for (uint32_t i = 0; i < n; i++)
    if ((uint32_t)k > (uint32_t)in[i] && (float)limit > (float)in[i])
      out[o++] = in[i];
  *len = o * 8;
}

ACIS_HANDLER void carried(ARGS(double)) {
  double last = mem[3];
  uint32_t n = *len / 8, count = 0;
  for (uint32_t i = 0; i < n; i++) {
    count = count * 3 + (uint32_t)last;
    out[i] = count;
    last = in[i];
  }
  *len = n * 8;
}

ACIS_HANDLER void sent_beside(ARGS(double)) {
  double k = mem[5];
  uint32_t n = *len / 8, o = 0, c = 0;
  for (uint32_t i = 0; i < n; i++) {
    c = (c ^ (uint32_t)in[i]) * 5;
    if (c & 4)
      out[o++] = k;
  }
  *len = o * 8;
}

// In the order of lanes, though the loop reads nothing.
ACIS_HANDLER void sum_of_one(ARGS(float)) {
  uint32_t n = *len / 4;
  float x = mem[20] * 0.1f;
  acis_sum_f32 s = {0};
  for (uint32_t i = 0; i < n; i++)
    acis_sum_add(&s, x);
  out[0] = acis_sum_get(&s);
  *len = 4;
}

ACIS_HANDLER void negated_sum(ARGS(float)) {
  uint32_t n = *len / 4;
  acis_sum_f32 s = {0};
  for (uint32_t i = 0; i < n; i++)
    acis_sum_add(&s, -(in[i] * 0.3f));
  out[0] = acis_sum_get(&s);
  *len = 4;
}

ACIS_HANDLER void sums(ARGS(float)) {
  uint32_t n = *len / 64;
  for (uint32_t r = 0; r < n; r++) {
    acis_sum_f32 s = {0};
    for (uint32_t k = 0; k < 16; k++)
      acis_sum_add(&s, in[r * 16 + k] * 0.25f);
    out[r] = acis_sum_get(&s);
  }
  *len = n * 4;
}
