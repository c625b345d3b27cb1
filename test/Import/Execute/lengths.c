// The packet's length is a variable like any other: read in loops, after it was written, and written in loops.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis --report > %t.report 2>&1
// RUN: FileCheck %s --input-file=%t.report --implicit-check-not=scalar --implicit-check-not=warning
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "open('%t.in', 'wb').write(bytes(i * 37 % 251 for i in range(2400)))"
// RUN: %compare --handler tagged --in %t.in --packet-bytes 60 %t.acis
// RUN: %compare --handler tagged --in %t.in --packet-bytes 400 %t.acis
// RUN: %compare --handler shortened --in %t.in --packet-bytes 48 %t.acis
// RUN: %compare --handler shortened --in %t.in --packet-bytes 400 %t.acis
// RUN: %compare --handler lengthened --in %t.in --packet-bytes 48 %t.acis
// RUN: %compare --handler chosen --in %t.in --packet-bytes 24 %t.acis
// RUN: %compare --handler chosen --in %t.in --packet-bytes 240 %t.acis
// RUN: %compare --handler copied --in %t.in --packet-bytes 160 %t.acis
// RUN: %compare --handler copied --in %t.in --packet-bytes 40 %t.acis
#include <acis.h>
#define HANDLER(name, type)                                                                        \
  ACIS_HANDLER void name(const type *restrict in, type *restrict out, const type *restrict mem,    \
                         uint32_t *len)

// Through a cursor, of which LLVM does not see that it is not into the length.
// CHECK: tagged.k0
HANDLER(tagged, uint8_t) {
  uint8_t *o = out;
  for (int i = 0; i < 12; i++)
    *o++ = in[i];
  *o++ = 0x81;
  *o++ = 0;
  for (uint32_t i = 12; i < *len; i++)
    *o++ = in[i];
  *len = o - out;
}

// Read after it was written.
// CHECK: shortened.k0
HANDLER(shortened, uint32_t) {
  if (*len > 100)
    *len = 100;
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = in[i] ^ *len;
}

// Written in a loop, of which only the last value counts.
// CHECK: lengthened.k0
HANDLER(lengthened, uint32_t) {
  uint32_t n = *len / 4;
  *len = 0;
  for (uint32_t i = 0; i < n; i++) {
    out[i] = in[i] + 1;
    *len += 4;
  }
}

// Written under a condition of data, in a loop.
// CHECK: chosen.k0
HANDLER(chosen, uint32_t) {
  uint32_t n = *len / 4, sent = 0;
  *len = 0;
  for (uint32_t i = 0; i < n; i++)
    if (in[i] & 64) {
      out[sent++] = in[i];
      *len += 4;
    }
}

// Copies of as many elements as the packet says.
HANDLER(copied, uint32_t) {
  uint32_t a[40], n = *len / 4, k = in[0] % 9;
  __builtin_memcpy(a, in + 1, (n - 1) * 4);
  __builtin_memcpy(out, a + k, (n - 1 - k) * 4);
  *len = (n - 1 - k) * 4;
}
