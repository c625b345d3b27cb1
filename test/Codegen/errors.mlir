// What code generation refuses, each at its source line.
// RUN: split-file %s %t
// RUN: not acis-llc %t/unmapped.mlir --control %S/Inputs/add.ll --config %overlays/tiny.json -o %t.s 2>&1 | FileCheck %s --check-prefix=UNMAPPED
// UNMAPPED: unmapped.mlir:4:12: error: 'dfg.stream.read' has no place; run dfg-map before code generation
// No output file is left behind.
// RUN: not ls %t.s
// RUN: not acis-llc %t/link.mlir --control %S/Inputs/add.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: link.mlir:6:7: error: route of an operand: no link from PE 0 to in-link 0 of PE 1
// RUN: not acis-llc %t/late.mlir --control %S/Inputs/add.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: late.mlir:5:12: error: route of operand 0 ends at PE 0 at 0 with a delay of 0; it is needed at PE 0 at 1, delays are less than 16
// RUN: not acis-llc %t/twice.mlir --control %S/Inputs/add.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: twice.mlir:6:12: error: two operations in one slot of PE 0
// RUN: not acis-llc %t/gap.mlir --control %S/Inputs/add.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=GAP
// GAP: gap.mlir:4:12: error: a stream is not accessed one element after the other within the loop (16 bytes an iteration, 1 accesses); read or write it in order
// What has no place of its own is at that of the loop.
// RUN: not acis-llc %t/noline.mlir --control %S/Inputs/add.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=NOLINE
// NOLINE: rows.c:7:3: error: a stream is not accessed
// RUN: not acis-llc %t/big.mlir --control %S/Inputs/add.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=BIG
// BIG: big.mlir:2:3: error: array 'x' needs 257 beats (33 vector registers) in VPE 0; 32 of 32 registers of 8 beats are free
// RUN: not acis-llc %t/nonest.mlir --control %S/Inputs/add.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=NONEST
// NONEST: add.c:5:3: error: 'acis.nest.add.k0' is called but there is no such loop nest
// RUN: not acis-llc %t/nonest.mlir --control %t/missing.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: {{.*}}missing.ll: Could not open input file

//--- unmapped.mlir
dfg.handler @add {
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 4 vf 4 lane_bits 32 attributes {ii = 1 : i32} {
      %v = dfg.stream.read [%in + %i1 * 16] : vector<4xi32>
      dfg.yield
    }
    dfg.return
  }
}

//--- link.mlir
dfg.handler @add {
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 4 vf 4 lane_bits 32 attributes {ii = 1 : i32} {
      %v = dfg.stream.read [%in + %i1 * 16] {place = #dfg.place<pe 0, time 0, port 0>} : vector<4xi32>
      %s = dfg.compute add(%v, %c) {place = #dfg.place<pe 0, time 0, port 0>, routes = [#dfg.route<0:0 bus>, #dfg.route<>]} : (vector<4xi32>, i32) -> vector<4xi32>
      dfg.stream.write %s, [%out + %i1 * 16] {place = #dfg.place<pe 1, time 2, port 0>, routes = [#dfg.route<0:1 bus, 1:2 link 0>, #dfg.route<>, #dfg.route<>]} : vector<4xi32>
      dfg.yield
    }
    dfg.return
  }
}

//--- late.mlir
dfg.handler @add {
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 4 vf 4 lane_bits 32 attributes {ii = 1 : i32} {
      %v = dfg.stream.read [%in + %i1 * 16] {place = #dfg.place<pe 0, time 0, port 0>} : vector<4xi32>
      %s = dfg.compute add(%v, %c) {place = #dfg.place<pe 0, time 1, port 0>, routes = [#dfg.route<0:0 bus>, #dfg.route<>]} : (vector<4xi32>, i32) -> vector<4xi32>
      dfg.yield
    }
    dfg.return
  }
}

//--- twice.mlir
dfg.handler @add {
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 4 vf 4 lane_bits 32 attributes {ii = 1 : i32} {
      %v = dfg.stream.read [%in + %i1 * 16] {place = #dfg.place<pe 0, time 0, port 0>} : vector<4xi32>
      %s = dfg.compute add(%v, %c) {place = #dfg.place<pe 0, time 0, port 0>, routes = [#dfg.route<0:0 bus>, #dfg.route<>]} : (vector<4xi32>, i32) -> vector<4xi32>
      %t = dfg.compute sub(%v, %c) {place = #dfg.place<pe 0, time 2, port 0>, routes = [#dfg.route<0:0 bus delay 2>, #dfg.route<>]} : (vector<4xi32>, i32) -> vector<4xi32>
      dfg.yield
    }
    dfg.return
  }
}

//--- gap.mlir
dfg.handler @add {
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 4 vf 4 lane_bits 32 attributes {ii = 1 : i32} {
      %v = dfg.stream.read [%in + %i1 * 32] {place = #dfg.place<pe 0, time 0, port 0>} : vector<4xi32>
      dfg.yield
    }
    dfg.return
  }
}

//--- big.mlir
dfg.handler @add {
  dfg.array @x : f32, [1028]
}

//--- noline.mlir
dfg.handler @add {
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 4 vf 4 lane_bits 32 attributes {ii = 1 : i32} {
      %v = dfg.stream.read [%in + %i1 * 32] {place = #dfg.place<pe 0, time 0, port 0>} : vector<4xi32> loc(unknown)
      dfg.yield
    } loc("rows.c":7:3)
    dfg.return
  }
}

//--- nonest.mlir
dfg.handler @add {
}
