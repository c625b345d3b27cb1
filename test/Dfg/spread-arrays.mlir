// Homes by accesses, copies for many reads, and arrays that stay.
// RUN: acis-opt %s --dfg-spread-arrays='overlay=%overlays/mesh4x4-onecycle.json' | FileCheck %s

// Six reads of one array in a loop that could start every cycle: two ports on each of three
// PEs. The write goes to all copies.
// CHECK-LABEL: dfg.handler @copied
// CHECK-DAG: dfg.array @x : f32, [128] {home = 5 : i32
// CHECK-DAG: dfg.array @x.copy1 : f32, [128] {home = 1 : i32
// CHECK-DAG: dfg.array @x.copy2 : f32, [128] {home = 4 : i32
// CHECK: dfg.nest @fill
// CHECK-DAG: dfg.vrf.write %{{.*}}, @x  [%{{.*}}] {pe = 5 : i32}
// CHECK-DAG: dfg.vrf.write %{{.*}}, @x.copy1 {{.*}} {pe = 1 : i32}
// CHECK-DAG: dfg.vrf.write %{{.*}}, @x.copy2 {{.*}} {pe = 4 : i32}
// CHECK: dfg.nest @use
// CHECK-COUNT-2: dfg.vrf.read @x  [
// CHECK-COUNT-2: dfg.vrf.read @x.copy1
// CHECK-COUNT-2: dfg.vrf.read @x.copy2
dfg.handler @copied {
  dfg.array @x : f32, [128] {home = 15 : i32, lane_bits = 32 : i32}
  dfg.nest @fill() {
    dfg.graph (%i0, %i1) trip 128 inner 1 per 16 vf 16 lane_bits 32 {
      %v = dfg.stream.read [%i1 * 64] : vector<16xf32>
      dfg.vrf.write %v, @x [%i1 * 16] {pe = 15 : i32} : vector<16xf32>
    }
    dfg.return
  }
  dfg.nest @use() {
    dfg.graph (%i0, %i1) trip 64 inner 1 per 1 vf 1 lane_bits 32 attributes {scalar} {
      %a = dfg.vrf.read @x [%i1] {pe = 15 : i32} : vector<1xf32>
      %b = dfg.vrf.read @x [%i1 + 1] {pe = 15 : i32} : vector<1xf32>
      %c = dfg.vrf.read @x [%i1 + 2] {pe = 15 : i32} : vector<1xf32>
      %d = dfg.vrf.read @x [%i1 + 3] {pe = 15 : i32} : vector<1xf32>
      %e = dfg.vrf.read @x [%i1 + 4] {pe = 15 : i32} : vector<1xf32>
      %f = dfg.vrf.read @x [%i1 + 5] {pe = 15 : i32} : vector<1xf32>
      %0 = dfg.compute fadd(%a, %b) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %1 = dfg.compute fadd(%c, %d) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %2 = dfg.compute fadd(%e, %f) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %3 = dfg.compute fadd(%0, %1) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %4 = dfg.compute fadd(%3, %2) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      dfg.stream.write %4, [%i1 * 4] : vector<1xf32>
    }
    dfg.return
  }
}

// Of several handlers, or written through the interlock: no copies.
// CHECK-LABEL: dfg.handler @kept
// CHECK: dfg.array @old : i32, [64] {home = 15 : i32
// CHECK: dfg.array @bins : i32, [64] {home = 5 : i32
// CHECK-NOT: copy
dfg.handler @kept {
  dfg.array @old : i32, [64] {persistent, shared, home = 15 : i32, lane_bits = 32 : i32}
  dfg.array @bins : i32, [64] {home = 14 : i32, lane_bits = 32 : i32}
  dfg.nest @use() {
    dfg.graph (%i0, %i1) trip 60 inner 1 per 1 vf 1 lane_bits 32 attributes {scalar} {
      %a = dfg.vrf.read @old [%i1] {pe = 15 : i32} : vector<1xi32>
      %b = dfg.vrf.read @old [%i1 + 1] {pe = 15 : i32} : vector<1xi32>
      %c = dfg.vrf.read @old [%i1 + 2] {pe = 15 : i32} : vector<1xi32>
      %k = dfg.stream.read [%i1 * 4] : vector<1xi32>
      %v = dfg.vrf.read @bins [0] index(%k * 1 : vector<1xi32>) {pe = 14 : i32} : vector<1xi32>
      %0 = dfg.compute add(%a, %b) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %1 = dfg.compute add(%0, %c) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %2 = dfg.compute add(%1, %v) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      dfg.vrf.write %2, @bins [0] index(%k * 1 : vector<1xi32>) interlock {pe = 14 : i32} : vector<1xi32>
    }
    dfg.return
  }
}

// A constant table of one handler: both copies hold it at load.
// CHECK-LABEL: dfg.handler @table
// CHECK: dfg.array @sbox : i32, [4] {home = 5 : i32, initial = dense<[3, 1, 2, 0]>
// CHECK: dfg.array @sbox.copy1 : i32, [4] {home = 1 : i32, initial = dense<[3, 1, 2, 0]>
dfg.handler @table {
  dfg.array @sbox : i32, [4] {persistent, initial = dense<[3, 1, 2, 0]> : tensor<4xi32>, home = 15 : i32, lane_bits = 32 : i32}
  dfg.nest @use() {
    dfg.graph (%i0, %i1) trip 60 inner 1 per 1 vf 1 lane_bits 32 attributes {scalar} {
      %k = dfg.stream.read [%i1 * 4] : vector<1xi32>
      %a = dfg.vrf.read @sbox [0] index(%k * 1 : vector<1xi32>) {pe = 15 : i32} : vector<1xi32>
      %b = dfg.vrf.read @sbox [0] index(%k * 3 : vector<1xi32>) {pe = 15 : i32} : vector<1xi32>
      %c = dfg.vrf.read @sbox [0] index(%k * 2 : vector<1xi32>) {pe = 15 : i32} : vector<1xi32>
      %0 = dfg.compute add(%a, %b) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %1 = dfg.compute add(%0, %c) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      dfg.stream.write %1, [%i1 * 4] : vector<1xi32>
    }
    dfg.return
  }
}
