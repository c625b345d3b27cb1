// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Division by powers of two: shifts, also of negative numbers and by the smallest one.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: acisc --config=%overlays/u280-full.json --emit=dfg-opt %s | FileCheck %s
// CHECK-LABEL: dfg.handler @words
// CHECK-COUNT-2: sdiv
// CHECK-LABEL: dfg.handler @bytes
// CHECK-NOT: {{sdiv|srem}}
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/edges.py %t.word.in
// RUN: %compare --handler words --packet-bytes 200 --in %t.word.in --mem %t.word.in %t.acis
// RUN: %compare --handler bytes --packet-bytes 200 --in %t.word.in --mem %t.word.in %t.acis
// RUN: %compare --handler longs --packet-bytes 200 --in %t.word.in --mem %t.word.in %t.acis
#include <acis.h>
#define ARGS(type)                                                                                 \
  const type *restrict in, type *restrict out, type *restrict mem, uint32_t *len

ACIS_HANDLER void words(ARGS(int32_t)) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    int32_t v = in[i];
    out[8 * i] = v / 2;
    out[8 * i + 1] = v % 2;
    out[8 * i + 2] = v / 16;
    out[8 * i + 3] = v % 16;
    out[8 * i + 4] = v / (1 << 30);
    out[8 * i + 5] = v % (1 << 30);
    out[8 * i + 6] = v / 7;
    out[8 * i + 7] = v / 10;
  }
  *len = n * 32;
}

ACIS_HANDLER void bytes(ARGS(int8_t)) {
  for (uint32_t i = 0; i < *len; i++) {
    int8_t v = in[i];
    out[i] = (int8_t)(v / 4) ^ (int8_t)(v % 64);
  }
}

ACIS_HANDLER void longs(ARGS(int64_t)) {
  uint32_t n = *len / 8;
  for (uint32_t i = 0; i < n; i++) {
    int64_t v = in[i];
    out[2 * i] = v / 1024;
    out[2 * i + 1] = v % ((int64_t)1 << 40);
  }
  *len = n * 16;
}
