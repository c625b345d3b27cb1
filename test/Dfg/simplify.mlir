// RUN: acis-opt %s --dfg-simplify | FileCheck %s

dfg.handler @h {
  // Before any change: 8 operations, 2 accesses, 3 for each position, 3 for the loop.
  // CHECK: dfg.nest @k{{.*}} attributes {initial_size = array<i32: 19, 21>}
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    %c8 = dfg.const 8 : i32
    %c12 = dfg.const 12 : i32
    dfg.loop %i to %n {
      %v = dfg.stream.read [%in + %i * 4] : i32
      // CHECK: %[[THREE:.*]] = dfg.const 3 : i32
      // CHECK: %[[A:.*]] = dfg.compute shl(%{{.*}}, %[[THREE]])
      %a = dfg.compute mul(%c8, %v) : (i32, i32) -> i32
      // CHECK: dfg.compute lshr(%[[A]], %{{.*}})
      %b = dfg.compute udiv(%a, %c8) : (i32, i32) -> i32
      // CHECK: %[[SEVEN:.*]] = dfg.const 7 : i32
      // CHECK: dfg.compute and(%{{.*}}, %[[SEVEN]])
      %c = dfg.compute urem(%b, %c8) : (i32, i32) -> i32
      // Not powers of two: unchanged.
      // CHECK: dfg.compute mul(
      %d = dfg.compute mul(%c, %c12) : (i32, i32) -> i32
      // CHECK: dfg.compute udiv(
      %e = dfg.compute udiv(%d, %c12) : (i32, i32) -> i32
      // CHECK: %[[E:.*]] = dfg.compute sdiv(
      %e2 = dfg.compute sdiv(%e, %c12) : (i32, i32) -> i32
      // With a sign, 7 is added to a negative number in front of the shift.
      // CHECK: %[[SIGN:.*]] = dfg.compute ashr(%[[E]],
      // CHECK: %[[BIAS:.*]] = dfg.compute lshr(%[[SIGN]],
      // CHECK: %[[MOVED:.*]] = dfg.compute add(%[[E]], %[[BIAS]])
      // CHECK: %[[F:.*]] = dfg.compute ashr(%[[MOVED]], %{{.*}})
      %f = dfg.compute sdiv(%e2, %c8) : (i32, i32) -> i32
      // CHECK: dfg.const -8
      // CHECK: %[[ROUND:.*]] = dfg.compute and(
      // CHECK: dfg.compute sub(%[[F]], %[[ROUND]])
      %g = dfg.compute srem(%f, %c8) : (i32, i32) -> i32
      dfg.stream.write %g, [%out + %i * 4] : i32
    }
    dfg.return
  }
}
