// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Loops that the array cannot run, left to the scalar unit with a warning each where asked for.
// RUN: acisc --scalar-loops --config=%overlays/u280-full.json %s -o %t.acis 2>&1 | FileCheck %s
// RUN: not acisc --config=%overlays/u280-full.json %s -o %t.no 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: scalar.c:{{.*}} error: loop not mapped: the number of its iterations is not known
// ERROR-NOT: warning: loop not mapped
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler escapes --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler popped --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler divisors --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler gathered --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler sorted --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler sums --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler overlaps --packet-bytes 68 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler chained --in %t.word.in --mem %t.word.mem %t.acis
#include <acis.h>
#define ARGS(type)                                                                                 \
  const type *restrict in, type *restrict out, type *restrict mem, uint32_t *len

// The stream moves by one or two elements.
ACIS_HANDLER void escapes(ARGS(uint32_t)) {
  uint32_t n = *len / 4, i = 0, o = 0;
  while (i < n) {
    // CHECK: scalar.c:[[#@LINE+1]]:{{.*}} warning: the position in 'in' does not move by the same distance in each iteration; {{.*}} (the scalar unit runs it, which is slow)
    uint32_t v = in[i++];
    if (v < 60 && i < n)
      v = in[i++] ^ 32;
    out[o++] = v;
  }
  *len = o * 4;
}

ACIS_HANDLER void popped(ARGS(uint32_t)) {
  uint32_t n = mem[0];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = mem[i + 1];
    if (v & 1)
      // CHECK: scalar.c:[[#@LINE+1]]:{{.*}} warning: stream 'in' is read under a condition
      v += acis_pop(in);
    acis_push(out, v);
  }
  *len = n * 4;
}

// A loop of scalars whose end comes with the data.
ACIS_HANDLER void divisors(ARGS(uint32_t)) {
  uint32_t n = *len / 8;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t a = in[2 * i], b = in[2 * i + 1];
    while (b != 0) {
      uint32_t t = a % b;
      a = b;
      b = t;
    }
    out[i] = a;
  }
  *len = n * 4;
}

ACIS_HANDLER void gathered(ARGS(uint32_t)) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    // CHECK: scalar.c:[[#@LINE+1]]:{{.*}} warning: the position in 'mem' does not move by the same distance
    out[i] = mem[in[i]];
}

// Single elements of arrays and floats are steps on the array.
ACIS_HANDLER void sorted(ARGS(float)) {
  float a[20];
  for (int i = 0; i < 20; i++) {
    float v = in[i] * 0.5f;
    int k = i;
    while (k > 0 && a[k - 1] > v) {
      a[k] = a[k - 1];
      k--;
    }
    a[k] = v;
  }
  for (int i = 0; i < 20; i++)
    out[i] = a[i];
  *len = 80;
}

// The sum is a polynomial of 33 bits.
ACIS_HANDLER void sums(ARGS(uint32_t)) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = in[i], s = 0;
    for (uint32_t k = 0; k < (v & 31); k++)
      s += k * v;
    out[i] = s;
  }
}

// Two bytes, and one of them again, at a place that comes with the data.
ACIS_HANDLER void overlaps(ARGS(uint8_t)) {
  uint32_t sum = 0, at = 0;
  for (uint32_t i = 0; i < 8; i++) {
    uint16_t both;
    uint32_t step = in[at] & 3;
    __builtin_memcpy(&both, in + at, 2);
    sum = sum * 3 + both;
    at += step + 2;
  }
  __builtin_memcpy(out, &sum, 4);
  *len = 4;
}

// What one iteration writes to the memory the next ones read.
ACIS_HANDLER void chained(ARGS(uint32_t)) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    // CHECK: scalar.c:[[#@LINE+1]]:{{.*}} warning: memory is read here that the same loop may have written
    mem[i + 7] = mem[i] + in[i];
  out[0] = mem[n];
  *len = 4;
}
