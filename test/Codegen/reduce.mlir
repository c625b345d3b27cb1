// Reductions: results, their identity when the loop did not run, integer work behind it.
// RUN: acis-llc %s --control %S/Inputs/reduce.ll --config %overlays/tiny.json --obj -o %t.o
// RUN: acis-objdump --config %overlays/tiny.json %t.o | FileCheck %s

// A trip count known at run time: 0 iterations give the identity (here -1), because
// acis.result would give that of an earlier loop.
// CHECK:      sum:
// CHECK:      acis.launch 0, [[ITERATIONS:x[0-9]+]],
// CHECK-NEXT: acis.result [[R:x[0-9]+]], 0
// CHECK:      acis.launch 1,
// A 64-bit result is two words; 40 = 10 beats of 4 iterations, all lanes active.
// CHECK-NEXT: acis.result {{x[0-9]+}}, 0
// CHECK-NEXT: acis.result {{x[0-9]+}}, 1
// CHECK:      wfi

// CHECK:      context 0 of sum
// CHECK:        slot 0: [0] and.i32 stream, acc(#0xffffffff) -> result 0
// CHECK:      context 1 of sum
// CHECK:        II 1, 1 stages, 64-bit lanes, inner 1, 3 arguments, 1 results
// The constant factor is 64 bits wide and takes two arguments.
// CHECK:        slot 0: [0] fmac.f64 stream, args[0], acc(#0x0) -> result 0

// A 64-bit value as data of a port: the slot has no operation but reads two words.
// CHECK:      context 2 of sum
// CHECK:        II 1, 1 stages, 64-bit lanes, inner 1, 3 arguments, 0 results
// CHECK:        slot 0: [0] @0 = args[1]
dfg.handler @sum {
  dfg.array @w : i64, [8] {home = 0 : i32, lane_bits = 64 : i32}
  dfg.nest @k0(%in: i32, %n: i32, %start: i32) -> (i32) {
    %r = dfg.graph (%i0, %i1) trip %n inner 1 per 4 vf 4 lane_bits 32 -> (i32) attributes {ii = 1 : i32} {
      %v = dfg.stream.read [%in + %i1 * 16] {place = #dfg.place<pe 0, time 0, port 0>} : vector<4xi32>
      %s = dfg.reduce and(%v) identity(-1 : i32) {place = #dfg.place<pe 0, time 0, port 0>, routes = [#dfg.route<0:0 bus>]} : (vector<4xi32>) -> i32
      dfg.yield %s : i32
    }
    %t = dfg.compute and(%r, %start) : (i32, i32) -> i32
    dfg.return %t : i32
  }
  dfg.nest @k1(%in: i32, %f: f64) -> (f64) {
    %r = dfg.graph (%i0, %i1) trip 20 inner 1 per 2 vf 2 lane_bits 64 -> (f64) attributes {ii = 1 : i32} {
      %v = dfg.stream.read [%in + %i1 * 16] {place = #dfg.place<pe 0, time 0, port 0>} : vector<2xf64>
      %s = dfg.reduce fmac(%v, %f) identity(0.0 : f64) {place = #dfg.place<pe 0, time 0, port 0>, routes = [#dfg.route<0:0 bus>, #dfg.route<>]} : (vector<2xf64>, f64) -> f64
      dfg.yield %s : f64
    }
    dfg.return %r : f64
  }
  dfg.nest @k2(%start: i32, %c: i64) {
    dfg.graph (%i0, %i1) trip 1 inner 1 per 1 vf 2 lane_bits 64 attributes {ii = 1 : i32} {
      dfg.vrf.write %c, @w [%start * 2] {pe = 0 : i32, place = #dfg.place<pe 0, time 0, port 0>, routes = [#dfg.route<>, #dfg.route<>]} : i64
    }
    dfg.return
  }
}
