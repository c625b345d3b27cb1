// Rows that are copied in a loop around the nest that reads them: each block has its own. On a small
// overlay, where a block does not fit one nest.
// RUN: acisc --config=%overlays/tiny.json %s --scalar-loops -o %t.acis
// RUN: acisc --config=%overlays/tiny.json %s --scalar-loops --emit=dfg -o - | FileCheck %s
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: acis-compare --config %overlays/tiny.json --native %t.so --handler blocks --in %t.word.in \
// RUN:   --mem %t.word.mem %t.acis
// RUN: %python -c "open('%t.again.in', 'wb').write(open('%t.float.in', 'rb').read(3200))"
// RUN: acis-compare --config %overlays/tiny.json --native %t.so --handler again \
// RUN:   --in %t.again.in --packet-bytes 640 %t.acis
#include <acis.h>

// The copy begins where the block does.
// CHECK:      dfg.nest @k0([[FIRST:%.*]]: i32)
// CHECK-NEXT:   dfg.loop %element to 128
// CHECK-NEXT:     dfg.stream.read [%element * 4 + [[FIRST]]]
ACIS_HANDLER void blocks(const int32_t *restrict in, int32_t *restrict out,
                         const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t b = 0; b < 5; b++)
    for (uint32_t c = 0; c < 16; c++)
      for (uint32_t r = 0; r < 8; r++)
        out[b * 128 + c * 8 + r] = in[b * 128 + r * 16 + c] + 1;
  *len = 2560;
}

// A column alone is no nest that owns its rows: the next one is read from the same. All of them are.
ACIS_HANDLER void again(const float *restrict in, float *restrict out,
                        const float *restrict mem, uint32_t *len) {
  for (uint32_t b = 0; b < 5; b++)
    for (uint32_t c = 0; c < 4; c++)
      for (uint32_t r = 0; r < 8; r++) {
        float x = in[b * 32 + r * 4 + c];
        float y = (1.0f >= x ? 1.0f : x) > x ? __builtin_fabsf(x) + (x + x)
                  : 2.5f > x                 ? x * x
                                             : x - x;
        out[b * 32 + c * 8 + r] = y == y ? y : 0;
      }
  *len = 640;
}
