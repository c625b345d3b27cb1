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

// Sixteen reads and a chain of fifteen additions, one iteration a cycle: pairs of reads in corners
// of squares cannot be routed, a copy for each read along a way through the grid can.
// CHECK-LABEL: dfg.handler @chain
// CHECK-DAG: dfg.array @x : f32, [128] {home = 0 : i32
// CHECK-DAG: dfg.array @x.copy1 : f32, [128] {home = 1 : i32
// CHECK-DAG: dfg.array @x.copy2 : f32, [128] {home = 5 : i32
// CHECK-DAG: dfg.array @x.copy3 : f32, [128] {home = 4 : i32
// CHECK-DAG: dfg.array @x.copy15 : f32, [128] {home = 12 : i32
// The interval at which it was mapped is kept for dfg-map, which maps it at no other.
// CHECK: dfg.graph {{.*}} attributes {found = 1 : i32
// RUN: acis-opt %s --dfg-spread-arrays='overlay=%overlays/mesh4x4-onecycle.json' --dfg-map='overlay=%overlays/mesh4x4-onecycle.json' | FileCheck %s --check-prefix=MAPPED
// MAPPED-LABEL: dfg.handler @chain
// MAPPED: dfg.graph {{.*}} ii = 1 : i32
dfg.handler @chain {
  dfg.array @x : f32, [128] {home = 15 : i32, lane_bits = 32 : i32}
  dfg.nest @use() {
    dfg.graph (%i0, %i1) trip 64 inner 1 per 1 vf 1 lane_bits 32 attributes {scalar} {
      %r0 = dfg.vrf.read @x [%i1] {pe = 15 : i32} : vector<1xf32>
      %r1 = dfg.vrf.read @x [%i1 + 1] {pe = 15 : i32} : vector<1xf32>
      %r2 = dfg.vrf.read @x [%i1 + 2] {pe = 15 : i32} : vector<1xf32>
      %r3 = dfg.vrf.read @x [%i1 + 3] {pe = 15 : i32} : vector<1xf32>
      %r4 = dfg.vrf.read @x [%i1 + 4] {pe = 15 : i32} : vector<1xf32>
      %r5 = dfg.vrf.read @x [%i1 + 5] {pe = 15 : i32} : vector<1xf32>
      %r6 = dfg.vrf.read @x [%i1 + 6] {pe = 15 : i32} : vector<1xf32>
      %r7 = dfg.vrf.read @x [%i1 + 7] {pe = 15 : i32} : vector<1xf32>
      %r8 = dfg.vrf.read @x [%i1 + 8] {pe = 15 : i32} : vector<1xf32>
      %r9 = dfg.vrf.read @x [%i1 + 9] {pe = 15 : i32} : vector<1xf32>
      %r10 = dfg.vrf.read @x [%i1 + 10] {pe = 15 : i32} : vector<1xf32>
      %r11 = dfg.vrf.read @x [%i1 + 11] {pe = 15 : i32} : vector<1xf32>
      %r12 = dfg.vrf.read @x [%i1 + 12] {pe = 15 : i32} : vector<1xf32>
      %r13 = dfg.vrf.read @x [%i1 + 13] {pe = 15 : i32} : vector<1xf32>
      %r14 = dfg.vrf.read @x [%i1 + 14] {pe = 15 : i32} : vector<1xf32>
      %r15 = dfg.vrf.read @x [%i1 + 15] {pe = 15 : i32} : vector<1xf32>
      %s1 = dfg.compute fadd(%r0, %r1) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s2 = dfg.compute fadd(%s1, %r2) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s3 = dfg.compute fadd(%s2, %r3) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s4 = dfg.compute fadd(%s3, %r4) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s5 = dfg.compute fadd(%s4, %r5) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s6 = dfg.compute fadd(%s5, %r6) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s7 = dfg.compute fadd(%s6, %r7) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s8 = dfg.compute fadd(%s7, %r8) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s9 = dfg.compute fadd(%s8, %r9) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s10 = dfg.compute fadd(%s9, %r10) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s11 = dfg.compute fadd(%s10, %r11) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s12 = dfg.compute fadd(%s11, %r12) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s13 = dfg.compute fadd(%s12, %r13) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s14 = dfg.compute fadd(%s13, %r14) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      %s15 = dfg.compute fadd(%s14, %r15) : (vector<1xf32>, vector<1xf32>) -> vector<1xf32>
      dfg.stream.write %s15, [%i1 * 4] : vector<1xf32>
    }
    dfg.return
  }
}

// x = next[link[x]], and what kinds[x] is goes out: the recurrence leads through two arrays, which
// share a PE, as links between them would make every iteration longer. The third one lies elsewhere:
// nothing that is read from it comes back.
// CHECK-LABEL: dfg.handler @walk
// CHECK: dfg.array @next : i32, [64] {home = [[HOME:[0-9]+]] : i32
// CHECK: dfg.array @link : i32, [64] {home = [[HOME]] : i32
// CHECK-NOT: dfg.array @kinds : i32, [64] {home = [[HOME]] : i32
// CHECK: dfg.graph {{.*}} attributes {found = 1 : i32
// MAPPED-LABEL: dfg.handler @walk
// MAPPED: dfg.graph {{.*}} ii = 1 : i32
dfg.handler @walk {
  dfg.array @next : i32, [64] {home = 15 : i32, lane_bits = 32 : i32}
  dfg.array @link : i32, [64] {home = 14 : i32, lane_bits = 32 : i32}
  dfg.array @kinds : i32, [64] {home = 13 : i32, lane_bits = 32 : i32}
  dfg.nest @use() {
    %zero = dfg.const 0 : i32
    dfg.graph (%i0, %i1) trip 64 inner 1 per 1 vf 1 lane_bits 32 attributes {scalar} {
      %x = dfg.carry %there before 1 from %zero : vector<1xi32>, i32 -> vector<1xi32>
      %from = dfg.vrf.read @link [0] index(%x * 1 : vector<1xi32>) {pe = 14 : i32} : vector<1xi32>
      %at = dfg.compute add(%from, %from) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %there = dfg.vrf.read @next [0] index(%at * 1 : vector<1xi32>) {pe = 15 : i32} : vector<1xi32>
      %kind = dfg.vrf.read @kinds [0] index(%there * 1 : vector<1xi32>) {pe = 13 : i32} : vector<1xi32>
      dfg.stream.write %kind, [%i1 * 4] : vector<1xi32>
    }
    dfg.return
  }
}
