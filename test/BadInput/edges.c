// Unusual, but no mistakes: loops without iterations, packets that are no multiple of an
// element or of a beat, division by zero. Both engines give the same bytes.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: acisc %s --config=u280-full.json -o edges.acis
// RUN: %python %S/Inputs/edges.py edges.acis u280-full.json
#include <acis.h>
#define ARGS                                                                                       \
  const int32_t *restrict in, int32_t *restrict out, const int32_t *restrict mem, uint32_t *len

ACIS_HANDLER void add(ARGS) {
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = in[i] + 1;
}

ACIS_HANDLER void counted(ARGS) {
  uint32_t n = in[0];
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i + 1] + 1;
}

// As the RISC-V ISA defines it: -1; the least integer by -1 is itself.
ACIS_HANDLER void divide(ARGS) {
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = in[i] / (int32_t)(i % 3 - 1);
}

ACIS_HANDLER void divideScalar(ARGS) { out[0] = in[0] / in[1]; }

ACIS_HANDLER void nothing(ARGS) {}
