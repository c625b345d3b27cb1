// Chains become trees, recurrences join last, and what must stay as it is.
// RUN: acis-opt %s --dfg-rebalance='overlay=%overlays/mesh4x4-onecycle.json' --canonicalize | FileCheck %s

// x * a + (b + c): one addition on the cycle instead of two.
// CHECK-LABEL: dfg.nest @recurrence
// CHECK: %[[B:.*]] = dfg.vrf.read @b
// CHECK: %[[C:.*]] = dfg.vrf.read @c
// CHECK: %[[P:.*]] = dfg.compute mul
// CHECK: %[[S:.*]] = dfg.compute add(%[[B]], %[[C]])
// CHECK: dfg.compute add(%[[S]], %[[P]])
dfg.handler @recurrences {
  dfg.array @b : i32, [64] {home = 1 : i32, lane_bits = 32 : i32}
  dfg.array @c : i32, [64] {home = 2 : i32, lane_bits = 32 : i32}
  dfg.nest @recurrence(%a: i32) -> (i32) {
    %r = dfg.graph (%i0, %i1) trip 64 inner 1 per 1 vf 1 lane_bits 32 -> (i32) attributes {scalar} {
      %zero = dfg.const 0 : i32
      %x = dfg.carry %next before 1 from %zero : vector<1xi32>, i32 -> vector<1xi32>
      %b = dfg.vrf.read @b [%i1] {pe = 1 : i32} : vector<1xi32>
      %c = dfg.vrf.read @c [%i1] {pe = 2 : i32} : vector<1xi32>
      %p = dfg.compute mul(%x, %a) : (vector<1xi32>, i32) -> vector<1xi32>
      %s = dfg.compute add(%p, %b) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %next = dfg.compute add(%s, %c) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %last = dfg.last %next : vector<1xi32> -> i32
      dfg.yield %last : i32
    }
    dfg.return %r : i32
  }

  // Differences are sums with a sign: (b - x) - c is (b - c) - x.
  // CHECK-LABEL: dfg.nest @difference
  // CHECK: %[[B:.*]] = dfg.vrf.read @b
  // CHECK: %[[C:.*]] = dfg.vrf.read @c
  // CHECK: %[[D:.*]] = dfg.compute sub(%[[B]], %[[C]])
  // CHECK: dfg.compute sub(%[[D]], %
  dfg.nest @difference() -> (i32) {
    %r = dfg.graph (%i0, %i1) trip 64 inner 1 per 1 vf 1 lane_bits 32 -> (i32) attributes {scalar} {
      %zero = dfg.const 0 : i32
      %x = dfg.carry %next before 1 from %zero : vector<1xi32>, i32 -> vector<1xi32>
      %b = dfg.vrf.read @b [%i1] {pe = 1 : i32} : vector<1xi32>
      %c = dfg.vrf.read @c [%i1] {pe = 2 : i32} : vector<1xi32>
      %s = dfg.compute sub(%b, %x) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %next = dfg.compute sub(%s, %c) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %last = dfg.last %next : vector<1xi32> -> i32
      dfg.yield %last : i32
    }
    dfg.return %r : i32
  }

  // Another use of the inner sum: it stays.
  // CHECK-LABEL: dfg.nest @used
  // CHECK: %[[P:.*]] = dfg.compute mul
  // CHECK: %[[S:.*]] = dfg.compute add(%[[P]],
  // CHECK: dfg.compute add(%[[S]],
  dfg.nest @used(%a: i32) -> (i32, i32) {
    %r, %t = dfg.graph (%i0, %i1) trip 64 inner 1 per 1 vf 1 lane_bits 32 -> (i32, i32) attributes {scalar} {
      %zero = dfg.const 0 : i32
      %x = dfg.carry %next before 1 from %zero : vector<1xi32>, i32 -> vector<1xi32>
      %b = dfg.vrf.read @b [%i1] {pe = 1 : i32} : vector<1xi32>
      %c = dfg.vrf.read @c [%i1] {pe = 2 : i32} : vector<1xi32>
      %p = dfg.compute mul(%x, %a) : (vector<1xi32>, i32) -> vector<1xi32>
      %s = dfg.compute add(%p, %b) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %next = dfg.compute add(%s, %c) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %last = dfg.last %next : vector<1xi32> -> i32
      %other = dfg.last %s : vector<1xi32> -> i32
      dfg.yield %last, %other : i32, i32
    }
    dfg.return %r, %t : i32, i32
  }
}

