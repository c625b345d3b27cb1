// RUN: acis-opt %s --dfg-simplify | FileCheck %s

dfg.handler @h {
  // Before any change: 6 operations, 2 accesses, 3 for each position, 3 for the loop.
  // CHECK: dfg.nest @k{{.*}} attributes {initial_size = array<i32: 17, 19>}
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
      // Not powers of two, and signed division rounds towards zero: unchanged.
      // CHECK: dfg.compute mul(
      %d = dfg.compute mul(%c, %c12) : (i32, i32) -> i32
      // CHECK: dfg.compute udiv(
      %e = dfg.compute udiv(%d, %c12) : (i32, i32) -> i32
      // CHECK: dfg.compute sdiv(
      %f = dfg.compute sdiv(%e, %c8) : (i32, i32) -> i32
      dfg.stream.write %f, [%out + %i * 4] : i32
    }
    dfg.return
  }
}
