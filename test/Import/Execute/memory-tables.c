// Memory at places that data chooses within a small part: the part is copied. Elsewhere, and where memory
// is written, it is not.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis 2>&1 | count 0
// RUN: not acisc --config=%overlays/u280-full.json -DREFUSED %s -o %t.refused 2>&1 | FileCheck %s
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler scaled --packet-bytes 200 --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler rotated --packet-bytes 200 --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler looked_up --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler of_bytes --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler in_turn --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
#include <acis.h>
#define HANDLER(name, type)                                                                        \
  ACIS_HANDLER void name(const type *restrict in, type *restrict out, type *restrict mem,          \
                         uint32_t *len)

HANDLER(scaled, float) {
  for (uint32_t i = 0; i < *len / 4; i++) {
    const float y = in[i] * mem[i % 8] + mem[8 + i % 8];
    out[i] = y < 0 ? 0 : y;
  }
}

HANDLER(rotated, float) {
  const uint32_t n = *len / 8;
  for (uint32_t i = 0; i < n; i++) {
    const float a = in[2 * i], b = in[2 * i + 1], c = mem[2 * (i & 15)], s = mem[2 * (i & 15) + 1];
    out[2 * i] = a * c - b * s;
    out[2 * i + 1] = a * s + b * c;
  }
  *len = n * 8;
}

// Behind a place that the packet says; and two that share a copy.
HANDLER(looked_up, uint32_t) {
  const uint32_t n = *len / 4, at = in[0] & 31;
  for (uint32_t i = 1; i < n; i++) {
    const uint32_t x = in[i];
    out[i - 1] = mem[64 + (x & 63)] + mem[at + 70 + (x >> 4 & 15)] * 3 + mem[at + 5 + (x & 7)];
  }
  *len = (n - 1) * 4;
}

ACIS_HANDLER void of_bytes(const uint8_t *restrict in, uint16_t *restrict out,
                           const uint16_t *restrict mem, uint32_t *len) {
  const uint32_t n = *len;
  for (uint32_t i = 0; i < n; i++)
    out[i] = mem[in[i]];
  *len = n * 2;
}

// The loop around writes memory, the one in it does not.
HANDLER(in_turn, uint32_t) {
  const uint32_t rows = *len / 64;
  for (uint32_t r = 0; r < rows; r++) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 16; i++)
      sum += mem[in[r * 16 + i] & 31];
    mem[r & 31] = sum;
    out[r] = sum;
  }
  *len = rows * 4;
}

#ifdef REFUSED
HANDLER(anywhere, float) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: memory-tables.c:[[#@LINE+1]]:{{.*}} error: {{.*}}'mem' does not move by the same distance
    out[i] = in[i] * mem[i / 2];
}

HANDLER(changed, float) {
  for (uint32_t i = 0; i < *len / 4; i++) {
    // CHECK: memory-tables.c:[[#@LINE+1]]:{{.*}} error: {{.*}}'mem' does not move by the same distance
    out[i] = in[i] * mem[i % 8];
    mem[i % 8] = out[i];
  }
}
#endif
