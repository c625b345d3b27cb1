// How loops become lanes and sequencer levels, and what a value is then.
// RUN: acis-opt %s --dfg-replicate='overlay=%overlays/u280-full.json' --dfg-lanes='overlay=%overlays/u280-full.json' --cse --split-input-file | FileCheck %s

// One loop of any length: the last iteration has n % 16 active lanes.
// CHECK-LABEL: dfg.handler @strip
dfg.handler @strip {
  // CHECK: dfg.nest @k(%[[IN:.*]]: i32, %[[OUT:.*]]: i32, %[[N:.*]]: i32, %[[C:.*]]: i64)
  dfg.nest @k(%in: i32, %out: i32, %n: i32, %c: i64) {
    // 64-bit values: 8 lanes.
    // CHECK: dfg.graph (%i0, %i1) trip %[[N]] inner 1 per 8 vf 8 lane_bits 64
    dfg.loop %i to %n {
      // CHECK: dfg.stream.read [%[[IN]] + %i1 * 64] : vector<8xi64>
      %v = dfg.stream.read [%in + %i * 8] : i64
      // CHECK: dfg.compute add(%{{.*}}, %[[C]]) : (vector<8xi64>, i64) -> vector<8xi64>
      %s = dfg.compute add(%v, %c) : (i64, i64) -> i64
      // CHECK: dfg.stream.write %{{.*}}, [%[[OUT]] + %i1 * 64]
      dfg.stream.write %s, [%out + %i * 8] : i64
    }
    dfg.return
  }
}

// -----

// Two levels, the inner one constant; an inner loop of 32 is two beats.
// CHECK-LABEL: dfg.handler @levels
dfg.handler @levels {
  dfg.array @a : f32, [2, 4, 32]
  dfg.nest @k(%in: i32, %n: i32) {
    // CHECK: dfg.graph (%i0, %i1) trip %arg1 inner 8 per 1 vf 16 lane_bits 32
    dfg.loop %i to %n {
      dfg.loop %j to 4 {
        dfg.loop %l to 32 {
          // CHECK: dfg.stream.read [%arg0 + %i0 * 64 + %i1 * 512]
          %v = dfg.stream.read [%in + %i * 512 + %j * 128 + %l * 4] : f32
          // CHECK: dfg.vrf.write %{{.*}}, @a [%i0 * 16 + 128] {pe = 15 : i32}
          dfg.vrf.write %v, @a [%j * 32 + %l + 128] : f32
        }
      }
    }
    dfg.return
  }
}

// -----

// Word p of a beat belongs to VPE p: one pop, one index node for all, lane p of it.
// CHECK-LABEL: dfg.handler @words
dfg.handler @words {
  dfg.array @x : i32, [16, 64, 32] {per_vpe}
  dfg.nest @k(%in: i32, %n: i32) {
    dfg.loop %b to %n {
      dfg.loop %p to 16 {
        %w = dfg.stream.read [%in + %b * 64 + %p * 4] : i32
        %c1 = dfg.const 1 : i32
        %i = dfg.compute add(%w, %c1) : (i32, i32) -> i32
        dfg.loop %f to 16 {
          // CHECK: %[[W:.*]] = dfg.stream.read
          // CHECK-NOT: dfg.stream.read
          // CHECK: %[[I:.*]] = dfg.compute add(%[[W]], %{{.*}})
          // CHECK-NOT: dfg.compute add
          // Rows are two beats.
          // CHECK: %[[B:.*]] = dfg.compute shl(%[[I]], %{{.*}})
          // CHECK-NOT: dfg.compute
          // CHECK: dfg.vrf.write %{{.*}}, @x [16] index(%[[B]] * 16 : vector<16xi32>) {lane = 0 : i32, origin = [[O:.*]], pe = 0 : i32}
          // CHECK: dfg.vrf.write %{{.*}}, @x [16] index(%[[B]] * 16 : vector<16xi32>) {lane = 15 : i32, origin = [[O]], pe = 15 : i32}
          dfg.vrf.write %c1, @x vpe(%p) [%f + 16] index(%i * 32 : i32) : i32
        }
      }
    }
    dfg.return
  }
}

// -----

// One element for all lanes: of an array (lane 3 of its beat), of memory (splat), of the
// stream (splat: 8 words are no whole beat).
// CHECK-LABEL: dfg.handler @splat
dfg.handler @splat {
  dfg.array @k : f32, [16]
  dfg.array @y : f32, [8, 16] {per_vpe}
  dfg.nest @a(%in: i32, %mem: i32, %n: i32) {
    dfg.loop %i to %n {
      dfg.loop %p to 8 {
        // CHECK-COUNT-8: dfg.stream.read [{{.*}}] splat
        %s = dfg.stream.read [%in + %i * 32 + %p * 4] : f32
        dfg.loop %l to 16 {
          // CHECK: %[[K:.*]] = dfg.vrf.read @k [0]
          %k = dfg.vrf.read @k [3] : f32
          // CHECK: %[[M:.*]] = dfg.mem.read [%arg1 + %i1 * 4] splat
          %m = dfg.mem.read [%mem + %i * 4] : f32
          // CHECK: %[[K3:.*]] = dfg.compute lane(%[[K]]) {immediate = 3 : i32}
          // CHECK: dfg.compute fmul(%[[K3]], %[[M]])
          %t = dfg.compute fmul(%k, %m) : (f32, f32) -> f32
          %u = dfg.compute fadd(%s, %t) : (f32, f32) -> f32
          dfg.vrf.write %u, @y vpe(%p) [%l] : f32
        }
      }
    }
    dfg.return
  }
}

// -----

