// More of what code generation refuses, which the mapper does not hand on. errors.mlir has the others.
// DEFINE: %{llc} = acis-llc --control %S/Inputs/add.ll -o %t.s
// RUN: rm -rf %t %t.s && split-file %s %t
// RUN: not %{llc} %t/pushes.mlir --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=PUSHES
// PUSHES: pushes.mlir:6:7: error: the output stream is written twice in one cycle, or with two element types in one loop; split the loop
// RUN: not %{llc} %t/port.mlir --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=PORT
// PORT: port.mlir:5:12: error: two accesses of the memory port of one PE in a loop; the overlay has one address generator per port
// RUN: not %{llc} %t/step.mlir --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: step.mlir:4:12: error: the step of a position is not a constant; the address generators of the overlay have constant strides
// RUN: not %{llc} %t/file.mlir --config %overlays/mesh4x4-left.json 2>&1 | FileCheck %s --check-prefix=VRF
// VRF: file.mlir:2:3: error: array 'x' lives in VPE 1, which has no register file
// RUN: not %{llc} %t/bit.mlir --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=BIT
// BIT: bit.mlir:6:12: error: signed conversion of a 1-bit value to floating point; convert it to int first
// RUN: %python %S/Inputs/many-addresses.py 257 > %t/many.mlir
// RUN: not %{llc} %t/many.mlir --config %overlays/u280.json 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: many.mlir:261:7: error: more than 256 different array addresses in one PE
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])); d['pe']['arguments'] = 8; json.dump(d, sys.stdout)" %overlays/u280-full.json > %t/few.json
// RUN: not acis-llc %S/vector.mlir --control %S/Inputs/gcn.ll --config %t/few.json -o %t.s 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// ARGUMENTS: vector.mlir:81:5: error: copying to 16 VPEs needs 16 launch arguments; there are 8: make the step between the VPEs' parts a constant
// Nothing was written; what is within the limits is.
// RUN: not ls %t.s
// RUN: %python %S/Inputs/many-addresses.py 256 > %t/fits.mlir
// RUN: %{llc} %t/fits.mlir --config %overlays/u280.json

//--- pushes.mlir
dfg.handler @add {
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 4 vf 4 lane_bits 32 attributes {ii = 1 : i32} {
      %v = dfg.stream.read [%in + %i1 * 16] {place = #dfg.place<pe 0, time 0, port 0>} : vector<4xi32>
      dfg.stream.write %v, [%out + %i1 * 32] {place = #dfg.place<pe 0, time 0, port 0>, routes = [#dfg.route<0:0 bus>, #dfg.route<>, #dfg.route<>]} : vector<4xi32>
      dfg.stream.write %v, [%out + %i1 * 32 + 16] {place = #dfg.place<pe 0, time 1, port 0>, routes = [#dfg.route<0:0 bus delay 1>, #dfg.route<>, #dfg.route<>]} : vector<4xi32>
      dfg.yield
    }
    dfg.return
  }
}

//--- port.mlir
dfg.handler @add {
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 4 vf 4 lane_bits 32 attributes {ii = 2 : i32} {
      %v = dfg.mem.read [%in + %i1 * 16] {place = #dfg.place<pe 0, time 0, port 0>} : vector<4xi32>
      %w = dfg.mem.read [%in + %i1 * 16 + 64] {place = #dfg.place<pe 0, time 1, port 0>} : vector<4xi32>
      dfg.yield
    }
    dfg.return
  }
}

//--- step.mlir
dfg.handler @add {
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 4 vf 4 lane_bits 32 attributes {ii = 1 : i32} {
      %v = dfg.mem.read [%in + %c * %i1 * 4] {place = #dfg.place<pe 0, time 0, port 0>} : vector<4xi32>
      dfg.yield
    }
    dfg.return
  }
}

//--- file.mlir
dfg.handler @add {
  dfg.array @x : i32, [16] {home = 1 : i32, lane_bits = 32 : i32}
}

//--- bit.mlir
dfg.handler @add {
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 4 vf 4 lane_bits 32 attributes {ii = 2 : i32} {
      %v = dfg.stream.read [%in + %i1 * 16] {place = #dfg.place<pe 0, time 0, port 0>} : vector<4xi32>
      %b = dfg.compute slt(%v, %c) {place = #dfg.place<pe 0, time 0, port 0>, routes = [#dfg.route<0:0 bus>, #dfg.route<>]} : (vector<4xi32>, i32) -> vector<4xi1>
      %f = dfg.compute sitofp(%b) {place = #dfg.place<pe 0, time 1, port 0>, routes = [#dfg.route<0:1 bus>]} : (vector<4xi1>) -> vector<4xf32>
      dfg.yield
    }
    dfg.return
  }
}
