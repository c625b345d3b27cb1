// A static array that several handlers use has one place: PE, registers, width.
// RUN: acisc --config=%overlays/u280-full.json %s -S -o - | grep '^\s*#' | FileCheck %s
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: acis-objdump --config %overlays/u280-full.json %t.acis
#include <acis.h>
#define ARGS                                                                                       \
  const int32_t *restrict in, int32_t *restrict out, const int32_t *restrict mem, uint32_t *len

static int32_t own[256][16]; // comes first in its handler
static int32_t table[64][16];
ACIS_PER_VPE static int32_t large[ACIS_VPES][512][16];
ACIS_PER_VPE static int32_t slices[ACIS_VPES][64][16];

// CHECK:      acis.nest.writer.k0
// CHECK:        pe 15:
// CHECK-NEXT:     @0: beats [[TABLE:[0-9]+]] + [0, 64)
ACIS_HANDLER void writer(ARGS) {
  for (uint32_t i = 0; i < 64; i++)
    for (uint32_t l = 0; l < 16; l++) {
      own[i][l] = in[i * 16 + l] + 1;
      table[i][l] = in[i * 16 + l];
    }
  for (uint32_t l = 0; l < 16; l++)
    out[l] = own[63][l];
}

// CHECK:      acis.nest.reader.k0
// CHECK:        pe 15:
// CHECK-NEXT:     @0: beats [[TABLE]] + [0, 64)
ACIS_HANDLER void reader(ARGS) {
  for (uint32_t i = 0; i < 64; i++)
    for (uint32_t l = 0; l < 16; l++)
      out[i * 16 + l] = table[i][l] + in[i * 16 + l];
}

// The larger array would be placed first.
// CHECK:      acis.nest.accumulate.k0
// CHECK:        pe 0:
// CHECK-DAG:      beats [[SLICES:[0-9]+]] + [0, 64)
// CHECK-DAG:      beats {{[0-9]+}} + [0, 512)
// CHECK:        pe 1:
ACIS_HANDLER void accumulate(ARGS) {
  for (uint32_t i = 0; i < 64; i++)
    for (uint32_t p = 0; p < ACIS_VPES; p++)
      for (uint32_t l = 0; l < 16; l++) {
        slices[p][i][l] += in[i * 16 + l];
        large[p][i][l] += 1;
      }
}

// CHECK:      acis.nest.drain.k0
// CHECK:        pe 0:
// CHECK-NEXT:     @0: beats [[SLICES]] + [0, 64)
ACIS_HANDLER void drain(ARGS) {
  for (uint32_t i = 0; i < 64; i++)
    for (uint32_t l = 0; l < 16; l++) {
      int32_t s = 0;
      for (uint32_t p = 0; p < ACIS_VPES; p++)
        s += slices[p][i][l];
      out[i * 16 + l] = s;
    }
}

// Lanes of 64 bits in one handler are that in the other, too: 8 elements to a beat.
static int32_t mixed[64][16];
// CHECK:      acis.nest.narrow.k0
// CHECK:        64-bit lanes
// CHECK:        beats [[MIXED:[0-9]+]] + [0, 128)
ACIS_HANDLER void narrow(ARGS) {
  for (uint32_t i = 0; i < 64; i++)
    for (uint32_t l = 0; l < 16; l++)
      mixed[i][l] = in[i * 16 + l];
}

// CHECK:      acis.nest.wide.k0
// CHECK:        64-bit lanes
// CHECK:        beats [[MIXED]] + [0, 128)
ACIS_HANDLER void wide(const int64_t *restrict in, int64_t *restrict out,
                       const int64_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < 64; i++)
    for (uint32_t l = 0; l < 16; l++)
      out[i * 16 + l] = in[i * 16 + l] + mixed[i][l];
}
