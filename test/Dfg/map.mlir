// Mapping on u280-full: intervals, order edges, and what does not fit.
// RUN: acis-opt %s --dfg-map='overlay=%overlays/u280-full.json' --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false | FileCheck %s

// Every node has a place, every wire a route; positions and scalars have none.
// CHECK-LABEL: dfg.handler @add
dfg.handler @add {
  dfg.nest @k(%in: i32, %out: i32, %n: i32, %c: i32) {
    // CHECK: dfg.graph {{.*}} attributes {ii = 1 : i32, rec_mii = 1 : i32, {{.*}}res_mii = 1 : i32
    dfg.graph (%i0, %i1) trip %n inner 1 per 16 vf 16 lane_bits 32 {
      // CHECK: dfg.stream.read {{.*}} {place = #dfg.place<pe {{[0-9]+}}, time [[T:[0-9]+]], port 0>, routes = [#dfg.route<>, #dfg.route<>]}
      %v = dfg.stream.read [%in + %i1 * 64] : vector<16xi32>
      // CHECK: dfg.compute add{{.*}} {place = {{.*}}, routes = [#dfg.route<{{[0-9]+}}:[[T]] bus{{.*}}>, #dfg.route<>]}
      %s = dfg.compute add(%v, %c) : (vector<16xi32>, i32) -> vector<16xi32>
      // CHECK: dfg.stream.write {{.*}} {place = {{.*}}, routes = [#dfg.route<{{.*}}bus{{.*}}>, #dfg.route<>, #dfg.route<>]}
      dfg.stream.write %s, [%out + %i1 * 64] : vector<16xi32>
    }
    dfg.return
  }
}

// -----

// The same beat is read and written in every iteration: the next read waits for the
// write, 6 cycles of the addition after it; beats of other iterations do not matter.
// CHECK-LABEL: dfg.handler @carried
dfg.handler @carried {
  dfg.array @a : i32, [1024] {home = 0 : i32, lane_bits = 32 : i32}
  // CHECK: dfg.nest @same
  // CHECK: dfg.graph {{.*}} attributes {ii = 7 : i32, rec_mii = 7 : i32
  dfg.nest @same(%in: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 {
      %v = dfg.stream.read [%in + %i1 * 64] : vector<16xi32>
      %a = dfg.vrf.read @a [0] {pe = 0 : i32} : vector<16xi32>
      %s = dfg.compute add(%v, %a) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      dfg.vrf.write %s, @a [0] {pe = 0 : i32} : vector<16xi32>
    }
    dfg.return
  }
  // CHECK: dfg.nest @moving
  // CHECK: dfg.graph {{.*}} attributes {ii = 1 : i32, rec_mii = 1 : i32
  dfg.nest @moving(%in: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 {
      %v = dfg.stream.read [%in + %i1 * 64] : vector<16xi32>
      %a = dfg.vrf.read @a [%i1 * 16] {pe = 0 : i32} : vector<16xi32>
      %s = dfg.compute add(%v, %a) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      dfg.vrf.write %s, @a [%i1 * 16] {pe = 0 : i32} : vector<16xi32>
    }
    dfg.return
  }
  // Any beat may be the one that the iteration before wrote, unless the file keeps order.
  // CHECK: dfg.nest @indexed
  // CHECK: dfg.graph {{.*}} attributes {ii = 7 : i32, rec_mii = 7 : i32
  dfg.nest @indexed(%in: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 {
      %v = dfg.stream.read [%in + %i1 * 64] : vector<16xi32>
      %a = dfg.vrf.read @a [0] index(%v * 16 : vector<16xi32>) {pe = 0 : i32} : vector<16xi32>
      %s = dfg.compute add(%v, %a) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      dfg.vrf.write %s, @a [0] index(%v * 16 : vector<16xi32>) {pe = 0 : i32} : vector<16xi32>
    }
    dfg.return
  }
  // CHECK: dfg.nest @interlock
  // CHECK: dfg.graph {{.*}} attributes {ii = 1 : i32, rec_mii = 1 : i32
  dfg.nest @interlock(%in: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 {
      %v = dfg.stream.read [%in + %i1 * 64] : vector<16xi32>
      %a = dfg.vrf.read @a [0] index(%v * 16 : vector<16xi32>) {pe = 0 : i32} : vector<16xi32>
      %s = dfg.compute add(%v, %a) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      dfg.vrf.write %s, @a [0] index(%v * 16 : vector<16xi32>) interlock {pe = 0 : i32} : vector<16xi32>
    }
    dfg.return
  }
  // Another field of the same word is another address: no interlock between them.
  // CHECK: dfg.nest @fields
  // CHECK: dfg.graph {{.*}} attributes {ii = 7 : i32, rec_mii = 7 : i32
  dfg.nest @fields(%in: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 {
      %v = dfg.stream.read [%in + %i1 * 64] : vector<16xi32>
      %a = dfg.vrf.read @a [0] index(%v * 16 : vector<16xi32>) {pe = 0 : i32} : vector<16xi32>
      %b = dfg.vrf.read @a [0] index(%v * 16 : vector<16xi32>) {pe = 0 : i32, shift = 8 : i32, bits = 8 : i32} : vector<16xi32>
      %s = dfg.compute add(%a, %b) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      dfg.vrf.write %s, @a [0] index(%v * 16 : vector<16xi32>) interlock {pe = 0 : i32} : vector<16xi32>
    }
    dfg.return
  }
}

