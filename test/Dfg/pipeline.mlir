// The kinds of nests of import-contract.mlir go through to mapped graphs.
// RUN: acis-opt %s --dfg-pipeline='overlay=%overlays/u280-full.json' | FileCheck %s

dfg.handler @gcn_split {
  dfg.array @x : f32, [16, 256, 16] {per_vpe, persistent}
  dfg.array @acc : f32, [16, 3584, 16] {per_vpe, persistent}

  // CHECK: dfg.nest @load
  dfg.nest @load(%mem: i32, %xrows: i32) {
    // CHECK: dfg.graph (%i0, %i1, %vpe) trip %arg1 inner 1 per 1 vf 16 lane_bits 32 attributes {vpes = 16 : i32} {
    dfg.loop %p to 16 {
      dfg.loop %r to %xrows {
        dfg.loop %f to 16 {
          // CHECK-NEXT: dfg.mem.read [%arg0 + %vpe * %arg1 * 64 + %i1 * 64] : vector<16xf32>
          %v = dfg.mem.read [%mem + %p * %xrows * 64 + %r * 64 + %f * 4] : f32
          // CHECK-NEXT: dfg.vrf.write %{{.*}}, @x [%i1 * 16] : vector<16xf32>
          dfg.vrf.write %v, @x vpe(%p) [%r * 16 + %f] : f32
        }
      }
    }
    dfg.return
  }

  // CHECK: dfg.nest @accumulate
  dfg.nest @accumulate(%pos: i32, %beats: i32) {
    // CHECK: ii = 1 : i32
    dfg.loop %b to %beats {
      dfg.loop %p to 16 {
        // One pop for 16 VPEs; no node computes an index.
        // CHECK: %[[W:.*]] = dfg.stream.read
        // CHECK-NOT: dfg.stream.read
        // CHECK-NOT: dfg.compute and
        // CHECK-NOT: dfg.compute lshr
        %w = dfg.stream.read [%pos + %b * 64 + %p * 4] : i32
        %c16 = dfg.const 16 : i32
        %mask = dfg.const 65535 : i32
        %row = dfg.compute lshr(%w, %c16) : (i32, i32) -> i32
        %col = dfg.compute and(%w, %mask) : (i32, i32) -> i32
        dfg.loop %f to 16 {
          // CHECK: dfg.vrf.read @x [0] index(%[[W]] * 16 : vector<16xi32>) {bits = 16 : i32, lane = 0 : i32, {{.*}}pe = 0 : i32
          // CHECK: dfg.vrf.read @acc [0] index(%[[W]] * 16 : vector<16xi32>) {bits = 16 : i32, lane = 0 : i32, {{.*}}shift = 16 : i32
          // CHECK-COUNT-16: dfg.compute fadd
          // CHECK-COUNT-16: dfg.vrf.write {{.*}} interlock
          %xv = dfg.vrf.read @x vpe(%p) [%f] index(%col * 16 : i32) : f32
          %a = dfg.vrf.read @acc vpe(%p) [%f] index(%row * 16 : i32) : f32
          %s = dfg.compute fadd(%a, %xv) : (f32, f32) -> f32
          dfg.vrf.write %s, @acc vpe(%p) [%f] index(%row * 16 : i32) : f32
        }
      }
    }
    dfg.return
  }

  // CHECK: dfg.nest @drain
  dfg.nest @drain(%out: i32, %rows: i32) {
    // CHECK: ii = 1 : i32
    dfg.loop %r to %rows {
      dfg.loop %f to 16 {
        // The sum keeps its order: ((acc[0] + acc[1]) + acc[2]) ...
        // CHECK: %[[A0:.*]] = dfg.vrf.read @acc {{.*}}pe = 0 : i32
        // CHECK: %[[A1:.*]] = dfg.vrf.read @acc {{.*}}pe = 1 : i32
        // CHECK: %[[S1:.*]] = dfg.compute fadd(%[[A0]], %[[A1]])
        // CHECK: %[[A2:.*]] = dfg.vrf.read @acc {{.*}}pe = 2 : i32
        // CHECK: dfg.compute fadd(%[[S1]], %[[A2]])
        %zero = dfg.const 0.0 : f32
        %s0 = dfg.vrf.read @acc vpe(0) [%r * 16 + %f] : f32
        dfg.vrf.write %zero, @acc vpe(0) [%r * 16 + %f] : f32
        %sum = dfg.loop %q to 15 iter_args(%s = %s0) -> (f32) {
          %v = dfg.vrf.read @acc vpe(%q + 1) [%r * 16 + %f] : f32
          %t = dfg.compute fadd(%s, %v) : (f32, f32) -> f32
          dfg.vrf.write %zero, @acc vpe(%q + 1) [%r * 16 + %f] : f32
          dfg.yield %t : f32
        }
        dfg.stream.write %sum, [%out + %r * 64 + %f * 4] : f32
      }
    }
    dfg.return
  }
}

// The paper's output stationary form: one group of rows per step, its sum carried over 8.
dfg.handler @gcn_os {
  dfg.array @x : f32, [16, 64, 16] {per_vpe}
  dfg.array @acc : f32, [16, 16, 16] {per_vpe}
  // CHECK: dfg.nest @os
  dfg.nest @os(%in: i32, %n: i32) {
    // CHECK: dfg.graph (%i0, %i1) trip %arg1 inner 16 per 1 {{.*}} attributes {ii = 1 : i32
    dfg.loop %i to %n {
      dfg.loop %u to 16 {
        dfg.loop %c to 16 {
          dfg.loop %l to 16 {
            %idx = dfg.stream.read [%in + %i * 1024 + %u * 64 + %l * 4] : i32
            %k = dfg.const 64 : i32
            %zero = dfg.const 0.0 : f32
            // CHECK-NOT: dfg.compute ult
            // CHECK: dfg.vrf.read @x {{.*}}zero_limit = 64 : i32
            %ok = dfg.compute ult(%idx, %k) : (i32, i32) -> i1
            %x = dfg.vrf.read @x vpe(%c) [%l] index(%idx * 16 : i32) guarded : f32
            %v = dfg.compute select(%ok, %x, %zero) : (i1, f32, f32) -> f32
            %a = dfg.vrf.read @acc vpe(%c) [%u * 16 + %l] : f32
            %s = dfg.compute fadd(%a, %v) : (f32, f32) -> f32
            dfg.vrf.write %s, @acc vpe(%c) [%u * 16 + %l] : f32
          }
        }
      }
    }
    dfg.return
  }
}
