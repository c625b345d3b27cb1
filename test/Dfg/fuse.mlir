// Each fusion beside a case that has to stay.
// RUN: acis-opt %s --dfg-fuse --cse | FileCheck %s

dfg.handler @h {
  dfg.array @x : f32, [64, 16] {home = 3 : i32}
  dfg.array @y : f32, [64, 16] {home = 4 : i32}

  // CHECK: dfg.nest @mac
  dfg.nest @mac(%in: i32, %out: i32, %n: i32) -> (f32) {
    %r = dfg.graph (%i0, %i1) trip %n inner 1 per 16 vf 16 lane_bits 32 -> (f32) {
      %a = dfg.stream.read [%in + %i1 * 64] : vector<16xf32>
      %b = dfg.compute fneg(%a) : (vector<16xf32>) -> vector<16xf32>
      // CHECK: %[[A:.*]] = dfg.stream.read
      // CHECK: %[[B:.*]] = dfg.compute fneg
      // The product is used twice: both nodes stay.
      // CHECK: %[[P:.*]] = dfg.compute fmul(%[[A]], %[[B]])
      %p = dfg.compute fmul(%a, %b) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      // CHECK: dfg.compute fadd(%[[A]], %[[P]])
      %s = dfg.compute fadd(%a, %p) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      // CHECK: dfg.compute fsub
      %t = dfg.compute fsub(%s, %p) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      // CHECK-NOT: fmul
      %q = dfg.compute fmul(%b, %a) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      // CHECK: %[[U:.*]] = dfg.compute fmac(%[[B]], %[[A]], %{{.*}})
      %u = dfg.compute fadd(%t, %q) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      dfg.stream.write %u, [%out + %i1 * 64] : vector<16xf32>
      %v = dfg.compute fmul(%u, %a) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      // CHECK: dfg.reduce fmac(%[[U]], %[[A]]) identity(0.000000e+00 : f32)
      %r = dfg.reduce fadd(%v) identity(0.0 : f32) : (vector<16xf32>) -> f32
      dfg.yield %r : f32
    }
    dfg.return %r : f32
  }

  // CHECK: dfg.nest @fields
  dfg.nest @fields(%in: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 {
      %c8 = dfg.const 8 : i32
      %m = dfg.const 255 : i32
      %odd = dfg.const 253 : i32
      // CHECK: %[[W:.*]] = dfg.stream.read
      %w = dfg.stream.read [%in + %i1 * 64] : vector<16xi32>
      %s = dfg.compute lshr(%w, %c8) : (vector<16xi32>, i32) -> vector<16xi32>
      %f = dfg.compute and(%s, %m) : (vector<16xi32>, i32) -> vector<16xi32>
      // 253 is no mask of low bits.
      // CHECK: %[[O:.*]] = dfg.compute and(
      %o = dfg.compute and(%w, %odd) : (vector<16xi32>, i32) -> vector<16xi32>
      // CHECK: dfg.vrf.read @x [0] index(%[[W]] * 16 : vector<16xi32>) {bits = 8 : i32, lane = 2 : i32, pe = 3 : i32, shift = 8 : i32}
      %x = dfg.vrf.read @x [0] index(%f * 16 : vector<16xi32>) {pe = 3 : i32, lane = 2 : i32} : vector<16xf32>
      // CHECK: dfg.vrf.read @y [0] index(%[[O]] * 16 : vector<16xi32>) {pe = 4 : i32}
      %y = dfg.vrf.read @y [0] index(%o * 16 : vector<16xi32>) {pe = 4 : i32} : vector<16xf32>
      %t = dfg.compute fadd(%x, %y) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      // The address of the read of @x: the register file keeps the order.
      // CHECK: dfg.vrf.write %{{.*}}, @x [0] index(%[[W]] * 16 : vector<16xi32>) interlock {bits = 8 : i32, lane = 2 : i32, pe = 3 : i32, shift = 8 : i32}
      dfg.vrf.write %t, @x [0] index(%f * 16 : vector<16xi32>) {pe = 3 : i32, lane = 2 : i32} : vector<16xf32>
      // Another lane's index: another address.
      // CHECK: dfg.vrf.write %{{.*}}, @x [0] index(%[[W]] * 16 : vector<16xi32>) {bits = 24 : i32, lane = 2 : i32, pe = 3 : i32, shift = 8 : i32}
      dfg.vrf.write %t, @x [0] index(%s * 16 : vector<16xi32>) {pe = 3 : i32, lane = 2 : i32} : vector<16xf32>
    }
    dfg.return
  }

  // CHECK: dfg.nest @guards
  dfg.nest @guards(%in: i32, %n: i32, %k: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 {
      %c63 = dfg.const 63 : i32
      %c65 = dfg.const 65 : i32
      %zero = dfg.const 0.0 : f32
      %w = dfg.stream.read [%in + %i1 * 64] : vector<16xi32>
      %f = dfg.compute ule(%w, %c63) : (vector<16xi32>, i32) -> vector<16xi1>
      %g = dfg.compute ult(%w, %k) : (vector<16xi32>, i32) -> vector<16xi1>
      %h = dfg.compute ult(%w, %c65) : (vector<16xi32>, i32) -> vector<16xi1>
      // CHECK: dfg.vrf.read @x {{.*}} {pe = 3 : i32, zero_limit = 64 : i32}
      %x = dfg.vrf.read @x [0] index(%w * 16 : vector<16xi32>) guarded {pe = 3 : i32} : vector<16xf32>
      %a = dfg.compute select(%f, %x, %zero) : (vector<16xi1>, vector<16xf32>, f32) -> vector<16xf32>
      // A limit that is not constant, and one beyond the array, which has to trap.
      // CHECK: %[[Y:.*]] = dfg.vrf.read @y {{.*}} guarded
      %y = dfg.vrf.read @y [0] index(%w * 16 : vector<16xi32>) guarded {pe = 4 : i32} : vector<16xf32>
      // CHECK: dfg.compute select(%{{.*}}, %[[Y]], %{{.*}})
      %b = dfg.compute select(%g, %y, %zero) : (vector<16xi1>, vector<16xf32>, f32) -> vector<16xf32>
      %s = dfg.compute fsub(%a, %b) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      // CHECK: dfg.vrf.write %{{.*}}, @x [0] index(%{{.*}}) interlock {pe = 3 : i32, zero_limit = 64 : i32}
      dfg.vrf.write %s, @x [0] index(%w * 16 : vector<16xi32>) if %f : vector<16xi1> {pe = 3 : i32} : vector<16xf32>
      // CHECK: dfg.vrf.write %{{.*}}, @y [0] index(%{{.*}}) if %{{.*}} : vector<16xi1> interlock {pe = 4 : i32}
      dfg.vrf.write %s, @y [0] index(%w * 16 : vector<16xi32>) if %h : vector<16xi1> {pe = 4 : i32} : vector<16xf32>
    }
    dfg.return
  }

  // Halves of an update with different limits keep their generators apart, so the
  // predicate stays; with one limit it goes.
  // CHECK: dfg.nest @halves
  dfg.nest @halves(%in: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 {
      %c32 = dfg.const 32 : i32
      %c64 = dfg.const 64 : i32
      %w = dfg.stream.read [%in + %i1 * 64] : vector<16xi32>
      %f = dfg.compute ult(%w, %c32) : (vector<16xi32>, i32) -> vector<16xi1>
      %g = dfg.compute ult(%w, %c64) : (vector<16xi32>, i32) -> vector<16xi1>
      %x = dfg.vrf.read @x [0] index(%w * 16 : vector<16xi32>) guarded {pe = 3 : i32} : vector<16xf32>
      %y = dfg.vrf.read @y [0] index(%w * 16 : vector<16xi32>) guarded {pe = 4 : i32} : vector<16xf32>
      %s = dfg.compute fneg(%x) : (vector<16xf32>) -> vector<16xf32>
      %t = dfg.compute fneg(%y) : (vector<16xf32>) -> vector<16xf32>
      // CHECK: dfg.vrf.write %{{.*}}, @x {{.*}} if %{{.*}} interlock {pe = 3 : i32}
      dfg.vrf.write %s, @x [0] index(%w * 16 : vector<16xi32>) if %f : vector<16xi1> {pe = 3 : i32} : vector<16xf32>
      // CHECK: dfg.vrf.write %{{.*}}, @y [0] index(%{{.*}}) interlock {pe = 4 : i32, zero_limit = 64 : i32}
      dfg.vrf.write %t, @y [0] index(%w * 16 : vector<16xi32>) if %g : vector<16xi1> {pe = 4 : i32} : vector<16xf32>
    }
    dfg.return
  }

  // CHECK: dfg.nest @narrow
  dfg.nest @narrow(%in: i32, %out: i32, %mem: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 16 vf 16 lane_bits 32 {
      // CHECK: %[[V:.*]] = dfg.stream.read [{{.*}}] signed as i8 : vector<16xi32>
      %v = dfg.stream.read [%in + %i1 * 16] : vector<16xi8>
      %w = dfg.compute sext(%v) : (vector<16xi8>) -> vector<16xi32>
      // Extended in two ways: the nodes stay.
      // CHECK: dfg.mem.read [{{.*}}] : vector<16xi8>
      %m = dfg.mem.read [%mem + %i1 * 16] : vector<16xi8>
      // CHECK: dfg.compute sext
      %a = dfg.compute sext(%m) : (vector<16xi8>) -> vector<16xi32>
      // CHECK: dfg.compute mov
      %b = dfg.compute mov(%m) : (vector<16xi8>) -> vector<16xi32>
      %s = dfg.compute add(%a, %b) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      // CHECK: %[[T:.*]] = dfg.compute add(%{{.*}}, %[[V]])
      %t = dfg.compute add(%s, %w) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      %u = dfg.compute mov(%t) : (vector<16xi32>) -> vector<16xi16>
      // CHECK: dfg.stream.write %[[T]], [{{.*}}] as i16 : vector<16xi32>
      dfg.stream.write %u, [%out + %i1 * 32] : vector<16xi16>
    }
    dfg.return
  }
}
