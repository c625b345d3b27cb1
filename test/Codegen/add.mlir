// A mapped loop, from the dialect and the control code to assembly: slots and links of
// the context, launch arguments, iterations and tail, source lines. The ELF file is the
// one that llvm-mc writes, and needs no linker.
// RUN: acis-llc %s --control %S/Inputs/add.ll --config %overlays/tiny.json -o %t.s
// RUN: FileCheck %s < %t.s
// RUN: acis-llc --assemble %t.s -o %t.o
// RUN: llvm-mc -triple riscv32 -mattr=+m,+v -filetype=obj %t.s -o %t.mc.o
// RUN: cmp %t.o %t.mc.o
// RUN: llvm-readelf -r %t.o | FileCheck %s --check-prefix=RELOC
// RUN: acis-llc %s --control %S/Inputs/add.ll --config %overlays/tiny.json --obj -o %t2.o
// RUN: cmp %t.o %t2.o
// RELOC: There are no relocations in this file

// CHECK:      .Lacis_text:
// CHECK:      add:
// CHECK:      .Lacis_line0:
// CHECK-NEXT: csrr [[LEN:a[0-9]+]], 2048
// The pointer to the memory is in a2 at the entry.
// CHECK:      lw [[C:[a-z0-9]+]], 0(a2)
// CHECK:      # acis.arg 0, [[C]]
// Both streams start at position 0.
// CHECK:      # acis.arg 1, zero
// CHECK:      # acis.arg 2, zero
// CHECK:      # acis.launch 0,
// CHECK:      csrw 2048, [[LEN]]
// CHECK-NEXT: wfi
// CHECK-NOT:  ret

// CHECK:      .section .acis.ctx
// CHECK:      # context 0: acis.nest.add.k0
// CHECK-NEXT: #   II 1, 3 stages, 32-bit lanes, inner 1, 3 arguments, 0 results
// CHECK-NEXT: #   stream in: 4-byte from args[1]; stream out: 4-byte at args[2]
// CHECK-NEXT: #   [0] pop in slot 0
// CHECK-NEXT: #   pe 0:
// CHECK-NEXT: #     slot 0: [0] add.i32 stream, args[0]; out0 = res
// CHECK-NEXT: #   pe 1:
// CHECK-NEXT: #     slot 0: [2] streamout = link1

// CHECK:      .section .acis.lines
// CHECK:      # context 0 pe 0 slot 0: {{.*}}add.mlir:
// CHECK:      # context 0 pe 1 slot 0: {{.*}}add.mlir:
// CHECK:      .word 0xffffffff, .Lacis_line0-.Lacis_text, {{[0-9]+}}, 4 # add.c:4
dfg.handler @add {
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 4 vf 4 lane_bits 32 attributes {ii = 1 : i32} {
      %v = dfg.stream.read [%in + %i1 * 16] {place = #dfg.place<pe 0, time 0, port 0>} : vector<4xi32>
      %s = dfg.compute add(%v, %c) {place = #dfg.place<pe 0, time 0, port 0>, routes = [#dfg.route<0:0 bus>, #dfg.route<>]} : (vector<4xi32>, i32) -> vector<4xi32>
      dfg.stream.write %s, [%out + %i1 * 16] {place = #dfg.place<pe 1, time 2, port 0>, routes = [#dfg.route<0:1 bus, 1:2 link 1>, #dfg.route<>, #dfg.route<>]} : vector<4xi32>
      dfg.yield
    }
    dfg.return
  }
}
