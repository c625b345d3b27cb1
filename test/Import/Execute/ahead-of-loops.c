// A word of one way through an iteration is not read in front of a loop of another way, which reads
// earlier words; behind all that loops read it is no matter.
// RUN: acisc --config=%overlays/u280-full.json --scalar-loops %s -o %t.acis
// RUN: acisc --config=%overlays/mesh4x4.json --scalar-loops %s -o %t.mesh
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "import random; r = random.Random(5); open('%t.in', 'wb').write(bytes(r.randrange(256) for i in range(9600)))"
// RUN: %compare --handler rows --in %t.in --packet-bytes 192 %t.acis
// RUN: %compare --handler rows --in %t.in --packet-bytes 960 %t.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --handler rows --in %t.in --packet-bytes 192 %t.mesh
#include <acis.h>
#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint8_t *restrict in, uint64_t *restrict out,                       \
                         const uint8_t *restrict mem, uint32_t *len)

HANDLER(rows) {
  for (uint32_t r = 0; r < *len / 96; r++) {
    const uint8_t *p = in + 96 * r;
    int32_t h0 = *(const int16_t *)(p + 4), h1 = 10, h2 = 3;
    if (10 <= h0) {
      for (uint32_t i = 0; i < 2; i++)
        h2 = (int32_t)((uint32_t)h2 + *(const uint32_t *)(p + 28 + 4 * i));
      h1 = (int32_t) * (const int64_t *)(p + 8);
      for (uint32_t i = 0; i < ((uint32_t)h1 & 3); i++)
        h1 = (int32_t)((uint32_t)h1 + *(const uint32_t *)(p + 40 + 4 * i));
    } else {
      h0 = (int32_t)((uint32_t)h0 + *(const uint32_t *)(p + 52)) ^ *(const int16_t *)(p + 14);
    }
    h2 ^= (int16_t) * (const int64_t *)(p + 8);
    out[r] = (uint64_t)h0 + 3 * (uint64_t)h1 + 7 * (uint64_t)h2;
  }
  *len = *len / 96 * 8;
}
