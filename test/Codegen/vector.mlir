// Transfers as vector instructions: groups of registers, masks, steps between VPEs. The
// loader reads the binary, which proves what has become a context.
// RUN: acis-llc %s --control %S/Inputs/gcn.ll --config %overlays/u280-full.json --obj -o %t.o
// RUN: acis-objdump --config %overlays/u280-full.json %t.o | FileCheck %s

// CHECK: handler gcn: {{.*}} 1 contexts
// Many values are live here, but the handler returns to nobody: no register is saved.
// CHECK-NOT:  addi sp
// One load for all 16 VPEs, xrows * 64 bytes apart, xrows * 16 elements each, v28 and v29.
// CHECK:      streamin [[ROWS:x[0-9]+]], x0, 2
// CHECK:      csrw 2049, [[ALL:[a-z0-9]+]]
// CHECK:      slli [[STRIDE:[a-z0-9]+]], a0, 6
// CHECK:      slli [[N:[a-z0-9]+]], a0, 4
// CHECK:      csrw 2050, [[STRIDE]]
// CHECK:      vsetvli zero, [[N]], e32, m2, tu, mu
// CHECK-NEXT: vle32.v v28, (a2)

// One element of memory for each beat of 28 registers: 16 (vlmul code 4), 8 and 4.
// CHECK:      csrw 2050,
// CHECK-NEXT: vsetvli zero, [[N]], 20
// CHECK-NEXT: vlb32.v v0, (x12)
// CHECK:      e32, m8, tu, mu
// CHECK-NEXT: vlb32.v v16, (x
// CHECK:      e32, m4, tu, mu
// CHECK-NEXT: vlb32.v v24, (x

// A load of narrower elements cannot be one.
// CHECK:      acis.arg 15,
// CHECK:      acis.launch 0, [[ROWS]], x0

// Zeros in VPEs 0 and 3 (mask 9).
// CHECK:      csrwi 2049, 9
// CHECK-NEXT: vsetvli zero, [[N]], 20
// CHECK-NEXT: vmv.v.i v0, 0
// CHECK-NEXT: vsetvli zero, {{[a-z0-9]+}}, e32, m8, tu, mu
// CHECK-NEXT: vmv.v.i v16, 0
// CHECK-NEXT: vsetvli zero, {{[a-z0-9]+}}, e32, m4, tu, mu
// CHECK-NEXT: vmv.v.i v24, 0

// The store has to wait for the loads. It starts at the second register of x, at most
// 100 elements.
// CHECK-NEXT: acis.sync
// CHECK-NEXT: csrwi 2049, 4
// CHECK-NEXT: csrwi 2050, 0
// CHECK-NEXT: li a0, 100
// CHECK-NEXT: vsetvli zero, a0, e32, m1, tu, mu
// CHECK-NEXT: vse32.v v29,

// CHECK:      csrwi 2049, 2
// CHECK-NEXT: vsetvli zero, {{[a-z0-9]+}}, e32, m2, tu, mu
// CHECK-NEXT: streamout.v v28, x0
// CHECK-NEXT: wfi

// CHECK:      context 0 of gcn
// CHECK:        pe 15:
// CHECK-NEXT:     @0: beats 3840 + [0, 128) + 0 * i0 + 1 * i1
// CHECK-NEXT:     memin: 2-byte splat at args[15] + 0 + 0 * i0 + 2 * i1
// CHECK-NEXT:     slot 0: [0] memin; [0] @0 = memin
dfg.handler @gcn {
  dfg.array @x : f32, [16, 256, 16] {per_vpe, persistent, lane_bits = 32 : i32}
  dfg.array @acc : f32, [16, 3584, 16] {per_vpe, persistent, lane_bits = 32 : i32}
  dfg.array @n : i32, [16, 128, 16] {per_vpe, persistent, lane_bits = 32 : i32}
  // One vle32.v on all VPEs; the step from VPE to VPE is known at run time only.
  dfg.nest @load(%mem: i32, %xrows: i32) {
    dfg.graph (%i0, %i1, %p) trip %xrows inner 1 per 1 vf 16 lane_bits 32 attributes {vpes = 16 : i32} {
      %v = dfg.mem.read [%mem + %p * %xrows * 64 + %i1 * 64] : vector<16xf32>
      dfg.vrf.write %v, @x [%i1 * 16] : vector<16xf32>
    }
    dfg.return
  }
  // The same with an element of memory in every lane of a beat.
  dfg.nest @splat(%mem: i32, %n: i32) {
    dfg.graph (%i0, %i1, %p) trip %n inner 1 per 1 vf 16 lane_bits 32 attributes {vpes = 16 : i32} {
      %v = dfg.mem.read [%mem + %p * %n * 4 + %i1 * 4] splat : vector<16xf32>
      dfg.vrf.write %v, @acc [%i1 * 16] : vector<16xf32>
    }
    dfg.return
  }
  // None: 16 arguments, one for each memory port.
  dfg.nest @narrow(%mem: i32, %n: i32) {
    dfg.graph (%i0, %i1, %p) trip %n inner 1 per 1 vf 16 lane_bits 32 attributes {vpes = 16 : i32} {
      %v = dfg.mem.read [%mem + %p * %n * 2 + %i1 * 2] splat as i16 : vector<16xi32>
      dfg.vrf.write %v, @n [%i1 * 16] : vector<16xi32>
    }
    dfg.return
  }
  // 28 registers in groups that are powers of two; those past the length do nothing.
  dfg.nest @zero(%rows: i32) {
    %z = dfg.const 0.0 : f32
    dfg.graph (%i0, %i1) trip %rows inner 1 per 1 vf 16 lane_bits 32 attributes {ii = 1 : i32} {
      dfg.vrf.write %z, @acc [%i1 * 16] {pe = 0 : i32} : f32
      dfg.vrf.write %z, @acc [%i1 * 16] {pe = 3 : i32} : f32
    }
    dfg.return
  }
  dfg.nest @store(%mem: i32) {
    dfg.graph (%i0, %i1) trip 100 inner 1 per 16 vf 16 lane_bits 32 attributes {ii = 1 : i32} {
      %v = dfg.vrf.read @x [%i1 * 16 + 2048] {pe = 2 : i32} : vector<16xf32>
      dfg.mem.write %v, [%mem + %i1 * 64 + 8] : vector<16xf32>
    }
    dfg.return
  }
  dfg.nest @send(%out: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 2 per 1 vf 16 lane_bits 32 attributes {ii = 1 : i32} {
      %v = dfg.vrf.read @x [%i1 * 32 + %i0 * 16] {pe = 1 : i32} : vector<16xf32>
      dfg.stream.write %v, [%out + %i1 * 128 + %i0 * 64] : vector<16xf32>
    }
    dfg.return
  }
}
