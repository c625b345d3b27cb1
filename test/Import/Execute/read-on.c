// A loop that ends early in a loop that reads on from there: to the end of the packet, it would read
// what the next turn needs, so the packet is kept. The scalar unit can run it, too.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.mapped 2>&1 | FileCheck %s
// RUN: acisc --config=%overlays/u280-full.json --scalar-loops %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler numbers --packet-bytes 50 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler texts --packet-bytes 50 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler numbers --packet-bytes 50 --in %t.word.in --mem %t.word.mem %t.mapped
// RUN: %compare --handler texts --packet-bytes 50 --in %t.word.in --mem %t.word.mem %t.mapped
// RUN: %compare --handler one_loop --packet-bytes 50 --in %t.word.in --mem %t.word.mem %t.mapped
// RUN: %compare --handler rows --packet-bytes 80 --in %t.word.in --mem %t.word.mem %t.mapped
#include <acis.h>

#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint8_t *restrict in, uint32_t *restrict out,                       \
                         const uint32_t *restrict mem, uint32_t *len)

HANDLER(numbers) {
  uint32_t n = 0, i = 0;
  while (i < *len) {
    uint32_t v = 0, shift = 0;
    uint8_t byte;
    do {
      // CHECK: read-on.c:[[#@LINE+1]]:{{.*}} warning: the stream may have passed what this reads, so the packet is kept
      byte = in[i++];
      v |= (uint32_t)(byte & 127) << shift;
      shift += 7;
    } while (byte & 128 && shift < 28 && i < *len);
    out[n++] = v;
  }
  *len = 4 * n;
}

HANDLER(texts) {
  uint32_t n = 0, at = 0;
  for (uint32_t t = 0; t < 3 && at < *len; t++) {
    uint32_t sum = 0, k;
    for (k = 0; k < 10; k++) {
      // CHECK: read-on.c:[[#@LINE+1]]:{{.*}} warning: the stream may have passed what this reads, so the packet is kept
      if (in[at + k] < 40)
        break;
      sum += in[at + k];
    }
    at += k + 1;
    out[n++] = sum;
  }
  *len = 4 * n;
}
HANDLER(one_loop) {
  uint32_t n = 0, v = 0, shift = 0;
  for (uint32_t i = 0; i < *len; i++) {
    v |= (uint32_t)(in[i] & 127) << shift;
    shift += 7;
    if (!(in[i] & 128) || shift == 28 || i + 1 == *len) {
      out[n++] = v;
      v = shift = 0;
    }
  }
  *len = 4 * n;
}

// The next row does not begin where the search in this one ended.
HANDLER(rows) {
  uint32_t n = 0;
  for (uint32_t r = 0; r < *len / 16; r++) {
    uint32_t k;
    for (k = 0; k < 16; k++)
      if (in[r * 16 + k] < 40)
        break;
    out[n++] = k;
  }
  *len = 4 * n;
}
