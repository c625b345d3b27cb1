// Address generators and the sharing of registers.
// RUN: acis-llc %s --control %S/Inputs/arrays.ll --config %overlays/u280-full.json --obj -o %t.o
// RUN: acis-objdump --config %overlays/u280-full.json -c %t.o | FileCheck %s

dfg.handler @h {
  // Two local arrays of 20 registers that are never live together, and a static one.
  dfg.array @a : f32, [40960] {home = 1 : i32, lane_bits = 32 : i32}
  dfg.array @b : f32, [40960] {home = 1 : i32, lane_bits = 32 : i32}
  dfg.array @s : f32, [4096] {home = 1 : i32, persistent, lane_bits = 32 : i32}

  // A gather: bits 16..31 of lane 3, rows of one beat; a read past the limit gives 0; a
  // launch argument in beats; a constant in front of a downward step stays in the argument.
  // CHECK-LABEL: context 0 of h
  // CHECK:        registers read 0x300007, written 0x0
  // CHECK:        pe 1:
  // CHECK-NEXT:     @0: beats 0 + [0, 300) + lane 3 of index (bits 16 .. 31), zero outside
  // CHECK-NEXT:     @1: beats 2560 + [0, 256) at args[0] + 0 * i0 + 1 * i1
  // CHECK-NEXT:     @2: beats 2562 + [0, 254) + 0 * i0 + 3 * i1
  // CHECK-NEXT:     @3: beats 2560 + [0, 256) at args[1] + 0 * i0 + -1 * i1
  // CHECK-NEXT:     slot 0: [0] vrf0 = @1; [0] vrf1 = @0 index stream
  // CHECK-NEXT:     slot 1: [0] vrf0 = @2; [0] vrf1 = @3
  dfg.nest @k0(%pos: i32, %n: i32, %row: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 attributes {ii = 2 : i32} {
      %w = dfg.stream.read [%pos + %i1 * 64] {place = #dfg.place<pe 0, time 0, port 0>} : vector<16xi32>
      %x = dfg.vrf.read @a [0] index(%w * 16 : vector<16xi32>) {pe = 1 : i32, lane = 3 : i32, shift = 16 : i32, bits = 16 : i32, zero_limit = 300 : i32, place = #dfg.place<pe 1, time 0, port 1>, routes = [#dfg.route<1:0 bus>]} : vector<16xf32>
      %y = dfg.vrf.read @s [%row * 16 + %i1 * 16] {pe = 1 : i32, place = #dfg.place<pe 1, time 0, port 0>} : vector<16xf32>
      %z = dfg.vrf.read @s [%i1 * 48 + 32] {pe = 1 : i32, place = #dfg.place<pe 1, time 1, port 0>} : vector<16xf32>
      %v = dfg.vrf.read @s [%i1 * -16 + 4080] {pe = 1 : i32, place = #dfg.place<pe 1, time 1, port 1>} : vector<16xf32>
    }
    dfg.return
  }

  // b lies where a was. The write is ordered behind the read (8 cycles
  // later, so with its index delayed).
  // CHECK-LABEL: context 1 of h
  // CHECK:        registers read 0xfffff, written 0xfffff
  // CHECK:        pe 1:
  // CHECK-NEXT:     @0: beats 0 + [0, 2560) + index
  // CHECK-NEXT:     slot 0: [0] vrf0 = @0 index stream; [0] fadd.f32 vrf0, #0x3f800000; [8] @0 = res index stream~8 interlock
  dfg.nest @k1(%pos: i32, %n: i32) {
    %one = dfg.const 1.0 : f32
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 attributes {ii = 1 : i32} {
      %w = dfg.stream.read [%pos + %i1 * 16] {place = #dfg.place<pe 0, time 0, port 0>} : vector<16xi8>
      %x = dfg.vrf.read @b [0] index(%w * 16 : vector<16xi8>) {pe = 1 : i32, place = #dfg.place<pe 1, time 0, port 0>, routes = [#dfg.route<1:0 bus>]} : vector<16xf32>
      %y = dfg.compute fadd(%x, %one) {place = #dfg.place<pe 1, time 0, port 0>, routes = [#dfg.route<1:0 bus>, #dfg.route<>]} : (vector<16xf32>, f32) -> vector<16xf32>
      dfg.vrf.write %y, @b [0] index(%w * 16 : vector<16xi8>) interlock {pe = 1 : i32, place = #dfg.place<pe 1, time 8, port 0>, routes = [#dfg.route<1:8 bus>, #dfg.route<1:0 bus delay 8>]} : vector<16xf32>
    }
    dfg.return
  }
}
