// A launch counts to 2^32 - 1. A loop that would run more often traps; one that is known
// not to needs no instructions for that.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: printf '\0\0\0\0\0\0\0\0' > %t.in
// RUN: not acis-run %t.acis --config %overlays/u280-full.json --handler wraps --in %t.in --out %t.out --engine fast 2>&1 | FileCheck %s --check-prefix=TRAP
// RUN: not acis-run %t.acis --config %overlays/u280-full.json --handler wraps --in %t.in --out %t.out --engine model 2>&1 | FileCheck %s --check-prefix=TRAP
// RUN: acis-run %t.acis --config %overlays/u280-full.json --handler entered --in %t.in --out %t.out --engine model
// RUN: acisc --config=%overlays/u280-full.json %s -S -o - | FileCheck %s
#include <acis.h>
#define ARGS                                                                                       \
  const int32_t *restrict in, int32_t *restrict out, const int32_t *restrict mem, uint32_t *len

// CHECK-LABEL: wraps:
// CHECK:         sltiu
// CHECK:         acis.launch
ACIS_HANDLER void wraps(ARGS) {
  uint32_t n = in[0], i = 0;
  do {
    out[i] = in[i + 1];
    i++;
    // TRAP: trip-counts.c:[[#@LINE-3]]: trap
  } while (i != n);
}

// CHECK-LABEL: entered:
// CHECK-NOT:     sltiu
// CHECK:         acis.launch
ACIS_HANDLER void entered(ARGS) {
  uint32_t n = in[0];
  for (uint32_t i = 0; i != n; i++)
    out[i] = in[i + 1];
}

// CHECK-LABEL: difference:
// CHECK-NOT:     sltiu
// CHECK:         acis.launch
ACIS_HANDLER void difference(ARGS) {
  int32_t n = in[0], start = in[1];
  for (int32_t i = start; i < n; i++)
    out[i - start] = in[i - start + 2];
}

// CHECK-LABEL: wide:
// CHECK:         acis.launch
ACIS_HANDLER void wide(ARGS) {
  uint64_t n = *len;
  for (uint64_t i = 0; i < n / 4; i++)
    out[i] = in[i];
}
