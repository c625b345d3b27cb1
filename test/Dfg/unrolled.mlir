// A graph that could be run in another way is asked for a mapping first: where one is easily found,
// dfg-map looks for the best as if there was no other way; where none is, the mark stays, and dfg-map
// does not look for long.
// RUN: acis-opt %s --dfg-spread-arrays='overlay=%overlays/tiny.json' | FileCheck %s
// RUN: not acis-opt %s --dfg-spread-arrays='overlay=%overlays/tiny.json' --dfg-map='overlay=%overlays/tiny.json' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MAP
// CHECK: dfg.nest @easy()
// CHECK-NOT: unrolled
// CHECK: dfg.nest @large() attributes {unrolled}
// MAP: error: loop not mapped: initiation interval would be at least 17 (17 stream reads on one port); 16 context slots are allowed
dfg.handler @h {
  dfg.array @x : i32, [64] {home = 1 : i32, lane_bits = 32 : i32}
  dfg.nest @easy() attributes {unrolled} {
    dfg.graph (%i0, %i1) trip 64 inner 1 per 1 vf 1 lane_bits 32 attributes {scalar} {
      %a = dfg.vrf.read @x [%i1] {pe = 1 : i32} : vector<1xi32>
      dfg.stream.write %a, [%i1 * 4] : vector<1xi32>
    }
    dfg.return
  }
}
dfg.handler @g {
  dfg.array @y : i32, [64] {home = 1 : i32, lane_bits = 32 : i32}
  dfg.nest @large() attributes {unrolled} {
    dfg.graph (%i0, %i1) trip 64 inner 1 per 1 vf 1 lane_bits 32 attributes {scalar} {
      %a = dfg.vrf.read @y [%i1] {pe = 1 : i32} : vector<1xi32>
      %v0 = dfg.stream.read [%i1 * 68] : vector<1xi32>
      %v1 = dfg.stream.read [%i1 * 68 + 4] : vector<1xi32>
      %v2 = dfg.stream.read [%i1 * 68 + 8] : vector<1xi32>
      %v3 = dfg.stream.read [%i1 * 68 + 12] : vector<1xi32>
      %v4 = dfg.stream.read [%i1 * 68 + 16] : vector<1xi32>
      %v5 = dfg.stream.read [%i1 * 68 + 20] : vector<1xi32>
      %v6 = dfg.stream.read [%i1 * 68 + 24] : vector<1xi32>
      %v7 = dfg.stream.read [%i1 * 68 + 28] : vector<1xi32>
      %v8 = dfg.stream.read [%i1 * 68 + 32] : vector<1xi32>
      %v9 = dfg.stream.read [%i1 * 68 + 36] : vector<1xi32>
      %v10 = dfg.stream.read [%i1 * 68 + 40] : vector<1xi32>
      %v11 = dfg.stream.read [%i1 * 68 + 44] : vector<1xi32>
      %v12 = dfg.stream.read [%i1 * 68 + 48] : vector<1xi32>
      %v13 = dfg.stream.read [%i1 * 68 + 52] : vector<1xi32>
      %v14 = dfg.stream.read [%i1 * 68 + 56] : vector<1xi32>
      %v15 = dfg.stream.read [%i1 * 68 + 60] : vector<1xi32>
      %v16 = dfg.stream.read [%i1 * 68 + 64] : vector<1xi32>
      %s0 = dfg.compute add(%a, %v0) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s1 = dfg.compute add(%s0, %v1) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s2 = dfg.compute add(%s1, %v2) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s3 = dfg.compute add(%s2, %v3) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s4 = dfg.compute add(%s3, %v4) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s5 = dfg.compute add(%s4, %v5) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s6 = dfg.compute add(%s5, %v6) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s7 = dfg.compute add(%s6, %v7) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s8 = dfg.compute add(%s7, %v8) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s9 = dfg.compute add(%s8, %v9) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s10 = dfg.compute add(%s9, %v10) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s11 = dfg.compute add(%s10, %v11) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s12 = dfg.compute add(%s11, %v12) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s13 = dfg.compute add(%s12, %v13) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s14 = dfg.compute add(%s13, %v14) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s15 = dfg.compute add(%s14, %v15) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      %s16 = dfg.compute add(%s15, %v16) : (vector<1xi32>, vector<1xi32>) -> vector<1xi32>
      dfg.stream.write %s16, [%i1 * 4] : vector<1xi32>
    }
    dfg.return
  }
}