// A window: the beat shifted by one and by two lanes, zeros before the start; and one
// that starts at another value.
// CHECK-LABEL: dfg.handler @window
dfg.handler @window {
  dfg.nest @k(%in: i32, %out: i32, %n: i32, %start: i32) {
    %zero = dfg.const 0 : i32
    dfg.loop %i to %n iter_args(%a = %zero, %b = %zero, %c = %start) -> (i32, i32, i32) {
      // CHECK: %[[X:.*]] = dfg.stream.read
      %x = dfg.stream.read [%in + %i * 4] : i32
      // CHECK: dfg.compute slide(%[[X]], %[[X]]) {distances = array<i32: 0, 1>, immediate = 1 : i32}
      // CHECK: dfg.compute slide(%[[X]], %[[X]]) {distances = array<i32: 0, 1>, immediate = 2 : i32}
      %s = dfg.compute add(%a, %b) : (i32, i32) -> i32
      // CHECK: %[[SUM:.*]] = dfg.compute add
      // CHECK: %[[E:.*]] = dfg.compute iota()
      // CHECK: %[[FIRST:.*]] = dfg.compute eq(%[[E]], %{{.*}})
      // CHECK: dfg.compute select(%[[FIRST]], %arg3, %{{.*}})
      %t = dfg.compute xor(%s, %c) : (i32, i32) -> i32
      dfg.stream.write %t, [%out + %i * 4] : i32
      dfg.yield %x, %a, %x : i32, i32, i32
    }
    dfg.return
  }
}

// -----

// The iterations of a loop of one beat hand values on as well.
// CHECK-LABEL: dfg.handler @beat
dfg.handler @beat {
  dfg.nest @k(%in: i32, %out: i32) {
    %zero = dfg.const 0 : i32
    dfg.loop %i to 16 iter_args(%a = %zero) -> (i32) {
      // CHECK: %[[X:.*]] = dfg.stream.read
      // CHECK: dfg.compute slide(%[[X]], %[[X]])
      %x = dfg.stream.read [%in + %i * 4] : i32
      %s = dfg.compute add(%a, %x) : (i32, i32) -> i32
      dfg.stream.write %s, [%out + %i * 4] : i32
      dfg.yield %x : i32
    }
    dfg.return
  }
}

// -----

// A number of a loop that is written, or an index, is used: its level is not one with others.
// CHECK-LABEL: dfg.handler @numbers
dfg.handler @numbers {
  dfg.array @a : i32, [4, 4, 16]
  // CHECK: attributes {scalar = "loop nest needs 3 levels besides the lanes
  dfg.nest @k(%n: i32) {
    dfg.loop %i to %n {
      dfg.loop %j to 4 {
        dfg.loop %k to 4 {
          dfg.loop %l to 16 {
            dfg.vrf.write %j, @a [%j * 64 + %k * 16 + %l] : i32
          }
        }
      }
    }
    dfg.return
  }
}

// -----

// Reductions: the start value is combined after the loop, or is the identity.
// CHECK-LABEL: dfg.handler @starts
dfg.handler @starts {
  dfg.nest @k(%in: i32, %n: i32, %start: i32) -> (i32, i32) {
    %seven = dfg.const 7 : i32
    // CHECK: %[[R:.*]]:2 = dfg.graph
    %r:2 = dfg.loop %i to %n iter_args(%s = %start, %m = %seven) -> (i32, i32) {
      %v = dfg.stream.read [%in + %i * 4] : i32
      // CHECK: dfg.reduce add(%{{.*}}) identity(0 : i32)
      %t = dfg.compute add(%s, %v) : (i32, i32) -> i32
      // CHECK: dfg.reduce smax(%{{.*}}) identity(7 : i32)
      %u = dfg.compute smax(%v, %m) : (i32, i32) -> i32
      dfg.yield %t, %u : i32, i32
    }
    // CHECK: %[[T:.*]] = dfg.compute add(%arg2, %[[R]]#0) : (i32, i32) -> i32
    // CHECK: dfg.return %[[T]], %[[R]]#1
    dfg.return %r#0, %r#1 : i32, i32
  }
}

// -----

// Loop indices as values: lane, and iteration = element / 16.
// CHECK-LABEL: dfg.handler @indices
dfg.handler @indices {
  dfg.nest @k(%out: i32, %n: i32) {
    dfg.loop %i to %n {
      dfg.loop %l to 16 {
        // CHECK: %[[E:.*]] = dfg.compute iota() : () -> vector<16xi32>
        // CHECK: dfg.compute lshr(%[[E]], %{{.*}})
        // CHECK: dfg.compute and(%{{.*}}, %{{.*}})
        %s = dfg.compute mul(%i, %l) : (i32, i32) -> i32
        dfg.stream.write %s, [%out + %i * 64 + %l * 4] : i32
      }
    }
    dfg.return
  }
}

// -----

// An index made of words of a splat stream is the same in all lanes: lane 0 names it.
// CHECK-LABEL: dfg.handler @sum_of_fields
dfg.handler @sum_of_fields {
  dfg.array @t : i32, [64, 16]
  dfg.nest @k(%in: i32, %n: i32) {
    dfg.loop %i to %n {
      %c15 = dfg.const 15 : i32
      %c28 = dfg.const 28 : i32
      %w = dfg.stream.read [%in + %i * 4] : i32
      %a = dfg.compute and(%w, %c15) : (i32, i32) -> i32
      %b = dfg.compute lshr(%w, %c28) : (i32, i32) -> i32
      %s = dfg.compute add(%a, %b) : (i32, i32) -> i32
      dfg.loop %l to 16 {
        // CHECK: dfg.vrf.read @t {{.*}} {lane = 0 : i32, pe = 15 : i32}
        %v = dfg.vrf.read @t [%l] index(%s * 16 : i32) : i32
        dfg.stream.write %v, [%i * 64 + %l * 4] : i32
      }
    }
    dfg.return
  }
}
