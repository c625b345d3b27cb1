// RUN: %handler_ir | acis-translate --import-handler --control > %t
// RUN: FileCheck %s < %t
// RUN: acisc --config=%overlays/u280-full.json --stop-after=normal-form %s -o %t.ll
// RUN: acis-translate --import-handler --control %t.ll | FileCheck %s
// Sparse times dense matrix, in three dataflows, with arrays split over the VPEs.
#include <acis.h>
#define P ACIS_VPES
#define F 16

ACIS_PER_VPE static float x[P][256][F];
ACIS_PER_VPE static float acc[P][3584][F];

// CHECK-LABEL: dfg.handler @gcn_split
// CHECK:       dfg.array @x : f32, [16, 256, 16] {per_vpe, persistent}
// CHECK:       dfg.array @acc : f32, [16, 3584, 16] {per_vpe, persistent}
//
// The step over the VPEs is a product with the number of rows.
// CHECK:       dfg.nest @k0(%[[ROWS:.*]]: i32, %[[MEM:.*]]: i32) {
// CHECK:         dfg.loop %[[P:.*]] to 16 {
// CHECK:           dfg.loop %[[R:.*]] to %[[ROWS]] {
// CHECK:             dfg.loop %[[F:.*]] to 16 {
// CHECK:               dfg.mem.read [%[[P]] * %[[ROWS]] * 64 + %[[R]] * 64 + %[[F]] * 4 + %[[MEM]]] : f32
// CHECK:               dfg.vrf.write %{{.*}}, @x vpe(%[[P]]) [%[[R]] * 16 + %[[F]]] : f32
//
// Row and column are fields of a stream element: indices in elements.
// CHECK:       dfg.nest @k1(%[[BEATS:.*]]: i32) {
// CHECK:         dfg.loop %[[B:.*]] to %[[BEATS]] {
// CHECK:           dfg.loop %[[P:.*]] to 16 {
// CHECK:             %[[W:.*]] = dfg.stream.read [%[[B]] * 64 + %[[P]] * 4 + 64] : i32
// CHECK:             %[[ROW:.*]] = dfg.compute lshr(%[[W]],
// CHECK:             %[[COL:.*]] = dfg.compute and(%[[W]],
// CHECK:             dfg.loop %[[F:.*]] to 16 {
// CHECK-DAG:           dfg.vrf.read @x vpe(%[[P]]) [%[[F]]] index(%[[COL]] * 16 : i32) : f32
// CHECK-DAG:           dfg.vrf.read @acc vpe(%[[P]]) [%[[F]]] index(%[[ROW]] * 16 : i32) : f32
// CHECK:               dfg.vrf.write %{{.*}}, @acc vpe(%[[P]]) [%[[F]]] index(%[[ROW]] * 16 : i32) : f32
//
// The sum over the VPEs keeps C's order: its start value is the first VPE's.
// CHECK:       dfg.nest @k2(
// CHECK:             %[[FIRST:.*]] = dfg.vrf.read @acc vpe(0) [%[[R:.*]] * 16 + %[[F:.*]]] : f32
// CHECK:             %[[SUM:.*]] = dfg.loop %[[P:.*]] to 15 iter_args(%[[S:.*]] = %[[FIRST]]) -> (f32) {
// CHECK:               %[[V:.*]] = dfg.vrf.read @acc vpe(%[[P]] + 1) [%[[R]] * 16 + %[[F]]] : f32
// CHECK:               dfg.compute fadd(%[[S]], %[[V]]) : (f32, f32) -> f32
// CHECK:             dfg.stream.write %[[SUM]], [%[[R]] * 64 + %[[F]] * 4] : f32
ACIS_HANDLER void gcn_split(const uint32_t *restrict in, float *restrict out,
                            const float *restrict mem, uint32_t *len) {
  uint32_t pos = 0, o = 0;
  uint32_t xrows = in[0], rows = in[1], beats = in[2];
  pos = 16;
  for (uint32_t p = 0; p < P; p++)
    for (uint32_t r = 0; r < xrows; r++)
      for (uint32_t f = 0; f < F; f++)
        x[p][r][f] = mem[(p * xrows + r) * F + f];
  for (uint32_t b = 0; b < beats; b++)
    for (uint32_t p = 0; p < P; p++) {
      uint32_t w = in[pos + b * P + p], row = w >> 16, col = w & 0xffff;
      for (uint32_t f = 0; f < F; f++)
        acc[p][row][f] += x[p][col][f];
    }
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t f = 0; f < F; f++) {
      float s = acc[0][r][f];
      acc[0][r][f] = 0;
      for (uint32_t p = 1; p < P; p++) {
        s += acc[p][r][f];
        acc[p][r][f] = 0;
      }
      out[o + r * F + f] = s;
    }
  *len = rows * F * 4;
}

