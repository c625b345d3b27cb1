// A mapped graph survives printing and reading.
// RUN: acis-opt %s | acis-opt | FileCheck %s

dfg.handler @sum {
  dfg.nest @k0(%in: i32, %n: i32) -> (i32) {
    // CHECK: dfg.graph (%i0, %i1) trip %arg1 inner 1 per 16 vf 16 lane_bits 32 -> (i32) attributes {ii = 1 : i32} {
    %r = dfg.graph (%i0, %i1) trip %n inner 1 per 16 vf 16 lane_bits 32 -> (i32) attributes {ii = 1 : i32} {
      // CHECK: dfg.stream.read [%arg0 + %i1 * 64] {place = #dfg.place<pe 0, time 0, port 0>, routes = [#dfg.route<>, #dfg.route<>]} : vector<16xi32>
      %v = dfg.stream.read [%in + %i1 * 64] {place = #dfg.place<pe 0, time 0, port 0>, routes = [#dfg.route<>, #dfg.route<>]} : vector<16xi32>
      // CHECK: dfg.compute slide(%{{.*}}, %{{.*}}) {distances = array<i32: 0, 1>, immediate = 1 : i32} : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      %w = dfg.compute slide(%v, %v) {distances = array<i32: 0, 1>, immediate = 1 : i32} : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      // CHECK: dfg.reduce add(%{{.*}}) identity(0 : i32) {pe = 1 : i32, routes = [#dfg.route<0:1 bus, 1:2 link 0, 1:3 reg 2 delay 4>]} : (vector<16xi32>) -> i32
      %s = dfg.reduce add(%w) identity(0 : i32) {pe = 1 : i32, routes = [#dfg.route<0:1 bus, 1:2 link 0, 1:3 reg 2 delay 4>]} : (vector<16xi32>) -> i32
      dfg.yield %s : i32
    }
    dfg.return %r : i32
  }
}
