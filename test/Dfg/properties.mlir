// What holds behind the mapper is checked by what the module is, not by which passes ran.
// RUN: not acis-opt %s --dfg-verify-mapped 2>&1 | FileCheck %s --check-prefix=ARRAYS
// ARRAYS: error: internal error: not 'placed arrays' behind dfg-map
// RUN: not acis-opt %s --pass-pipeline='builtin.module(dfg.handler(dfg-replicate{overlay=%overlays/u280-full.json}),dfg-verify-mapped)' 2>&1 | FileCheck %s --check-prefix=GRAPHS
// GRAPHS: error: internal error: not 'flat graphs' behind dfg-map
// RUN: not acis-opt %s --dfg-transforms='overlay=%overlays/u280-full.json' --dfg-verify-mapped 2>&1 | FileCheck %s --check-prefix=MAPPED
// MAPPED: error: internal error: not 'mapped graphs' behind dfg-map
// RUN: acis-opt %s --dfg-pipeline='overlay=%overlays/u280-full.json' --dfg-verify-mapped | FileCheck %s
// CHECK: ii = 1 : i32
dfg.handler @copy {
  dfg.array @x : i32, [256]
  dfg.nest @load(%n: i32) {
    dfg.loop %i to %n {
      %v = dfg.stream.read [%i * 4] : i32
      dfg.vrf.write %v, @x [%i] : i32
    }
    dfg.return
  }
}
