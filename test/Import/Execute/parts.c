// Accesses that stay in parts of an array of their own, whatever the launch's values are, have no order between them.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis --report > %t.report 2>&1
// RUN: FileCheck %s --input-file=%t.report
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "open('%t.in', 'wb').write(bytes(i * 37 % 251 for i in range(2560)))"
// RUN: %compare --handler butterflies --in %t.in --packet-bytes 256 %t.acis
// RUN: %compare --handler overlapping --in %t.in --packet-bytes 256 %t.acis
// RUN: %compare --handler mirrored --in %t.in --packet-bytes 256 %t.acis
// RUN: %compare --handler guarded --in %t.in --packet-bytes 256 %t.acis
// RUN: %compare --handler rows --in %t.in --packet-bytes 256 %t.acis
// RUN: acisc --config=%overlays/u280-full.json %s --stop-after=import | FileCheck %s --check-prefix=PARTS
#include <acis.h>
#define HANDLER(name)                                                                              \
  static uint32_t name##_a[64];                                                                    \
  ACIS_HANDLER void name(const uint32_t *restrict in, uint32_t *restrict out,                      \
                         const uint32_t *restrict mem, uint32_t *len)
#define READ(a)                                                                                    \
  for (int i = 0; i < 64; i++)                                                                     \
  a[i] = in[i]
#define WRITE(a)                                                                                   \
  for (int i = 0; i < 64; i++)                                                                     \
  out[i] = a[i]

// Halves of a block: the second one starts where the first one ends.
// CHECK: butterflies.k1 {{.*}}loop mapped: II 2,
// PARTS-LABEL: @butterflies
// PARTS: vrf.read {{.*}}part = [[LOW:1|2]]
// PARTS: vrf.write {{.*}}part = [[LOW]]
HANDLER(butterflies) {
  READ(butterflies_a);
  for (int h = 1; h < 64; h *= 2)
    for (int i = 0; i < 64; i += 2 * h)
      for (int j = 0; j < h; j++) {
        uint32_t u = butterflies_a[i + j], v = butterflies_a[i + j + h] * (uint32_t)(49 + h);
        butterflies_a[i + j] = u + v;
        butterflies_a[i + j + h] = u - v;
      }
  WRITE(butterflies_a);
}

// The last of the first part is the first of the second one.
// PARTS-LABEL: @overlapping
// PARTS-NOT: part =
HANDLER(overlapping) {
  READ(overlapping_a);
  for (int h = 2; h < 32; h += 3)
    for (int j = 0; j < h; j++) {
      uint32_t u = overlapping_a[j], v = overlapping_a[j + h - 1];
      overlapping_a[j] = u + 3 * v;
      overlapping_a[j + h - 1] = u - v;
    }
  WRITE(overlapping_a);
}

// From both ends to the middle.
// CHECK: mirrored.k1 {{.*}}loop mapped: II 2,
// PARTS-LABEL: @mirrored
// PARTS: vrf.read {{.*}}part =
HANDLER(mirrored) {
  READ(mirrored_a);
  for (int h = 1; h < 32; h *= 2)
    for (int j = 0; j < h; j++) {
      uint32_t low = mirrored_a[j], high = mirrored_a[2 * h - 1 - j];
      mirrored_a[j] = high + 1;
      mirrored_a[2 * h - 1 - j] = low * 5;
    }
  WRITE(mirrored_a);
}

// Iterations that access nothing go further than the array.
// PARTS-LABEL: @guarded
// PARTS-NOT: part =
HANDLER(guarded) {
  READ(guarded_a);
  uint32_t most = guarded_a[63];
  for (uint32_t h = 1; h < 16; h *= 2)
    for (uint32_t j = 0; j < 40; j++)
      if (j + h < (most & 31)) {
        uint32_t u = guarded_a[j];
        guarded_a[j] = u + guarded_a[j + h];
        guarded_a[j + h] = u;
      }
  WRITE(guarded_a);
}

// A row that data chooses, behind the first one.
// CHECK: rows.k1 {{.*}}loop mapped: II 2,
// PARTS-LABEL: @rows
// PARTS: vrf.read {{.*}}part =
HANDLER(rows) {
  READ(rows_a);
  const uint32_t to = 8 + (rows_a[63] & 3) * 8;
  for (uint32_t j = 0; j < 7; j++) {
    uint32_t v = rows_a[j] + rows_a[to + j];
    rows_a[to + j] = v;
    rows_a[j] ^= v;
  }
  WRITE(rows_a);
}