// CHECK-LABEL: dfg.handler @trees
dfg.handler @trees {
  // ((a + b) + c) + d is two levels deep; without `reassoc` floats stay in order.
  // CHECK-LABEL: dfg.nest @sum
  // CHECK: %[[AB:.*]] = dfg.compute fadd(%{{.*}}, %{{.*}}) reassoc
  // CHECK: %[[CD:.*]] = dfg.compute fadd(%{{.*}}, %{{.*}}) reassoc
  // CHECK: dfg.compute fadd(%[[AB]], %[[CD]]) reassoc
  dfg.nest @sum() {
    dfg.graph (%i0, %i1) trip 64 inner 1 per 16 vf 16 lane_bits 32 {
      %a = dfg.mem.read [%i1 * 64] {pe = 0 : i32} : vector<16xf32>
      %b = dfg.mem.read [%i1 * 64 + 4096] {pe = 1 : i32} : vector<16xf32>
      %c = dfg.mem.read [%i1 * 64 + 8192] {pe = 2 : i32} : vector<16xf32>
      %d = dfg.mem.read [%i1 * 64 + 12288] {pe = 3 : i32} : vector<16xf32>
      %0 = dfg.compute fadd(%a, %b) reassoc : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %1 = dfg.compute fadd(%0, %c) reassoc : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %2 = dfg.compute fadd(%1, %d) reassoc : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      dfg.stream.write %2, [%i1 * 64] : vector<16xf32>
    }
    dfg.return
  }

  // CHECK-LABEL: dfg.nest @ordered
  // CHECK: %[[AB:.*]] = dfg.compute fadd
  // CHECK: %[[ABC:.*]] = dfg.compute fadd(%[[AB]],
  // CHECK: dfg.compute fadd(%[[ABC]],
  dfg.nest @ordered() {
    dfg.graph (%i0, %i1) trip 64 inner 1 per 16 vf 16 lane_bits 32 {
      %a = dfg.mem.read [%i1 * 64] {pe = 0 : i32} : vector<16xf32>
      %b = dfg.mem.read [%i1 * 64 + 4096] {pe = 1 : i32} : vector<16xf32>
      %c = dfg.mem.read [%i1 * 64 + 8192] {pe = 2 : i32} : vector<16xf32>
      %d = dfg.mem.read [%i1 * 64 + 12288] {pe = 3 : i32} : vector<16xf32>
      %0 = dfg.compute fadd(%a, %b) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %1 = dfg.compute fadd(%0, %c) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      %2 = dfg.compute fadd(%1, %d) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      dfg.stream.write %2, [%i1 * 64] : vector<16xf32>
    }
    dfg.return
  }

  // (x & 1) == 0 ? a : b asks for the bit itself, (x & 2) == 0 ? a : b for x & 2; a flag that is
  // used for more than a choice keeps its sense.
  // CHECK-LABEL: dfg.nest @bits
  // CHECK: %[[X:.*]] = dfg.stream.read
  // CHECK: %[[BIT:.*]] = dfg.compute mov(%[[X]]) : (vector<16xi32>) -> vector<16xi1>
  // CHECK: dfg.compute select(%[[BIT]], %{{.*}}, %[[X]])
  // CHECK: %[[MASKED:.*]] = dfg.compute and(%[[X]]
  // CHECK: dfg.compute select(%[[MASKED]],
  // CHECK: dfg.compute and(%[[X]]
  // CHECK: %[[FLAG:.*]] = dfg.compute eq
  // CHECK: if %[[FLAG]]
  dfg.nest @bits(%k: i32) {
    dfg.graph (%i0, %i1) trip 64 inner 1 per 16 vf 16 lane_bits 32 {
      %one = dfg.const 1 : i32
      %two = dfg.const 2 : i32
      %zero = dfg.const 0 : i32
      %x = dfg.stream.read [%i1 * 64] : vector<16xi32>
      %m = dfg.compute and(%x, %one) : (vector<16xi32>, i32) -> vector<16xi32>
      %e = dfg.compute eq(%m, %zero) : (vector<16xi32>, i32) -> vector<16xi1>
      %s = dfg.compute select(%e, %x, %k) : (vector<16xi1>, vector<16xi32>, i32) -> vector<16xi32>
      %m2 = dfg.compute and(%x, %two) : (vector<16xi32>, i32) -> vector<16xi32>
      %e2 = dfg.compute eq(%m2, %zero) : (vector<16xi32>, i32) -> vector<16xi1>
      %t = dfg.compute select(%e2, %s, %k) : (vector<16xi1>, vector<16xi32>, i32) -> vector<16xi32>
      %m3 = dfg.compute and(%x, %one) : (vector<16xi32>, i32) -> vector<16xi32>
      %e3 = dfg.compute eq(%m3, %zero) : (vector<16xi32>, i32) -> vector<16xi1>
      dfg.mem.write %t, [%i1 * 64] if %e3 : vector<16xi1> {pe = 0 : i32} : vector<16xi32>
    }
    dfg.return
  }
}

