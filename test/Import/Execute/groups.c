// Loops that take a few elements at a time, with their end written in the ways that C programs have.
// The length of a packet is less than 2^31, so none of these ends wraps round.
// RUN: acisc --config=%overlays/u280-full.json --verify-each %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/edges.py %t.in
// RUN: %compare --handler swap4 --in %t.in --packet-bytes 4 %t.acis
// RUN: %compare --handler swap4 --in %t.in %t.acis
// RUN: %compare --handler swap2 --in %t.in %t.acis
// RUN: %compare --handler with_rest --in %t.in %t.acis
// RUN: %compare --handler with_rest --in %t.in --packet-bytes 4 %t.acis
// RUN: %compare --handler counted_down --in %t.in %t.acis
// RUN: %compare --handler at_least_once --in %t.in %t.acis
// RUN: %compare --handler up_to_the_last --in %t.in %t.acis
#include <acis.h>

#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint8_t *restrict in, uint8_t *restrict out,                        \
                         const uint8_t *restrict mem, uint32_t *len)

HANDLER(swap4) {
  uint32_t n = *len;
  for (uint32_t i = 0; i + 4 <= n; i += 4) {
    out[i] = in[i + 3];
    out[i + 1] = in[i + 2];
    out[i + 2] = in[i + 1];
    out[i + 3] = in[i];
  }
  *len = n & ~3u;
}

HANDLER(swap2) {
  uint32_t n = *len;
  for (uint32_t i = 0; i + 2 <= n; i += 2) {
    out[i] = in[i + 1];
    out[i + 1] = in[i];
  }
  *len = n & ~1u;
}

HANDLER(with_rest) {
  uint32_t n = *len, i = 0, s = 0;
  for (; i + 8 <= n; i += 8)
    s += (in[i] | in[i + 1] << 8 | in[i + 2] << 16) ^ (in[i + 3] | in[i + 4] << 8) ^ in[i + 5] ^
         in[i + 6] ^ in[i + 7];
  for (; i < n; i++)
    s += in[i];
  out[0] = (uint8_t)s;
  out[1] = (uint8_t)(s >> 8);
  out[2] = (uint8_t)(s >> 16);
  *len = 3;
}

HANDLER(counted_down) {
  uint32_t n = *len, k = 0;
  const uint8_t *p = in;
  while (n >= 4) {
    out[k++] = p[0] ^ p[3];
    p += 4;
    n -= 4;
  }
  *len = k;
}

HANDLER(at_least_once) {
  uint32_t n = *len, i = 0;
  do {
    out[i] = in[i] + 1;
    out[i + 1] = in[i + 1] + 2;
    i += 2;
  } while (i + 2 <= n);
  *len = i;
}

HANDLER(up_to_the_last) {
  int n = (int)*len;
  for (int i = 0; i + 3 < n; i += 4) {
    out[i] = in[i + 1];
    out[i + 1] = in[i];
    out[i + 2] = in[i + 3];
    out[i + 3] = in[i + 2];
  }
  *len = (uint32_t)n & ~3u;
}
