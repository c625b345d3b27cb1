// A write to memory that needs no value of a read of the same place comes behind it.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: acisc --config=%overlays/tiny.json %s -o %t.tiny
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler cleared --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: acis-compare --config %overlays/tiny.json --native %t.so --handler cleared --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.tiny
// RUN: %compare --handler exchanged --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: acis-compare --config %overlays/tiny.json --native %t.so --handler exchanged --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.tiny
// RUN: %compare --handler shifted --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler one_by_one --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler sums --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
#include <acis.h>
#define ARGS                                                                                       \
  const uint32_t *restrict in, uint32_t *restrict out, uint32_t *restrict mem, uint32_t *len

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
