// Copies per VPE, what stays shared, and what cannot be copied.
// RUN: acis-opt %s --dfg-replicate='overlay=%overlays/u280-full.json' --split-input-file --verify-diagnostics | FileCheck %s

// The loop over VPEs moves inside of the loop over features; the index of the word
// differs per VPE, the shared value %v does not.
// CHECK-LABEL: dfg.handler @middle
dfg.handler @middle {
  // CHECK: dfg.array @x : f32, [2, 16] {lane_bits = 32 : i32, per_vpe}
  dfg.array @x : f32, [2, 16] {per_vpe}
  // The first array of one copy lives on the last PE.
  // CHECK: dfg.array @y : f32, [16] {home = 15 : i32, lane_bits = 32 : i32}
  dfg.array @y : f32, [16]
  dfg.nest @k(%in: i32, %n: i32) {
    // CHECK: dfg.loop %[[B:.*]] to
    dfg.loop %b to %n {
      // CHECK-NOT: dfg.loop %{{.*}} to 2
      dfg.loop %p to 2 {
        // CHECK: dfg.stream.read [%arg0 + %[[B]] * 8] {origin = [[W:.*]]}
        // CHECK: dfg.stream.read [%arg0 + %[[B]] * 8 + 4] {origin = [[W]]}
        %w = dfg.stream.read [%in + %b * 8 + %p * 4] : i32
        // CHECK: dfg.loop %[[F:.*]] to 16
        dfg.loop %f to 16 {
          // CHECK: dfg.vrf.read @y
          // CHECK-NOT: dfg.vrf.read @y
          %v = dfg.vrf.read @y [%f] : f32
          // CHECK: dfg.vrf.write %{{.*}}, @x vpe(0)
          // CHECK: dfg.vrf.write %{{.*}}, @x vpe(1)
          dfg.vrf.write %v, @x vpe(%p) [%f] : f32
        }
      }
    }
    dfg.return
  }
}

// -----

// A copy from memory without gaps stays one loop; with a gap it does not.
// CHECK-LABEL: dfg.handler @load
dfg.handler @load {
  dfg.array @x : f32, [16, 64, 16] {per_vpe}
  // CHECK: dfg.nest @whole
  dfg.nest @whole(%mem: i32, %rows: i32) {
    // CHECK: dfg.loop %{{.*}} to 16 attributes {rolled}
    dfg.loop %p to 16 {
      dfg.loop %r to %rows {
        dfg.loop %f to 16 {
          %v = dfg.mem.read [%mem + %p * %rows * 64 + %r * 64 + %f * 4] : f32
          dfg.vrf.write %v, @x vpe(%p) [%r * 16 + %f] : f32
        }
      }
    }
    dfg.return
  }
  // CHECK: dfg.nest @gaps
  // CHECK-NOT: rolled
  // CHECK: dfg.return
  dfg.nest @gaps(%mem: i32, %rows: i32) {
    dfg.loop %p to 16 {
      dfg.loop %r to %rows {
        dfg.loop %f to 16 {
          %v = dfg.mem.read [%mem + %p * %rows * 64 + %r * 128 + %f * 4] : f32
          dfg.vrf.write %v, @x vpe(%p) [%r * 16 + %f] : f32
        }
      }
    }
    dfg.return
  }
  // The stream takes the slices in turn.
  // CHECK: dfg.nest @send
  dfg.nest @send(%out: i32) {
    // CHECK: dfg.loop %{{.*}} to 16 attributes {rolled}
    dfg.loop %p to 16 {
      dfg.loop %r to 64 {
        dfg.loop %f to 16 {
          %v = dfg.vrf.read @x vpe(%p) [%r * 16 + %f] : f32
          dfg.stream.write %v, [%out + %p * 4096 + %r * 64 + %f * 4] : f32
        }
      }
    }
    dfg.return
  }
}

// -----

