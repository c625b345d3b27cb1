// Reads of which one is chosen by a condition: of two arrays, of an array and the memory, of two
// places of the memory, of one array. The compiler must not make one read of an unknown place.
// RUN: acisc --config=%overlays/u280.json %s -o %t.acis 2>&1 | FileCheck %s
// RUN: acisc --config=%overlays/u280.json %s --emit=dfg -o - | FileCheck %s --check-prefix=READS
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: %compare --handler arrays --packet-bytes 512 --in %t.word --mem %t.float %t.acis
// RUN: %compare --handler either --packet-bytes 512 --in %t.word --mem %t.float %t.acis
// RUN: %compare --handler places --packet-bytes 512 --in %t.word --mem %t.float %t.acis
// RUN: %compare --handler elements --packet-bytes 512 --in %t.word --mem %t.float %t.acis
#include <acis.h>

#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint32_t *restrict in, uint32_t *restrict out,                      \
                         const uint32_t *restrict mem, uint32_t *len)
#define EACH for (uint32_t i = 0; i < *len / 4; i++)
static uint32_t a[8], b[8];

HANDLER(arrays) {
  EACH {
    a[i & 7] += in[i];
    b[in[i] & 7] ^= in[i];
    out[i] = in[i] > 100 ? a[i & 7] : b[i & 7];
  }
}

HANDLER(either) {
  EACH {
    a[in[i] & 7] += in[i];
    // CHECK: :[[#@LINE+1]]:{{.*}} warning: memory is read also where the condition does not hold
    out[i] = in[i] > 100 ? mem[i] : a[i & 7];
  }
}

HANDLER(places) {
  EACH out[i] = in[i] > 100 ? mem[i] : mem[i + 100];
}

// One read is enough here.
// READS-LABEL: dfg.handler @elements
// READS: dfg.compute select
// READS: dfg.vrf.read
// READS-NEXT: dfg.stream.write
HANDLER(elements) {
  static uint32_t table[16];
  EACH {
    out[i] = in[i] > 100 ? table[i & 15] : table[in[i] & 15];
    table[in[i] >> 3 & 15] += in[i];
  }
}
