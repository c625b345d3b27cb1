// Loops that come to the same graph are one, launched from several places: of a function that a handler calls more
// than once there is one loop in the array, and one array of those that are not in use at the same time.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis --report > %t.report 2>&1
// RUN: FileCheck %s --input-file=%t.report
// RUN: acisc --config=%overlays/u280-full.json %s --stop-after=import -o %t.mlir
// RUN: FileCheck %s --check-prefix=DFG --input-file=%t.mlir
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "open('%t.in', 'wb').write(bytes(i * 37 % 251 for i in range(1280)))"
// RUN: %compare --handler digest --in %t.in --packet-bytes 128 %t.acis
// RUN: %compare --handler digest --in %t.in --packet-bytes 640 %t.acis
// RUN: %compare --handler both --in %t.in --packet-bytes 128 %t.acis
// RUN: %compare --handler kept --in %t.in --packet-bytes 128 %t.acis
// RUN: %compare --handler turns --in %t.in --packet-bytes 256 %t.acis
// RUN: %compare --handler swapped --in %t.in --packet-bytes 128 %t.acis
// RUN: %compare --handler apart --in %t.in --packet-bytes 128 %t.acis
#include <acis.h>
#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint32_t *restrict in, uint32_t *restrict out,                      \
                         const uint32_t *restrict mem, uint32_t *len)

static void expand(const uint32_t *block, uint32_t *w) {
#pragma nounroll
  for (int i = 0; i < 16; i++)
    w[i] = block[i];
#pragma nounroll
  for (int i = 16; i < 64; i++)
    w[i] = (w[i - 2] >> 3 ^ w[i - 2] << 29) + w[i - 7] + (w[i - 15] ^ w[i - 16]);
}

static uint32_t mix(const uint32_t *block, uint32_t h) {
  uint32_t w[64];
  expand(block, w);
#pragma nounroll
  for (int i = 0; i < 64; i++)
    h = (h << 5 | h >> 27) + (w[i] ^ h);
  return h;
}

static void take(const uint32_t *in, uint32_t *block) {
#pragma nounroll
  for (int i = 0; i < 16; i++)
    block[i] = in[i];
}

// Two calls behind one another: the loops of the second are those of the first.
// CHECK: digest.k0 {{.*}}shared-nests.c:[[#]]
// CHECK: digest.k1
// CHECK: digest.k2
// CHECK: digest.k3
// CHECK-NOT: digest.k
// DFG-LABEL: dfg.handler @digest
// DFG-COUNT-2: dfg.array
// DFG-NOT: dfg.array
// DFG-COUNT-4: dfg.nest
// DFG-NOT: dfg.nest
HANDLER(digest) {
  uint32_t block[16];
  take(in, block);
  uint32_t h = mix(block, *len);
  out[0] = h;
  out[1] = mix(block, ~h);
  *len = 8;
}

// Both arrays are in use at the end: the loops are two, and the arrays, too.
// DFG-LABEL: dfg.handler @both
// DFG-COUNT-3: dfg.array
// DFG-NOT: dfg.array
HANDLER(both) {
  uint32_t block[16], first[64], second[64];
  take(in, block);
  expand(block, first);
#pragma nounroll
  for (int i = 0; i < 16; i++)
    block[i] = first[63 - i];
  expand(block, second);
#pragma nounroll
  for (int i = 0; i < 64; i++)
    out[i] = first[i] - second[63 - i];
  *len = 256;
}

// What is kept from one packet to the next is no other array.
// DFG-LABEL: dfg.handler @kept
// DFG-COUNT-2: dfg.array {{.*}}persistent
HANDLER(kept) {
  static uint32_t odd[16], even[16];
#pragma nounroll
  for (int i = 0; i < 16; i++)
    odd[i] += in[i];
#pragma nounroll
  for (int i = 0; i < 16; i++)
    even[i] += in[i + 16];
#pragma nounroll
  for (int i = 0; i < 16; i++)
    out[i] = odd[i] ^ even[i];
  *len = 64;
}

// A loop over blocks, then the rest: what is called in the loop and behind it is one.
// DFG-LABEL: dfg.handler @turns
HANDLER(turns) {
  uint32_t n = *len / 4, h = 1, block[16], last[16];
  uint32_t i = 0;
  for (; i + 16 <= n; i += 16) {
    take(in + i, block);
    h = mix(block, h);
  }
#pragma nounroll
  for (uint32_t k = 0; k < 16; k++)
    last[k] = k < 14 ? 0x80 + k : n;
  out[0] = mix(last, h);
  *len = 4;
}

// The second call reads what the first has written, and writes what the first has read.
HANDLER(swapped) {
  uint32_t a[64], b[64];
  take(in, a);
  expand(a, b);
#pragma nounroll
  for (int i = 0; i < 16; i++)
    b[i] ^= b[63 - i];
  expand(b, a);
#pragma nounroll
  for (int i = 0; i < 64; i++)
    out[i] = a[i];
  *len = 256;
}

// Of other lengths, and of other numbers: no two are the same.
// CHECK: apart.k0
// CHECK: apart.k1
// CHECK: apart.k2
HANDLER(apart) {
  uint32_t a[16];
  take(in, a);
#pragma nounroll
  for (int i = 0; i < 15; i++)
    a[i] = a[i] * 3 + a[i + 1];
#pragma nounroll
  for (int i = 0; i < 14; i++)
    a[i] = a[i] * 3 + a[i + 1];
#pragma nounroll
  for (int i = 0; i < 14; i++)
    a[i] = a[i] * 5 + a[i + 1];
#pragma nounroll
  for (int i = 0; i < 16; i++)
    out[i] = a[i];
  *len = 64;
}
