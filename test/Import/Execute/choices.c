// Reads and writes of which one is chosen by a condition: of two arrays, of an array and the memory,
// of two places of the memory, of one array. The compiler must not make one of an unknown place.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis 2>&1 | FileCheck %s
// RUN: acisc --config=%overlays/u280-full.json %s --emit=dfg -o - | FileCheck %s --check-prefix=READS
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: %compare --handler arrays --packet-bytes 512 --in %t.word --mem %t.float %t.acis
// RUN: %compare --handler either --packet-bytes 512 --in %t.word --mem %t.float %t.acis
// RUN: %compare --handler places --packet-bytes 512 --in %t.word --mem %t.float %t.acis
// RUN: %compare --handler elements --packet-bytes 512 --in %t.word --mem %t.float %t.acis
// RUN: %compare --handler writes --packet-bytes 512 --in %t.word --mem %t.float %t.acis
// RUN: %compare --handler votes --packet-bytes 512 --in %t.word --mem %t.float %t.acis
// RUN: %compare --handler nearest --packet-bytes 512 --in %t.word --mem %t.float %t.acis
// RUN: %compare --handler merged --packet-bytes 256 --in %t.word --mem %t.float %t.acis
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

HANDLER(writes) {
  static uint32_t odd[64], even[64];
  EACH {
    uint32_t v = in[i];
    if (v & 1)
      odd[v >> 5 & 63] = v;
    else
      even[v >> 5 & 63] = v;
    out[i] = odd[v >> 9 & 63] + even[v >> 13 & 63];
  }
}

// Where the largest element is: a choice of positions, not of elements.
HANDLER(votes) {
  EACH {
    uint32_t count[3] = {0, 0, 0}, best = 0;
    for (int k = 0; k < 5; k++)
      count[(in[i] >> 6 * k) % 3]++;
    for (uint32_t c = 1; c < 3; c++)
      if (count[c] > count[best])
        best = c;
    out[i] = best;
  }
}

// A choice of sums, of joins of ways and of rows, in elements of eight bytes.
HANDLER(nearest) {
  int64_t rows[4][8];
  for (uint32_t i = 0; i < 32; i++)
    rows[i / 8][i % 8] = 3 * i;
  EACH {
    uint32_t v = in[i], row = v & 1 ? 3 : 1, at = 2;
    if (v & 2)
      at = v & 4 ? 5 : v >> 29;
    rows[row - (v >> 3 & 1)][at] += v;
    out[i] = (uint32_t)rows[row][at];
  }
}

// The two reads of each array have the same place and other conditions; at the end of one of the
// arrays the place is behind it.
HANDLER(merged) {
  uint32_t a[32], b[32];
  if (*len < 256) {
    *len = 0;
    return;
  }
  for (int i = 0; i < 32; i++)
    a[i] = in[i];
  for (int i = 0; i < 32; i++)
    b[i] = in[32 + i];
  int i = 0, j = 0;
  for (int k = 0; k < 64; k++) {
    if (j >= 32 || (i < 32 && a[i] <= b[j]))
      out[k] = a[i++];
    else
      out[k] = b[j++];
  }
  *len = 256;
}
