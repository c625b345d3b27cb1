// An array that a loop of the control code loads anew in each turn gets a second copy, and
// the loop is unrolled once; what would change a result is left as it is, with the reason.
// RUN: acisc %s --config=%overlays/mesh4x4.json --remarks -o %t.acis 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: acisc %s --config=%overlays/mesh4x4.json --emit=dfg -o - | FileCheck %s
// RUN: acisc %s --config=%overlays/mesh4x4.json --no-double-buffer --emit=dfg -o - | FileCheck %s --check-prefix=NONE
// RUN: acisc %s --config=%overlays/mesh4x4.json -DROWS=600 --remarks -o %t.acis 2>&1 | FileCheck %s --check-prefix=ROOM
// RUN: acisc %s --config=%overlays/mesh4x4.json -S -o - | FileCheck %s --check-prefix=ASM
// RUN: %host_cc -O2 -shared -fPIC -ffp-contract=off -I%src_root/compiler/frontend/include %s -o %t.so
// RUN: %python -c "import struct,sys; sys.stdout.buffer.write(struct.pack('<16I', 7, *range(15)))" > %t.in
// RUN: %python -c "import struct,sys; sys.stdout.buffer.write(struct.pack('<20000I', *range(20000)))" > %t.mem
// RUN: acisc %s --config=%overlays/mesh4x4.json -o %t.acis
// DEFINE: %{same} = acis-compare %t.acis --config %overlays/mesh4x4.json --native %t.so --in %t.in --mem %t.mem --output-bytes 4096 --handler
// RUN: %{same} good
// RUN: %{same} partly
// RUN: %{same} changed
// RUN: %{same} early
// RUN: %{same} sometimes
#include <acis.h>
#ifndef ROWS
#define ROWS 40
#endif
#define L ACIS_LANES
#define ARGS const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict mem, uint32_t *len

static uint32_t a[ROWS][L], sum[ROWS][L];
// SAID: [[#@LINE+8]]:5: remark: 'a' has two buffers: a load runs beside what uses the one before
// ROOM: [[#@LINE+7]]:5: remark: 'a' is not double-buffered: the overlay has no room for two of it
ACIS_HANDLER void good(ARGS) {
  uint32_t turns = in[0];
  for (uint32_t r = 0; r < ROWS; r++)
    for (uint32_t l = 0; l < L; l++)
      sum[r][l] = 0;
  for (uint32_t t = 0; t < turns; t++) {
    for (uint32_t r = 0; r < ROWS; r++)
      for (uint32_t l = 0; l < L; l++)
        a[r][l] = mem[(t * ROWS + r) * L + l];
    for (uint32_t r = 0; r < ROWS; r++)
      for (uint32_t l = 0; l < L; l++)
        sum[r][l] += a[r][l];
  }
  for (uint32_t i = 0; i < L; i++) out[i] = sum[ROWS - 1][i];
  *len = L * 4;
}
// The fill and the sum in two versions; the sums are sent once. Their arrays are not in
// the scalar unit's memory.
// CHECK-LABEL: dfg.handler @good
// CHECK:         dfg.array @[[A:.*a]] : i32
// CHECK-NEXT:    dfg.array @[[A]].1 : i32
// CHECK:         dfg.vrf.write %{{.*}}, @[[A]] [
// CHECK:         dfg.vrf.read @[[A]] [
// CHECK:         dfg.vrf.write %{{.*}}, @[[A]].1 [
// CHECK:         dfg.vrf.read @[[A]].1 [
// CHECK-LABEL: dfg.handler @partly
// CHECK-NOT:     .1 :
// NONE-NOT:    .1 :
// ASM-NOT:     @object

// SAID: [[#@LINE+5]]:5: remark: 'b' is not double-buffered: a load does not overwrite all of it
static uint32_t b[ROWS][L];
ACIS_HANDLER void partly(ARGS) {
  uint32_t turns = in[0], o = 0;
  for (uint32_t t = 0; t < turns; t++) {
    for (uint32_t r = 0; r < ROWS - 1; r++)
      for (uint32_t l = 0; l < L; l++)
        b[r][l] = mem[(t * ROWS + r) * L + l];
    for (uint32_t l = 0; l < L; l++) out[o + l] = b[ROWS - 1][l] + b[t][l];
    o += L;
  }
  *len = o * 4;
}

// SAID: [[#@LINE+5]]:5: remark: 'c' is not double-buffered: a turn changes it after the load
static uint32_t c[ROWS][L];
ACIS_HANDLER void changed(ARGS) {
  uint32_t turns = in[0], o = 0;
  for (uint32_t t = 0; t < turns; t++) {
    for (uint32_t r = 0; r < ROWS; r++)
      for (uint32_t l = 0; l < L; l++)
        c[r][l] = mem[(t * ROWS + r) * L + l];
    for (uint32_t l = 0; l < L; l++) c[3][l] += 1;
    for (uint32_t l = 0; l < L; l++) out[o + l] = c[3][l];
    o += L;
  }
  *len = o * 4;
}

// SAID: [[#@LINE+7]]:5: remark: 'd' is not double-buffered: it is also read where its load in this turn has not been
static uint32_t d[ROWS][L];
ACIS_HANDLER void early(ARGS) {
  uint32_t turns = in[0], o = 0;
  for (uint32_t t = 0; t < turns; t++) {
    for (uint32_t l = 0; l < L; l++) out[o + l] = d[3][l];
    o += L;
    for (uint32_t r = 0; r < ROWS; r++)
      for (uint32_t l = 0; l < L; l++)
        d[r][l] = mem[(t * ROWS + r) * L + l];
  }
  *len = o * 4;
}

// SAID: [[#@LINE+6]]:7: remark: 'e' is not double-buffered: not every turn of the loop loads it
static uint32_t e[ROWS][L];
ACIS_HANDLER void sometimes(ARGS) {
  uint32_t turns = in[0], o = 0;
  for (uint32_t t = 0; t < turns; t++) {
    if (t != 2)
      for (uint32_t r = 0; r < ROWS; r++)
        for (uint32_t l = 0; l < L; l++)
          e[r][l] = mem[(t * ROWS + r) * L + l];
    for (uint32_t l = 0; l < L; l++) out[o + l] = e[3][l];
    o += L;
  }
  *len = o * 4;
}

// SAID: [[#@LINE+5]]:5: remark: 'f' is not double-buffered: another handler uses it, too
static uint32_t f[ROWS][L];
ACIS_HANDLER void shared(ARGS) {
  uint32_t turns = in[0], o = 0;
  for (uint32_t t = 0; t < turns; t++) {
    for (uint32_t r = 0; r < ROWS; r++)
      for (uint32_t l = 0; l < L; l++)
        f[r][l] = mem[(t * ROWS + r) * L + l];
    for (uint32_t l = 0; l < L; l++) out[o + l] = f[3][l];
    o += L;
  }
  *len = o * 4;
}
ACIS_HANDLER void other(ARGS) {
  for (uint32_t l = 0; l < L; l++) out[l] = in[l] + f[3][l];
  *len = L * 4;
}
