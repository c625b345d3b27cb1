// A handler that sends less than it gets and does not write *len: acis-compare says why the
// native code seems to send more. With the length written both are equal.
// RUN: rm -rf %t && mkdir %t && %python -c "open('%t/in.bin', 'wb').write(bytes(range(128)))"
// RUN: acisc %s --config=%overlays/tiny.json -o %t/a.acis
// RUN: %host_cc -O1 -shared -fPIC -I%src_root/compiler/frontend/include %s -o %t/a.so
// RUN: not acis-compare %t/a.acis --config=%overlays/tiny.json --native=%t/a.so --handler=half --in=%t/in.bin 2>&1 | FileCheck %s
// RUN: acisc %s --config=%overlays/tiny.json -DLENGTH -o %t/b.acis
// RUN: %host_cc -O1 -DLENGTH -shared -fPIC -I%src_root/compiler/frontend/include %s -o %t/b.so
// RUN: acis-compare %t/b.acis --config=%overlays/tiny.json --native=%t/b.so --handler=half --in=%t/in.bin
// CHECK: error: engine fast: packet 0 has 64 bytes, the native handler's 128; the handler does not write *len
#include <acis.h>

ACIS_HANDLER void half(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  (void)mem;
  uint32_t n = *len / 8;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[2 * i] + in[2 * i + 1];
#ifdef LENGTH
  *len = n * 4;
#endif
}
