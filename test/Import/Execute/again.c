// What a loop has read and a later loop reads again is kept in an array, if the array holds it.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: acisc --config=%overlays/mesh4x4.json %s -o %t.mesh
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 2048 %t.word > %t.in
// RUN: %compare --handler scaled --packet-bytes 128 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --handler scaled --packet-bytes 128 --in %t.in %t.mesh
// RUN: %compare --handler scaled --packet-bytes 4 --in %t.in %t.acis
// RUN: %compare --handler scaled --packet-bytes 1024 --in %t.in %t.acis
// RUN: %compare --handler constant --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler header --packet-bytes 128 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --handler header --packet-bytes 128 --in %t.in %t.mesh
// RUN: %compare --handler header --packet-bytes 48 --in %t.in %t.acis
// RUN: %compare --handler header --packet-bytes 16 --in %t.in %t.acis
// RUN: %compare --handler thrice --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler pairs --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler frames --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler three_rows --packet-bytes 256 --in %t.in %t.acis
// RUN: %compare --handler maybe --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler maybe --packet-bytes 12 --in %t.in %t.acis
// RUN: %compare --handler bytes --packet-bytes 128 --in %t.in %t.acis
// RUN: acisc --config=%overlays/u280-full.json -DTRAILER %s -o %t.trailer 2>&1 | FileCheck %s --check-prefix=TRAILER
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include -DTRAILER %s -o %t.trailer.so
// RUN: acis-compare --config %overlays/u280-full.json --native %t.trailer.so --output-bytes 100000 --handler trailer --packet-bytes 512 --in %t.in %t.trailer
// RUN: %compare --handler single --packet-bytes 128 --in %t.in %t.acis
// RUN: acisc --config=%overlays/u280-full.json -DUNBOUNDED %s -o %t.unbounded 2>&1 | FileCheck %s --check-prefix=UNBOUNDED
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include -DUNBOUNDED %s -o %t.unbounded.so
// RUN: acis-compare --config %overlays/u280-full.json --native %t.unbounded.so --output-bytes 100000 --handler unbounded --packet-bytes 512 --in %t.in %t.unbounded
#include <acis.h>
#include <string.h>
#define HANDLER(name, type)                                                                        \
  ACIS_HANDLER void name(const type *restrict in, type *restrict out, const type *restrict mem,    \
                         uint32_t *len)

// Both loops have the count of the packet, which is bounded.
HANDLER(scaled, uint32_t) {
  uint32_t n = *len / 4, sum = 0;
  if (n > 200) {
    *len = 0;
    return;
  }
  for (uint32_t i = 0; i < n; i++)
    sum += in[i];
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] * 3 + sum;
}

// The first loop has read more than the second one takes, which takes two words each time.
HANDLER(constant, uint32_t) {
  uint32_t most = 0;
  for (int i = 0; i < 32; i++)
    most = in[i] > most ? in[i] : most;
  for (int i = 2; i < 30; i++)
    out[i - 2] = in[i] + in[i + 1] * most;
  *len = 28 * 4;
}

// The second loop begins in what the first one has read, and goes on with the packet, if there is more.
HANDLER(header, uint32_t) {
  uint32_t n = *len / 4, hash = 7;
  if (n < 4) {
    *len = 0;
    return;
  }
  const uint32_t words = n < 12 ? n : 12;
  for (uint32_t i = 0; i < words; i++)
    hash = hash * 31 + in[i];
  for (uint32_t i = 3; i < n; i++)
    out[i - 3] = in[i] ^ hash;
  *len = (n - 3) * 4;
}

HANDLER(thrice, uint32_t) {
  uint32_t sum = 0, squares = 0;
  for (int i = 0; i < 16; i++)
    sum += in[i];
  for (int i = 0; i < 16; i++)
    squares += in[i] * in[i] - sum;
  for (int i = 0; i < 16; i++)
    out[i] = in[i] ^ squares;
  *len = 64;
}

// Two words in each iteration of the first loop.
HANDLER(pairs, uint32_t) {
  uint32_t sum = 1;
  for (int i = 0; i < 8; i++)
    sum = sum * 3 + in[2 * i] * in[2 * i + 1];
  for (int i = 0; i < 16; i++)
    out[i] = in[i] + sum;
  *len = 64;
}

// In each iteration of a loop around both, anew.
HANDLER(frames, uint32_t) {
  uint32_t n = *len / 4, o = 0;
  for (uint32_t f = 0; f + 8 <= n; f += 8) {
    uint32_t sum = f;
    for (uint32_t i = 0; i < 8; i++)
      sum = sum * 5 + in[f + i];
    for (uint32_t i = 0; i < 8; i++)
      out[o++] = in[f + i] + sum;
  }
  *len = o * 4;
}

// Rows of as many words as there are lanes, of which an iteration reads three: they are not launched one by one.
HANDLER(three_rows, uint32_t) {
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 16; c++)
      out[16 * r + c] = in[16 * r + c] + in[16 * r + 16 + c] * 3 + in[16 * r + 32 + c] * 5;
  *len = 128;
}

// Whether the first loop runs is known when the handler runs.
HANDLER(maybe, uint32_t) {
  uint32_t n = *len / 4, sum = 0;
  if (n > 8)
    for (int i = 0; i < 8; i++)
      sum += in[i];
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] - sum;
}

HANDLER(bytes, uint8_t) {
  uint32_t n = *len, hash = 0;
  if (n < 20) {
    *len = 0;
    return;
  }
  for (int i = 0; i < 12; i++)
    hash = hash * 31 + in[i];
  if (hash & 1) {
    *len = 0;
    return;
  }
  memcpy(out, in, n);
}

#ifdef UNBOUNDED
HANDLER(unbounded, uint32_t) {
  uint32_t n = *len / 4, sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += in[i];
  for (uint32_t i = 0; i < n; i++)
    // UNBOUNDED: again.c:[[#@LINE+1]]:{{[0-9]+}}: warning: the stream may have passed what this reads, so the packet is kept in an array of 65536 bytes; a longer one traps
    out[i] = in[i] / (sum | 1);
}
#endif

// A loop that may end early does not say how far it has read: 16 words of the packet are kept.
HANDLER(single, uint32_t) {
  uint32_t k;
  for (k = 0; k < 16; k++)
    if (in[k] == 77)
      break;
  out[0] = in[0] + k;
  *len = 4;
}

#ifdef TRAILER
// The last word first, then all of them.
HANDLER(trailer, uint32_t) {
  uint32_t n = *len / 4, sum = 0;
  if (n < 2) {
    *len = 0;
    return;
  }
  const uint32_t expected = in[n - 1];
  for (uint32_t i = 0; i < n - 1; i++)
    // TRAILER: again.c:[[#@LINE+1]]:{{[0-9]+}}: warning: the stream may have passed what this reads, so the packet is kept in an array of 65536 bytes; a longer one traps
    sum += in[i];
  out[0] = sum == expected;
  *len = 4;
}
#endif
