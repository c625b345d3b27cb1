// A loop that hands on more values than a launch returns: options in any order, as DHCP has them.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler options --packet-bytes 68 --in %t.word.in %t.acis
// RUN: %compare --handler seen --packet-bytes 68 --in %t.word.in %t.acis
// RUN: %compare --handler moments --packet-bytes 68 --in %t.word.in %t.acis
#include <acis.h>
#define ARGS(type)                                                                                 \
  const type *restrict in, uint32_t *restrict out, const type *restrict mem, uint32_t *len

ACIS_HANDLER void options(ARGS(uint8_t)) {
  uint8_t p[128];
  uint32_t n = *len < 128 ? *len : 128;
  for (uint32_t i = 0; i < n; i++)
    p[i] = in[i];
  uint32_t at = 0, count = 0, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  while (at + 1 < n) {
    uint8_t code = p[at], size = p[at + 1];
    if (code == 0) {
      at++;
      continue;
    }
    switch (code & 7) {
    case 0: a = p[at + 1]; break;
    case 1: b = b << 1 ^ p[at + 1]; break;
    case 2: c = at; break;
    case 3: d += code; break;
    case 4: e = e * 3 + size; break;
    case 5: f = size; break;
    case 6: g ^= code; break;
    default: h++;
    }
    count++;
    at += 1 + (size & 3);
  }
  out[0] = at;
  out[1] = count;
  out[2] = a;
  out[3] = b;
  out[4] = c;
  out[5] = d;
  out[6] = e;
  out[7] = f;
  out[8] = g;
  out[9] = h;
  *len = 40;
}

// Flags alone.
ACIS_HANDLER void seen(ARGS(uint8_t)) {
  _Bool s[12] = {0};
  for (uint32_t i = 0; i < *len; i++)
    for (int k = 0; k < 12; k++)
      s[k] |= (in[i] & 15) == k;
  uint32_t all = 0;
  for (int k = 0; k < 12; k++)
    all = all * 2 + s[k];
  out[0] = all;
  *len = 4;
}

// Of 64 bits, and of a type that is none of the array's elements.
ACIS_HANDLER void moments(ARGS(uint32_t)) {
  uint64_t s[9] = {0};
  _Bool same = 1;
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint64_t x = in[i];
    for (int k = 0; k < 9; k++)
      s[k] += x >> k;
    same = same != (x == 3);
  }
  for (int k = 0; k < 9; k++)
    out[k] = (uint32_t)(s[k] ^ s[k] >> 32) + same;
  *len = 36;
}
