// Accesses of one array through indices whose ranges do not meet are not kept in order.
// RUN: acis-opt %s --dfg-map='overlay=%overlays/u280-full.json' | FileCheck %s

// Two counters, in the first and in the second half: each waits for itself alone.
// CHECK-LABEL: dfg.handler @halves
// CHECK: dfg.graph {{.*}} rec_mii = 7 : i32
dfg.handler @halves {
  dfg.array @a : i32, [512] {home = 0 : i32, lane_bits = 32 : i32}
  dfg.nest @k(%n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 1 lane_bits 32 attributes {scalar} {
      %one = dfg.const 1 : i32
      %k = dfg.stream.read [%i1 * 4] : vector<1xi32>
      %v = dfg.vrf.read @a [0] index(%k * 1 : vector<1xi32>) {pe = 0 : i32, bits = 8 : i32} : vector<1xi32>
      %s = dfg.compute add(%v, %one) : (vector<1xi32>, i32) -> vector<1xi32>
      dfg.vrf.write %s, @a [0] index(%k * 1 : vector<1xi32>) {pe = 0 : i32, bits = 8 : i32} : vector<1xi32>
      %w = dfg.vrf.read @a [256] index(%k * 1 : vector<1xi32>) {pe = 0 : i32, shift = 24 : i32, bits = 8 : i32} : vector<1xi32>
      %t = dfg.compute add(%w, %one) : (vector<1xi32>, i32) -> vector<1xi32>
      dfg.vrf.write %t, @a [256] index(%k * 1 : vector<1xi32>) {pe = 0 : i32, shift = 24 : i32, bits = 8 : i32} : vector<1xi32>
    }
    dfg.return
  }
}

// The same with a field that is a bit wider: the second read may see the first write.
// CHECK-LABEL: dfg.handler @wider
// CHECK: dfg.graph {{.*}} rec_mii = 14 : i32
dfg.handler @wider {
  dfg.array @a : i32, [512] {home = 0 : i32, lane_bits = 32 : i32}
  dfg.nest @k(%n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 1 lane_bits 32 attributes {scalar} {
      %one = dfg.const 1 : i32
      %k = dfg.stream.read [%i1 * 4] : vector<1xi32>
      %v = dfg.vrf.read @a [0] index(%k * 1 : vector<1xi32>) {pe = 0 : i32, bits = 9 : i32} : vector<1xi32>
      %s = dfg.compute add(%v, %one) : (vector<1xi32>, i32) -> vector<1xi32>
      dfg.vrf.write %s, @a [0] index(%k * 1 : vector<1xi32>) {pe = 0 : i32, bits = 9 : i32} : vector<1xi32>
      %w = dfg.vrf.read @a [256] index(%k * 1 : vector<1xi32>) {pe = 0 : i32, bits = 8 : i32} : vector<1xi32>
      %t = dfg.compute add(%w, %one) : (vector<1xi32>, i32) -> vector<1xi32>
      dfg.vrf.write %t, @a [256] index(%k * 1 : vector<1xi32>) {pe = 0 : i32, bits = 8 : i32} : vector<1xi32>
    }
    dfg.return
  }
}

// A remainder is below its divisor. What has no bound may be negative, so it may reach what
// stands in front of its position.
// CHECK-LABEL: dfg.handler @remainder
// CHECK: dfg.nest @bounded
// CHECK: dfg.graph {{.*}} rec_mii = 7 : i32
// CHECK: dfg.nest @unbounded
// CHECK: dfg.graph {{.*}} rec_mii = 14 : i32
dfg.handler @remainder {
  dfg.array @a : i32, [512] {home = 0 : i32, lane_bits = 32 : i32}
  dfg.nest @bounded(%n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 1 lane_bits 32 attributes {scalar} {
      %one = dfg.const 1 : i32
      %hundred = dfg.const 100 : i32
      %k = dfg.stream.read [%i1 * 4] : vector<1xi32>
      %r = dfg.compute urem(%k, %hundred) : (vector<1xi32>, i32) -> vector<1xi32>
      %v = dfg.vrf.read @a [0] index(%r * 1 : vector<1xi32>) {pe = 0 : i32} : vector<1xi32>
      %s = dfg.compute add(%v, %one) : (vector<1xi32>, i32) -> vector<1xi32>
      dfg.vrf.write %s, @a [0] index(%r * 1 : vector<1xi32>) {pe = 0 : i32} : vector<1xi32>
      %w = dfg.vrf.read @a [100] index(%r * 1 : vector<1xi32>) {pe = 0 : i32} : vector<1xi32>
      %t = dfg.compute add(%w, %one) : (vector<1xi32>, i32) -> vector<1xi32>
      dfg.vrf.write %t, @a [100] index(%r * 1 : vector<1xi32>) {pe = 0 : i32} : vector<1xi32>
    }
    dfg.return
  }
  dfg.nest @unbounded(%n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 1 lane_bits 32 attributes {scalar} {
      %one = dfg.const 1 : i32
      %k = dfg.stream.read [%i1 * 4] : vector<1xi32>
      %v = dfg.vrf.read @a [0] index(%k * 1 : vector<1xi32>) {pe = 0 : i32, bits = 8 : i32} : vector<1xi32>
      %s = dfg.compute add(%v, %one) : (vector<1xi32>, i32) -> vector<1xi32>
      dfg.vrf.write %s, @a [0] index(%k * 1 : vector<1xi32>) {pe = 0 : i32, bits = 8 : i32} : vector<1xi32>
      %w = dfg.vrf.read @a [300] index(%k * 1 : vector<1xi32>) {pe = 0 : i32} : vector<1xi32>
      %t = dfg.compute add(%w, %one) : (vector<1xi32>, i32) -> vector<1xi32>
      dfg.vrf.write %t, @a [300] index(%k * 1 : vector<1xi32>) {pe = 0 : i32} : vector<1xi32>
    }
    dfg.return
  }
}
