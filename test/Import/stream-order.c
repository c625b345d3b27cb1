// RUN: acisc --config=%overlays/u280-full.json --stop-after=normal-form %s -o %t.ll
// RUN: acis-translate --import-handler --control %t.ll | FileCheck %s
// Loops over VPEs and the order of the streams.
#include <acis.h>
ACIS_PER_VPE static float x[ACIS_VPES][8][16];
#define ARGS                                                                                       \
  const float *restrict in, float *restrict out, const float *restrict mem, uint32_t *len

// VPE 0 sends all its rows before VPE 1 sends one: a nest per VPE.
// CHECK-LABEL: dfg.handler @drain
// CHECK:       dfg.nest @k0(
// CHECK-NEXT:    dfg.loop %[[U:.*]] to 8 {
// CHECK-NEXT:      dfg.loop %[[L:.*]] to 16 {
// CHECK-NEXT:        %[[V:.*]] = dfg.vrf.read @x vpe(0) [%[[U]] * 16 + %[[L]]] : f32
// CHECK-NEXT:        dfg.stream.write %[[V]], [%[[U]] * 64 + %[[L]] * 4
// CHECK:       dfg.nest @k15(
// CHECK:             dfg.vrf.read @x vpe(15)
// CHECK-NOT:   dfg.nest @k16
ACIS_HANDLER void drain(ARGS) {
  for (uint32_t p = 0; p < ACIS_VPES; p++)
    for (uint32_t u = 0; u < 8; u++)
      for (uint32_t l = 0; l < 16; l++)
        out[(p * 8 + u) * 16 + l] = x[p][u][l];
}

// The same for the input, with a number of rows that is not a constant.
// CHECK-LABEL: dfg.handler @fill
// CHECK:       dfg.nest @k15(
// CHECK:             dfg.vrf.write %{{.*}}, @x vpe(15)
ACIS_HANDLER void fill(ARGS) {
  uint32_t n = *len / 1024;
  for (uint32_t p = 0; p < ACIS_VPES; p++)
    for (uint32_t u = 0; u < n; u++)
      for (uint32_t l = 0; l < 16; l++)
        x[p][u][l] = in[(p * n + u) * 16 + l];
}

// One beat for each VPE in turn is the order in which one nest works.
// CHECK-LABEL: dfg.handler @rows
// CHECK:       dfg.nest @k0(
// CHECK:         dfg.loop %[[U:.*]] to 8 {
// CHECK-NEXT:      dfg.loop %[[P:.*]] to 16 {
// CHECK-NEXT:        dfg.loop %[[L:.*]] to 16 {
// CHECK:               dfg.vrf.write %{{.*}}, @x vpe(%[[P]])
// CHECK-NOT:   dfg.nest @k1
ACIS_HANDLER void rows(ARGS) {
  for (uint32_t u = 0; u < 8; u++)
    for (uint32_t p = 0; p < ACIS_VPES; p++)
      for (uint32_t l = 0; l < 16; l++)
        x[p][u][l] = in[(u * ACIS_VPES + p) * 16 + l];
}
// CHECK: define {{.*}}void @drain(