// 64-bit values widen the array, and through it the nest that has none.
// CHECK-LABEL: dfg.handler @wide
dfg.handler @wide {
  // CHECK: dfg.array @x : i32, [16] {home = 15 : i32, lane_bits = 64 : i32}
  dfg.array @x : i32, [16]
  // CHECK: dfg.array @y : i32, [16] {home = 14 : i32, lane_bits = 64 : i32}
  dfg.array @y : i32, [16]
  // CHECK: dfg.array @z : i32, [16] {home = 13 : i32, lane_bits = 32 : i32}
  dfg.array @z : i32, [16]
  dfg.nest @a(%in: i32) {
    dfg.loop %i to 16 {
      %v = dfg.stream.read [%in + %i * 8] : i64
      %w = dfg.compute mov(%v) : (i64) -> i32
      dfg.vrf.write %w, @x [%i] : i32
    }
    dfg.return
  }
  dfg.nest @b() {
    dfg.loop %i to 16 {
      %v = dfg.vrf.read @x [%i] : i32
      dfg.vrf.write %v, @y [%i] : i32
    }
    dfg.return
  }
}

// -----

dfg.handler @many {
  // expected-error @+1 {{array 'x' is split over 32 VPEs; overlay 'u280-full' has 16 with a register file: size it with ACIS_VPES}}
  dfg.array @x : f32, [32, 16] {per_vpe}
}

// -----

dfg.handler @beyond {
  dfg.array @x : f32, [16, 16] {per_vpe}
  dfg.nest @k() {
    dfg.loop %p to 16 {
      dfg.loop %f to 16 {
        %zero = dfg.const 0.0 : f32
        // expected-error @+1 {{array 'x' has no part for VPE 16; it has 16}}
        dfg.vrf.write %zero, @x vpe(%p + 1) [%f] : f32
      }
    }
    dfg.return
  }
}

// -----

dfg.handler @dynamic {
  dfg.array @x : f32, [16, 16] {per_vpe}
  dfg.nest @k(%n: i32) {
    // expected-error @+1 {{the loop over VPEs has a trip count that is not constant; use ACIS_VPES}}
    dfg.loop %p to %n {
      dfg.loop %f to 16 {
        %zero = dfg.const 0.0 : f32
        dfg.vrf.write %zero, @x vpe(%p) [%f] : f32
      }
    }
    dfg.return
  }
}

// -----

dfg.handler @shared {
  dfg.array @x : f32, [16, 16] {per_vpe}
  dfg.array @y : f32, [16]
  dfg.nest @k() {
    dfg.loop %p to 16 {
      dfg.loop %f to 16 {
        %v = dfg.vrf.read @x vpe(%p) [%f] : f32
        // expected-error @+1 {{array 'y' is written by every VPE; make it ACIS_PER_VPE}}
        dfg.vrf.write %v, @y [%f] : f32
      }
    }
    dfg.return
  }
}

// -----

// All of a nest is a loop over VPEs: its copies are one iteration, and what it carries comes from it.
// CHECK-LABEL: dfg.handler @once
dfg.handler @once {
  dfg.array @x : i32, [2, 64] {per_vpe}
  // CHECK: dfg.nest @put
  dfg.nest @put(%j: i32, %v: i32) {
    // CHECK: dfg.loop %{{.*}} to 1 {
    // CHECK: dfg.vrf.write %arg1, @x vpe(0) [%arg0]
    // CHECK-NEXT: dfg.vrf.write %arg1, @x vpe(1) [%arg0]
    // CHECK-NEXT: {{^ *}$}}
    dfg.loop %p to 2 {
      dfg.vrf.write %v, @x vpe(%p) [%j] : i32
    }
    dfg.return
  }
  // CHECK: dfg.nest @sum
  dfg.nest @sum(%j: i32, %init: i32) -> (i32) {
    // CHECK: %[[SUM:.*]] = dfg.loop %{{.*}} to 1 iter_args(%{{.*}} = %arg1) -> (i32) {
    // CHECK: %[[A:.*]] = dfg.compute add(%arg1,
    // CHECK: %[[B:.*]] = dfg.compute add(%[[A]],
    // CHECK: dfg.yield %[[B]]
    // CHECK: dfg.return %[[SUM]]
    %sum = dfg.loop %p to 2 iter_args(%s = %init) -> (i32) {
      %v = dfg.vrf.read @x vpe(%p) [%j] : i32
      %t = dfg.compute add(%s, %v) : (i32, i32) -> i32
      dfg.yield %t : i32
    }
    dfg.return %sum : i32
  }
}
