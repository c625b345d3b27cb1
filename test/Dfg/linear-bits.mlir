// Recurrences whose bits are sums of bits are computed at once; others stay.
// RUN: acis-opt %s --dfg-rebalance='overlay=%overlays/mesh4x4-onecycle.json' --canonicalize | FileCheck %s

dfg.handler @sums {
  dfg.array @b : i32, [64] {home = 1 : i32, lane_bits = 32 : i32}

  // Two steps of a CRC: the value rotated by two, and a constant for each of the bits that come
  // round, of which the rotation has done one bit.
  // CHECK-LABEL: dfg.nest @crc
  // CHECK-DAG: %[[ZERO:.*]] = dfg.const 0 : i32
  // CHECK-DAG: %[[ONE:.*]] = dfg.const 1 : i32
  // CHECK-DAG: %[[TWO:.*]] = dfg.const 2 : i32
  // CHECK-DAG: %[[BACK:.*]] = dfg.const 30 : i32
  // CHECK-DAG: %[[FIRST:.*]] = dfg.const 920404368 : i32
  // CHECK-DAG: %[[SECOND:.*]] = dfg.const 1840808736 : i32
  // CHECK: dfg.carry %[[NEXT:.*]] before 1
  // CHECK: %[[X:.*]] = dfg.compute xor
  // CHECK: %[[MOVED:.*]] = dfg.compute rotl(%[[X]], %[[BACK]])
  // CHECK: %[[A:.*]] = dfg.compute and(%[[X]], %[[ONE]])
  // CHECK: %[[B:.*]] = dfg.compute select(%[[A]], %[[FIRST]], %[[ZERO]])
  // CHECK: %[[SUM:.*]] = dfg.compute xor(%[[MOVED]], %[[B]])
  // CHECK: %[[C:.*]] = dfg.compute and(%[[X]], %[[TWO]])
  // CHECK: %[[D:.*]] = dfg.compute select(%[[C]], %[[SECOND]], %[[ZERO]])
  // CHECK: %[[NEXT]] = dfg.compute xor(%[[SUM]], %[[D]])
  // CHECK-NOT: dfg.compute
  dfg.nest @crc() -> (i32) {
    %r = dfg.graph (%i0, %i1) trip 64 inner 1 per 1 vf 1 lane_bits 32 -> (i32) attributes {scalar} {
      %zero = dfg.const 0 : i32
      %one = dfg.const 1 : i32
      %polynomial = dfg.const -306674912 : i32
      %x = dfg.carry %d1 before 1 from %zero : vector<1xi32>, i32 -> vector<1xi32>
      %b = dfg.vrf.read @b [%i1] {pe = 1 : i32} : vector<1xi32>
      %a = dfg.compute xor(%x, %b) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %a0 = dfg.compute mov(%a) : (vector<1xi32>) -> vector<1xi1>
      %b0 = dfg.compute lshr(%a, %one) : (vector<1xi32>, i32) -> vector<1xi32>
      %c0 = dfg.compute xor(%b0, %polynomial) : (vector<1xi32>, i32) -> vector<1xi32>
      %d0 = dfg.compute select(%a0, %c0, %b0) : (vector<1xi1>, vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %a1 = dfg.compute mov(%d0) : (vector<1xi32>) -> vector<1xi1>
      %b1 = dfg.compute lshr(%d0, %one) : (vector<1xi32>, i32) -> vector<1xi32>
      %c1 = dfg.compute xor(%b1, %polynomial) : (vector<1xi32>, i32) -> vector<1xi32>
      %d1 = dfg.compute select(%a1, %c1, %b1) : (vector<1xi1>, vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %last = dfg.last %d1 : vector<1xi32> -> i32
      dfg.yield %last : i32
    }
    dfg.return %r : i32
  }

  // A product of bits is no sum.
  // CHECK-LABEL: dfg.nest @product
  // CHECK: dfg.compute shl
  // CHECK: dfg.compute and(%{{.*}}, %{{.*}}) : (vector<1xi32>, vector<1xi32>)
  // CHECK: dfg.compute xor
  // CHECK-NOT: dfg.compute
  dfg.nest @product() -> (i32) {
    %r = dfg.graph (%i0, %i1) trip 64 inner 1 per 1 vf 1 lane_bits 32 -> (i32) attributes {scalar} {
      %zero = dfg.const 0 : i32
      %one = dfg.const 1 : i32
      %x = dfg.carry %next before 1 from %zero : vector<1xi32>, i32 -> vector<1xi32>
      %b = dfg.vrf.read @b [%i1] {pe = 1 : i32} : vector<1xi32>
      %s = dfg.compute shl(%x, %one) : (vector<1xi32>, i32) -> vector<1xi32>
      %p = dfg.compute and(%x, %s) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %next = dfg.compute xor(%p, %b) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %last = dfg.last %next : vector<1xi32> -> i32
      dfg.yield %last : i32
    }
    dfg.return %r : i32
  }

  // A select takes the value that is compared with 0 as its condition.
  // CHECK-LABEL: dfg.nest @tests
  // CHECK: %[[F:.*]] = dfg.compute and
  // CHECK: dfg.compute select(%[[F]], %{{.*}}, %{{.*}}) : (vector<1xi32>, vector<1xi32>, i32)
  dfg.nest @tests() -> (i32) {
    %r = dfg.graph (%i0, %i1) trip 64 inner 1 per 1 vf 1 lane_bits 32 -> (i32) attributes {scalar} {
      %zero = dfg.const 0 : i32
      %four = dfg.const 4 : i32
      %x = dfg.carry %next before 1 from %zero : vector<1xi32>, i32 -> vector<1xi32>
      %b = dfg.vrf.read @b [%i1] {pe = 1 : i32} : vector<1xi32>
      %m = dfg.compute and(%b, %four) : (vector<1xi32>, i32) -> vector<1xi32>
      %f = dfg.compute eq(%m, %zero) : (vector<1xi32>, i32) -> vector<1xi1>
      %s = dfg.compute select(%f, %zero, %b) : (vector<1xi1>, i32, vector<1xi32>) -> vector<1xi32>
      %next = dfg.compute add(%x, %s) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %last = dfg.last %next : vector<1xi32> -> i32
      dfg.yield %last : i32
    }
    dfg.return %r : i32
  }
}