// CHECK-LABEL: dfg.handler @branches
dfg.handler @branches {
  // if and else add to the same value: one addition of what is chosen.
  // CHECK-LABEL: dfg.nest @shared
  // CHECK: %[[S:.*]] = dfg.compute select(%{{.*}}, %arg0, %arg1)
  // CHECK: dfg.compute mul(%{{.*}}, %[[S]])
  // CHECK-NOT: mul
  // CHECK: dfg.return
  dfg.nest @shared(%a: i32, %b: i32) {
    dfg.graph (%i0, %i1) trip 64 inner 1 per 16 vf 16 lane_bits 32 {
      %x = dfg.stream.read [%i1 * 64] : vector<16xi32>
      %c = dfg.compute slt(%x, %a) : (vector<16xi32>, i32) -> vector<16xi1>
      %0 = dfg.compute mul(%x, %a) : (vector<16xi32>, i32) -> vector<16xi32>
      %1 = dfg.compute mul(%x, %b) : (vector<16xi32>, i32) -> vector<16xi32>
      %2 = dfg.compute select(%c, %0, %1) : (vector<16xi1>, vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      dfg.stream.write %2, [%i1 * 64] : vector<16xi32>
    }
    dfg.return
  }

  // In a recurrence the choice would come before the product: one operation more on the cycle.
  // CHECK-LABEL: dfg.nest @recurrence
  // CHECK-COUNT-2: dfg.compute mul
  // CHECK: dfg.compute select
  // CHECK: dfg.return
  dfg.nest @recurrence(%a: i32, %b: i32) -> (i32) {
    %r = dfg.graph (%i0, %i1) trip 64 inner 1 per 1 vf 1 lane_bits 32 -> (i32) attributes {scalar} {
      %x = dfg.carry %next before 1 from %a : vector<1xi32>, i32 -> vector<1xi32>
      %c = dfg.compute slt(%x, %a) : (vector<1xi32>, i32) -> vector<1xi1>
      %0 = dfg.compute mul(%x, %a) : (vector<1xi32>, i32) -> vector<1xi32>
      %1 = dfg.compute mul(%x, %b) : (vector<1xi32>, i32) -> vector<1xi32>
      %next = dfg.compute select(%c, %0, %1) : (vector<1xi1>, vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %last = dfg.last %next : vector<1xi32> -> i32
      dfg.yield %last : i32
    }
    dfg.return %r : i32
  }
}
