// Values that are wanted later than a delay line holds them wait in a mov.
// RUN: acis-opt %s --dfg-map='overlay=%overlays/mesh4x4.json' | FileCheck %s

dfg.handler @late {
  // Two divisions take 114 cycles, a delay line holds 63.
  // CHECK-LABEL: dfg.nest @divisions
  // CHECK: dfg.graph {{.*}}attributes {ii = 1 : i32
  // CHECK: %[[X:.*]] = dfg.stream.read
  // CHECK: %[[LATE:.*]] = dfg.compute mov(%[[X]])
  // CHECK: %[[Q:.*]] = dfg.compute fdiv(%[[X]], %arg0)
  // CHECK: %[[R:.*]] = dfg.compute fdiv(%[[Q]], %arg0)
  // CHECK: dfg.compute fadd(%[[R]], %[[LATE]])
  dfg.nest @divisions(%d: f32) {
    dfg.graph (%i0, %i1) trip 64 inner 1 per 16 vf 16 lane_bits 32 {
      %x = dfg.stream.read [%i1 * 64] : vector<16xf32>
      %q = dfg.compute fdiv(%x, %d) : (vector<16xf32>, f32) -> vector<16xf32>
      %r = dfg.compute fdiv(%q, %d) : (vector<16xf32>, f32) -> vector<16xf32>
      %s = dfg.compute fadd(%r, %x) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      dfg.stream.write %s, [%i1 * 64] : vector<16xf32>
    }
    dfg.return
  }

  // One division fits into it: no node is added.
  // CHECK-LABEL: dfg.nest @division
  // CHECK: dfg.graph {{.*}}attributes {ii = 1 : i32
  // CHECK-NOT: mov
  // CHECK: dfg.return
  dfg.nest @division(%d: f32) {
    dfg.graph (%i0, %i1) trip 64 inner 1 per 16 vf 16 lane_bits 32 {
      %x = dfg.stream.read [%i1 * 64] : vector<16xf32>
      %q = dfg.compute fdiv(%x, %d) : (vector<16xf32>, f32) -> vector<16xf32>
      %s = dfg.compute fadd(%q, %x) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      dfg.stream.write %s, [%i1 * 64] : vector<16xf32>
    }
    dfg.return
  }
}