// Output stationary: tiles in the stream, the index varies from lane to lane. The read
// under a condition gives 0 outside of the array.
#define TILE 64
#define U 4
ACIS_PER_VPE static float xo[P][TILE][16];
ACIS_PER_VPE static float ao[P][U][16];

// CHECK-LABEL: dfg.handler @gcn_os
// CHECK:       dfg.nest @k0(
// CHECK:         dfg.loop %[[C:.*]] to 16 {
// CHECK:           dfg.loop %[[K:.*]] to 64 {
// CHECK:             dfg.mem.read [%[[C]] * 256 + %[[K]] * 4 + %{{.*}}] : f32
// CHECK:             dfg.loop %[[L:.*]] to 16 {
// CHECK:               dfg.vrf.write %{{.*}}, @xo vpe(%[[C]]) [%[[K]] * 16 + %[[L]]] : f32
// CHECK:       dfg.nest @k1(%[[N:.*]]: i32, %[[POS:.*]]: i32) {
// CHECK:         dfg.loop %[[I:.*]] to %[[N]] {
// CHECK:           dfg.loop %[[UU:.*]] to 4 {
// CHECK:             dfg.loop %[[L:.*]] to 16 {
// CHECK:               %[[IDX:.*]] = dfg.stream.read [%[[I]] * 256 + %[[UU]] * 64 + %[[L]] * 4 + %[[POS]] + 64] : i32
// CHECK:               %[[IN:.*]] = dfg.compute ult(%[[IDX]], %{{.*}}) : (i32, i32) -> i1
// CHECK:               dfg.loop %[[C:.*]] to 16 {
// CHECK:                 dfg.vrf.read @xo vpe(%[[C]]) [%[[L]]] index(%[[IDX]] * 16 : i32) guarded : f32
// CHECK:                 dfg.compute select(%[[IN]],
// CHECK:                 dfg.vrf.write %{{.*}}, @ao vpe(%[[C]]) [%[[UU]] * 16 + %[[L]]] : f32
ACIS_HANDLER void gcn_os(const uint32_t *restrict in, float *restrict out,
                         const float *restrict mem, uint32_t *len) {
  uint32_t pos = 0, tiles = *len / 64, tile = 0;
  for (uint32_t t = 0; t < tiles; t = tile + 1) {
    tile = acis_next_tile(in, &pos, t);
    uint32_t n = in[pos];
    pos = pos + 15;
    for (uint32_t c = 0; c < P; c++)
      for (uint32_t k = 0; k < TILE; k++) {
        float v = mem[tile * TILE * P + c * TILE + k];
        for (uint32_t l = 0; l < 16; l++)
          xo[c][k][l] = v;
      }
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t u = 0; u < U; u++)
        for (uint32_t l = 0; l < 16; l++) {
          uint32_t idx = in[pos + (i * U + u) * 16 + l];
          for (uint32_t c = 0; c < P; c++)
            ao[c][u][l] += idx < TILE ? xo[c][idx][l] : 0;
        }
    pos += n * U * 16;
  }
  *len = 0;
}

// Weight stationary: the write is indexed, and only done inside of the array.
// CHECK-LABEL: dfg.handler @gcn_ws
// CHECK:               %[[IDX:.*]] = dfg.stream.read
// CHECK-DAG:             dfg.vrf.read @xo vpe(%{{.*}}) [%{{.*}} * 16 + %{{.*}}] {{.*}}: f32
// CHECK-DAG:             dfg.vrf.read @acc vpe(%[[C:.*]]) [%{{.*}}] index(%[[IDX]] * 16 : i32) {{.*}}: f32
// CHECK:                 dfg.vrf.write %{{.*}}, @acc vpe(%[[C]]) [%{{.*}}] index(%[[IDX]] * 16 : i32) if %{{.*}} : i1 : f32
ACIS_HANDLER void gcn_ws(const uint32_t *restrict in, float *restrict out,
                         const float *restrict mem, uint32_t *len) {
  for (uint32_t k = 0; k < TILE; k++)
    for (uint32_t l = 0; l < 16; l++) {
      uint32_t idx = in[k * 16 + l];
      for (uint32_t c = 0; c < P; c++)
        if (idx < 3584)
          acc[c][idx][l] += xo[c][k][l];
    }
  *len = 0;
}

// CHECK:       define {{.*}}void @gcn_os(
// CHECK:         call i32 @acis.tile(i32 {{.*}}, i32 {{.*}})
// CHECK:         call i32 @acis.streamin(i32 %{{.*}}, i32 2)
// CHECK:         call void @acis.nest.gcn_os.k1(i32 %{{.*}}, i32 %{{.*}})
