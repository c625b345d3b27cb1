// One index for all lanes is the first lane's where a PE has no gather; that of another lane needs one.
// RUN: sed 's/"gather": true/"gather": false/' %overlays/ecp5.json > %t.json
// RUN: sed 's/LANE/0/' %s > %t.first.mlir
// RUN: acis-opt %t.first.mlir --dfg-map='overlay=%t.json' | FileCheck %s
// RUN: sed 's/LANE/2/' %s > %t.third.mlir
// RUN: not acis-opt %t.third.mlir --dfg-map='overlay=%t.json' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: sed 's/"gather": false/"gather": true/' %overlays/ecp5.json > %t.gather.json
// RUN: acis-opt %t.third.mlir --dfg-map='overlay=%t.gather.json' | FileCheck %s

// CHECK: dfg.graph {{.*}}attributes {ii = {{[0-9]+}} : i32
// REFUSED: error: {{.*}}needs {{.*}}an index for each lane
dfg.handler @table {
  dfg.array @x : i32, [64, 4] {home = 0 : i32}
  dfg.nest @look(%in: i32) {
    dfg.graph (%i0, %i1) trip 64 inner 1 per 4 vf 4 lane_bits 32 {
      %w = dfg.stream.read [%in + %i1 * 16] : vector<4xi32>
      %x = dfg.vrf.read @x [0] index(%w * 16 : vector<4xi32>) {pe = 0 : i32, lane = LANE : i32} : vector<4xi32>
      dfg.stream.write %x, [%i1 * 16] : vector<4xi32>
    }
    dfg.return
  }
}