// -----

// Two pops of an iteration keep their order, whatever order the nodes are in.
// CHECK-LABEL: dfg.handler @pops
dfg.handler @pops {
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    // CHECK: ii = 2 : i32
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 {
      // CHECK: dfg.stream.read [%arg0 + %i1 * 128 + 64] {place = #dfg.place<pe {{[0-9]+}}, time 1,
      %w = dfg.stream.read [%in + %i1 * 128 + 64] : vector<16xi32>
      // CHECK: dfg.stream.read [%arg0 + %i1 * 128] {place = #dfg.place<pe {{[0-9]+}}, time 0,
      %v = dfg.stream.read [%in + %i1 * 128] : vector<16xi32>
      %s = dfg.compute sub(%w, %v) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      dfg.stream.write %s, [%out + %i1 * 64] : vector<16xi32>
    }
    dfg.return
  }
}

// -----

dfg.handler @pinned {
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 16 vf 16 lane_bits 32 {
      %v = dfg.stream.read [%in + %i1 * 64] : vector<16xi32>
      // expected-error @+1 {{'sub#1' is pinned to PE 16; the overlay has 16 PEs}}
      %s = dfg.compute sub(%v, %v) {pe = 16 : i32} : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      dfg.stream.write %s, [%out + %i1 * 64] : vector<16xi32>
    }
    dfg.return
  }
}

// -----

dfg.handler @stores {
  dfg.nest @k(%in: i32, %mem: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 16 vf 16 lane_bits 32 {
      %v = dfg.stream.read [%in + %i1 * 64] : vector<16xi32>
      // expected-note @+1 {{the other one is here}}
      dfg.mem.write %v, [%mem + %i1 * 64] {pe = 0 : i32} : vector<16xi32>
      // expected-error @+1 {{memory is written at one place by two stores of a loop; write it once, or in two loops}}
      dfg.mem.write %v, [%mem + %i1 * 64 + 128] {pe = 1 : i32} : vector<16xi32>
    }
    dfg.return
  }
}

// -----

dfg.handler @memory {
  dfg.nest @k(%mem: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 16 vf 16 lane_bits 32 {
      // expected-error @+1 {{memory is read here that the same loop may have written, in this iteration or an earlier one; keep the value in a local array or a variable, or bound the loop if the places lie further apart}}
      %v = dfg.mem.read [%mem + %i1 * 64] : vector<16xi32>
      // expected-note @+1 {{written here}}
      dfg.mem.write %v, [%mem + %i1 * 64 + 64] : vector<16xi32>
    }
    dfg.return
  }
}

// -----

