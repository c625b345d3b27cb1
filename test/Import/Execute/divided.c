// A loop that reads the packet in its first iterations alone, or in its last ones, is two loops: no iteration of
// either asks whether the stream has the word, and the array runs both.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis --report > %t.report 2>&1
// RUN: FileCheck %s --input-file=%t.report --implicit-check-not=scalar --implicit-check-not=warning
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "open('%t.in', 'wb').write(bytes(i * 37 % 251 for i in range(2400)))"
// RUN: %compare --handler padded --in %t.in --packet-bytes 40 %t.acis
// RUN: %compare --handler padded --in %t.in --packet-bytes 800 %t.acis
// RUN: %compare --handler kept --in %t.in --packet-bytes 40 %t.acis
// RUN: %compare --handler kept --in %t.in --packet-bytes 256 %t.acis
// RUN: %compare --handler behind --in %t.in --packet-bytes 4 %t.acis
// RUN: %compare --handler behind --in %t.in --packet-bytes 240 %t.acis
// RUN: %compare --handler closed --in %t.in --packet-bytes 24 %t.acis
// RUN: %compare --handler closed --in %t.in --packet-bytes 400 %t.acis
// RUN: %compare --handler ahead --in %t.in --packet-bytes 4 %t.acis
// RUN: %compare --handler ahead --in %t.in --packet-bytes 120 %t.acis
// RUN: %compare --handler turns --in %t.in --packet-bytes 16 %t.acis
// RUN: %compare --handler turns --in %t.in --packet-bytes 600 %t.acis
#include <acis.h>
#define HANDLER(name, type)                                                                        \
  ACIS_HANDLER void name(const type *restrict in, type *restrict out, const type *restrict mem,    \
                         uint32_t *len)

// CHECK: padded.k0 {{.*}}16 lanes of 32 bits
// CHECK: padded.k1 {{.*}}16 lanes of 32 bits
HANDLER(padded, uint32_t) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < 64; i++)
    out[i] = i < n ? in[i] + 1 : i;
  *len = 256;
}

// What the first loop carries the second one goes on with.
// CHECK: kept.k0
// CHECK: kept.k1
HANDLER(kept, uint32_t) {
  uint32_t n = *len / 4, last = 0;
  for (uint32_t i = 0; i < 64; i++) {
    if (i < n)
      last += in[i];
    out[i] = last * 3;
  }
  *len = 256;
}

// CHECK: behind.k0 {{.*}}16 lanes of 32 bits
// CHECK: behind.k1 {{.*}}16 lanes of 32 bits
HANDLER(behind, uint32_t) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n + 8; i++)
    out[i] = i >= 8 ? in[i - 8] : 0xaa00 + i;
  *len = 4 * n + 32;
}

// CHECK: closed.k0
// CHECK: closed.k1
HANDLER(closed, int16_t) {
  int n = (int)(*len / 2), sum = 0;
  for (int i = 0; i < 100; i++) {
    int v = 0;
    if (i <= n - 1)
      v = in[i];
    sum += v * (i - 50);
    out[i] = (int16_t)(v ^ sum);
  }
  *len = 200;
}

// The last iteration has no word ahead.
// CHECK: ahead.k0
// CHECK: ahead.k1
HANDLER(ahead, int32_t) {
  int n = (int)(*len / 4);
  int32_t before = 0, now = n ? in[0] : 0;
  for (int i = 0; i < n; i++) {
    int32_t next = i + 1 < n ? in[i + 1] : now;
    out[i] = next - before + (now >> 2);
    before = now;
    now = next;
  }
}

// Another turn, of no read, stays a choice.
// CHECK: turns.k0
// CHECK: turns.k1
HANDLER(turns, uint32_t) {
  uint32_t n = *len / 4, sum = 0;
  for (uint32_t i = 0; i < 128; i++) {
    uint32_t x = 0;
    if (i < n) {
      x = in[i];
      if (x & 1)
        sum += x;
    }
    if (i < 8)
      x ^= 0x5a5a;
    out[i] = x + sum;
  }
  *len = 512;
}
