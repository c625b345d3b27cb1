// A write to memory that needs no value of a read of the same place comes behind it.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: acisc --config=%overlays/tiny.json -DTWO_PORTS %s -o %t.tiny
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler cleared --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: acis-compare --config %overlays/tiny.json --native %t.so --handler cleared --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.tiny
// RUN: %compare --handler exchanged --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: acis-compare --config %overlays/tiny.json --native %t.so --handler exchanged --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.tiny
// RUN: %compare --handler shifted --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler one_by_one --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler sums --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler updated --packet-bytes 236 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: acis-compare --config %overlays/tiny.json --native %t.so --handler updated --packet-bytes 236 --in %t.word.in --mem %t.word.mem %t.tiny
// RUN: %compare --handler eight --packet-bytes 68 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler side_by_side --packet-bytes 68 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler members --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: not acisc --config=%overlays/u280-full.json -DREFUSED %s -o %t.refused 2>&1 | FileCheck %s
#include <acis.h>
#define ARGS                                                                                       \
  const uint32_t *restrict in, uint32_t *restrict out, uint32_t *restrict mem, uint32_t *len

// Members of several sizes, beside each other: none of them is written twice.
#ifndef TWO_PORTS
ACIS_HANDLER void members(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem, uint32_t *len) {
  struct record {
    uint32_t a;
    uint8_t b, c;
    uint16_t d;
  } *to = mem;
  for (uint32_t i = 0; i < *len / 4; i++) {
    to[i].a = in[i];
    to[i].b = (uint8_t)(in[i] >> 3);
    to[i].c = (uint8_t)(in[i] >> 5);
    to[i].d = (uint16_t)(in[i] >> 7);
  }
  *len = 0;
}
#endif

ACIS_HANDLER void cleared(ARGS) {
  const uint32_t at = (in[0] & 7) * 64;
  for (uint32_t i = 1; i < *len / 4; i++) {
    out[i - 1] = mem[at + i] + in[i];
    mem[at + i] = 0;
  }
  *len -= 4;
}

ACIS_HANDLER void exchanged(ARGS) {
  for (uint32_t i = 0; i < *len / 4; i++) {
    out[i] = mem[i] * 3 + 1;
    mem[i] = in[i];
  }
}

// The next iteration writes what this one reads.
ACIS_HANDLER void shifted(ARGS) {
  for (uint32_t i = 0; i < *len / 4; i++) {
    out[i] = mem[i + 1] ^ 5;
    mem[i] = in[i];
  }
}

// Elements in order, since the sum is.
ACIS_HANDLER void one_by_one(ARGS) {
  uint32_t s = 1;
  for (uint32_t i = 0; i < *len / 4; i++) {
    s = s * 3 + mem[i];
    out[i] = s;
    mem[i] = i;
  }
}

ACIS_HANDLER void sums(ARGS) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < *len / 4; i++) {
    s += mem[2 * i] + in[i];
    mem[2 * i] = 7;
  }
  out[0] = s;
  *len = 4;
}

// What is written and read again is a value, also behind a write that may not happen.
ACIS_HANDLER void updated(ARGS) {
  for (uint32_t i = 0; i < 59; i++) {
    mem[i] += in[i];
    if (mem[i] & 1)
      mem[i + 256] ^= in[i];
    out[i] = mem[i] * 3;
  }
}

// All lanes read before any writes: those that another one writes later are read as C reads them.
ACIS_HANDLER void eight(ARGS) {
  for (uint32_t i = 0; i < 8; i++) {
    out[i] = mem[i + 1] ^ in[i];
    mem[i] = in[i];
  }
  *len = 32;
}

// Of a beat that is not full, lanes that are not there write nothing: the arrays lie side by side.
ACIS_HANDLER void side_by_side(ARGS) {
  uint32_t *a = mem, *b = mem + 12;
  for (uint32_t i = 1; i < 7; i++)
    b[i] = a[i - 1] + a[i + 1] * 3 + in[i];
  out[0] = b[3];
  *len = 4;
}

#ifdef REFUSED
// A beat has all iterations, and each reads what the one before wrote.
ACIS_HANDLER void next(ARGS) {
  for (uint32_t i = 0; i < 8; i++)
    // CHECK: memory-order.c:[[#@LINE+1]]:{{.*}} error: memory is read here that the same loop may have written, in this iteration or an earlier one
    mem[i + 1] = mem[i] + in[i];
  *len = 0;
}

// The same with rows that a launch brings.
ACIS_HANDLER void rows(ARGS) {
  for (uint32_t r = 1; r < 8; r++)
    for (uint32_t c = 1; c <= r; c++)
      // CHECK: memory-order.c:[[#@LINE+1]]:{{.*}} error: memory is read here that the same loop may have written
      mem[r * 8 + c] = mem[r * 8 + c - 1] * 3 + 1;
  *len = 0;
}

// One of two ways writes what is read behind both.
ACIS_HANDLER void one_way(ARGS) {
  for (uint32_t i = 0; i < *len / 4; i++) {
    if (in[i] & 1)
      mem[i] = in[i] * 3;
    // CHECK: memory-order.c:[[#@LINE+1]]:{{.*}} error: memory is read here that the same loop may have written
    out[i] = mem[i] + 1;
  }
}
#endif