// One iteration has no earlier one; two have.
// CHECK-LABEL: dfg.handler @iterations
dfg.handler @iterations {
  dfg.array @a : i32, [1024] {home = 0 : i32, lane_bits = 32 : i32}
  // CHECK: dfg.nest @one
  // CHECK: dfg.graph {{.*}} attributes {ii = 1 : i32, rec_mii = 1 : i32
  dfg.nest @one(%mem: i32) {
    dfg.graph (%i0, %i1) trip 16 inner 1 per 16 vf 16 lane_bits 32 {
      %v = dfg.mem.read [%mem] : vector<16xi32>
      %a = dfg.vrf.read @a [0] {pe = 0 : i32} : vector<16xi32>
      %s = dfg.compute add(%v, %a) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
      dfg.mem.write %s, [%mem] : vector<16xi32>
      dfg.vrf.write %s, @a [0] {pe = 0 : i32} : vector<16xi32>
    }
    dfg.return
  }
  // What an iteration writes only the third one after it would read.
  // CHECK: dfg.nest @near
  // CHECK: dfg.graph {{.*}} attributes {ii = 1 : i32, rec_mii = 1 : i32
  dfg.nest @near(%mem: i32) {
    dfg.graph (%i0, %i1) trip 3 inner 1 per 1 vf 16 lane_bits 32 {
      %v = dfg.mem.read [%mem + %i1 * 64] : vector<16xi32>
      dfg.mem.write %v, [%mem + %i1 * 64 + 192] : vector<16xi32>
    }
    dfg.return
  }
}

// -----

dfg.handler @two_iterations {
  dfg.nest @k(%mem: i32) {
    dfg.graph (%i0, %i1) trip 17 inner 1 per 16 vf 16 lane_bits 32 {
      // expected-error @+1 {{memory is read here that the same loop may have written, in this iteration or an earlier one}}
      %v = dfg.mem.read [%mem] : vector<16xi32>
      // expected-note @+1 {{written here}}
      dfg.mem.write %v, [%mem] : vector<16xi32>
    }
    dfg.return
  }
}

// -----

// A context word holds two constants: the others of a node come from movs, and so do
// those of a port whose slot has none left (one PE and one slot have all of them here).
// CHECK-LABEL: dfg.handler @constants
dfg.handler @constants {
  dfg.array @a : i32, [16] {home = 0 : i32, lane_bits = 32 : i32}
  // CHECK: dfg.nest @node(%{{.*}}: i32, %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
  dfg.nest @node(%n: i32, %a: f32, %b: f32, %c: f32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 16 vf 16 lane_bits 32 {
      // CHECK: %[[MOV:.*]] = dfg.compute mov(%[[C]])
      // CHECK-NOT: mov
      // CHECK: dfg.compute fmac(%[[A]], %[[B]], %[[MOV]])
      %s = dfg.compute fmac(%a, %b, %c) : (f32, f32, f32) -> vector<16xf32>
      // CHECK: dfg.compute fmac(%[[A]], %[[B]], %[[A]])
      %t = dfg.compute fmac(%a, %b, %a) : (f32, f32, f32) -> vector<16xf32>
      %u = dfg.compute fadd(%s, %t) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      dfg.stream.write %u, [%i1 * 64] : vector<16xf32>
    }
    dfg.return
  }
  // CHECK: dfg.nest @slot(%{{.*}}: i32, %[[A:.*]]: i32, %[[B:.*]]: i32, %[[C:.*]]: i32)
  dfg.nest @slot(%n: i32, %a: i32, %b: i32, %c: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 {
      %v = dfg.stream.read [%i1 * 64] : vector<16xi32>
      %s = dfg.compute add(%v, %b) {pe = 0 : i32} : (vector<16xi32>, i32) -> vector<16xi32>
      // CHECK: %[[MOV:.*]] = dfg.compute mov(%[[C]])
      // CHECK: dfg.vrf.write %[[MOV]], @a
      dfg.vrf.write %c, @a [0] {pe = 0 : i32} : i32
      // CHECK: dfg.mem.write %[[A]]
      dfg.mem.write %a, [%i1 * 64] {pe = 0 : i32} : i32
      dfg.stream.write %s, [%i1 * 64] : vector<16xi32>
    }
    dfg.return
  }
}
