// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// An array is also accessed by another type than its own: a header as bytes and as fields, numbers
// as their bits and bytes.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -fno-strict-aliasing -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler header --packet-bytes 80 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler rewritten --packet-bytes 80 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler bits --packet-bytes 80 --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler parts --packet-bytes 80 --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler block --packet-bytes 75 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler walked --packet-bytes 80 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler moved --packet-bytes 80 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler rows --packet-bytes 320 --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler colours --packet-bytes 75 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: not acisc --config=u280.json -DPART %s -o %t.none.acis 2>&1 | FileCheck %s
// CHECK: words.c:[[#]]:{{[0-9]+}}: error: array 'both' is accessed with another type than its elements have
#include <acis.h>
#include <string.h>
struct __attribute__((packed)) Header {
  uint8_t version, service;
  uint16_t length, id, fragment;
  uint8_t hops, protocol;
  uint16_t sum;
  uint32_t from, to;
};
#define HANDLER(name, type)                                                                        \
  ACIS_HANDLER void name(const type *restrict in, type *restrict out, type *restrict mem,          \
                         uint32_t *len)

HANDLER(header, uint8_t) {
  uint8_t h[40];
  if (*len < 40) {
    *len = 0;
    return;
  }
  for (int i = 0; i < 40; i++)
    h[i] = in[i];
  const struct Header *p = (const struct Header *)h;
  uint32_t word, behind = (h[0] & 1) * 4u, sum = p->from ^ p->to;
  memcpy(&word, h + 20 + behind, 4);
  *(uint32_t *)(h + 12) = sum + word;
  *(uint16_t *)(h + 10) = p->length;
  for (int i = 0; i < 40; i++)
    out[i] = h[i];
  *len = 40;
}

HANDLER(rewritten, uint8_t) {
  struct Header h;
  uint8_t bytes[sizeof h];
  if (*len < sizeof h) {
    *len = 0;
    return;
  }
  memcpy(&h, in, sizeof h);
  h.hops--;
  h.from = __builtin_bswap32(__builtin_bswap32(h.from) + 1);
  memcpy(bytes, &h, sizeof h);
  for (uint32_t i = 0; i < sizeof h; i++)
    out[i] = bytes[i];
  for (uint32_t i = sizeof h; i < *len; i++)
    out[i] = in[i];
}

HANDLER(bits, float) {
  float a[16];
  uint32_t sum = 0;
  if (*len < 64) {
    *len = 0;
    return;
  }
  for (int i = 0; i < 16; i++)
    a[i] = in[i];
  for (int i = 0; i < 16; i++) {
    uint32_t word;
    memcpy(&word, &a[15 - i], 4);
    sum = sum * 31 + word;
  }
  ((uint32_t *)out)[0] = sum;
  *len = 4;
}

// Data says which byte of which number.
HANDLER(parts, float) {
  float a[16];
  uint32_t sum = 0;
  if (*len < 64) {
    *len = 0;
    return;
  }
  for (int i = 0; i < 16; i++)
    a[i] = in[i];
  for (int i = 0; i < 16; i++)
    sum = sum * 5 + ((const uint8_t *)a)[4 * i + (int)(sum & 3)];
  a[sum & 15] += 1;
  for (int i = 0; i < 16; i++)
    out[i] = a[i];
  ((uint32_t *)out)[16] = sum;
  *len = 68;
}

// A block of a hash: filled byte by byte, as far as the packet goes, used as words, which start from a table.
HANDLER(block, uint8_t) {
  uint32_t words[20] = {1, 0x20304, 3, 5, 8, 13, 0xfffefdfc, 21};
  uint8_t *bytes = (uint8_t *)words;
  uint32_t n = *len < 80 ? *len : 80, sum = 7;
  for (uint32_t i = 0; i < n; i++)
    bytes[i] ^= in[i];
  bytes[n & 63] = 0x80;
  for (int i = 0; i < 20; i++)
    sum = (sum << 5 | sum >> 27) + words[i];
  for (int i = 0; i < 4; i++)
    out[i] = sum >> 8 * i;
  *len = 4;
}

// A pointer that moves through bytes, and takes words.
HANDLER(walked, uint8_t) {
  uint8_t bytes[80];
  uint32_t sum = 1, word;
  if (*len < 80) {
    *len = 0;
    return;
  }
  for (int i = 0; i < 80; i++)
    bytes[i] = in[i];
  const uint8_t *at = bytes;
  for (uint32_t k = 0; k < 9 + (bytes[0] & 7); k++) {
    memcpy(&word, at, 4);
    sum = sum * 3 + word;
    at += 4;
  }
  for (int i = 0; i < 4; i++)
    out[i] = sum >> 8 * i;
  *len = 4;
}

// What is behind a header that is taken out moves to where that was.
HANDLER(moved, uint8_t) {
  uint8_t bytes[80];
  const uint32_t n = *len < 80 ? *len : 80;
  if (n < 16) {
    *len = 0;
    return;
  }
  for (uint32_t i = 0; i < n; i++)
    bytes[i] = in[i];
  memmove(bytes + 12, bytes + 16, n - 16);
  for (uint32_t i = 0; i < n - 4; i++)
    out[i] = bytes[i];
  *len = n - 4;
}

// Copies of whole numbers, from and to pointers that move.
HANDLER(rows, float) {
  float from[60], to[68];
  if (*len < 240) {
    *len = 0;
    return;
  }
  for (int i = 0; i < 60; i++)
    from[i] = in[i];
  for (int i = 0; i < 68; i++)
    to[i] = 0;
  const float *p = from;
  float *o = to;
  for (int k = 0; k < 4; k++) {
    memcpy(o, p, 60);
    o += 17;
    p += 15;
  }
  for (int i = 0; i < 68; i++)
    out[i] = to[i];
  *len = 272;
}

// A record of three bytes: LLVM reads and writes it as one number.
struct colour {
  uint8_t red, green, blue;
};
ACIS_HANDLER void colours(const struct colour *restrict in, struct colour *restrict out,
                          const uint8_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 3, k = 0;
  for (uint32_t i = 0; i < n; i++) {
    struct colour c = in[i];
    if (c.green & 1)
      out[k++] = c;
  }
  *len = 3 * k;
}

#ifdef PART
static uint32_t both[16];
HANDLER(written, uint32_t) {
  for (int i = 0; i < 16; i++)
    both[i] += in[i];
  *len = 0;
}
HANDLER(read, uint32_t) {
  uint32_t sum = 0;
  for (int i = 0; i < 16; i++)
    sum = sum * 3 + ((const uint8_t *)both)[4 * i + (int)(sum & 3)];
  out[0] = sum + in[0];
  *len = 4;
}
#endif
