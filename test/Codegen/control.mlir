// Control code without loops on the grid: our instructions, their order with the memory,
// and what the scalar unit does not have.
// RUN: split-file %s %t
// RUN: acis-llc %t/empty.mlir --control %t/good.ll --config %overlays/tiny.json --obj -o %t.o
// RUN: acis-objdump --config %overlays/tiny.json -d %t.o | FileCheck %s

// Two ways to the end; constants as operands; positions from stream pointers.
// CHECK:      two:
// CHECK:      streamin [[A:x[0-9]+]], x0, 5
// CHECK:      acis.tile {{x[0-9]+}}, [[A]], {{x[0-9]+}}
// CHECK:      csrwi 2048, 0
// CHECK-NEXT: {{.*}}wfi
// CHECK-NEXT: {{.*}}streamout x0, {{x[0-9]+}}, 1
// CHECK-NEXT: {{.*}}wfi
// CHECK-NOT:  ret

// RUN: not acis-llc %t/empty.mlir --control %t/float.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=FLOAT
// FLOAT: f.c:7:9: error: handler 'f' needs floating-point arithmetic ('__addsf3') outside of a mapped loop; the scalar unit has 32-bit integers and a stack only
// RUN: not acis-llc %t/empty.mlir --control %t/divide.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=DIVIDE
// DIVIDE: error: handler 'f' needs 64-bit division or shift ('__udivdi3') outside of a mapped loop
// RUN: not acis-llc %t/empty.mlir --control %t/copy.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=COPY
// COPY: error: handler 'f' needs a block copy or fill ('memcpy') outside of a mapped loop
// RUN: not acis-llc %t/empty.mlir --control %t/table.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE: error: handler 'f' needs variable 'table' in memory outside of a mapped loop
// RUN: not acis-llc %t/empty.mlir --control %t/format.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: 'acis.streamin' needs a constant format: log2 of 1, 2 or 4 bytes, plus 4 if signed (input only)
// RUN: not acis-llc %t/empty.mlir --control %t/unknown.ll --config %overlays/tiny.json 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown operation 'acis.bogus'
// A switch makes branches, not a table.
// RUN: acis-llc %t/empty.mlir --control %t/switch.ll --config %overlays/tiny.json -o %t.s
// RUN: acis-llc --assemble %t.s -o %t.o
// RUN: llvm-readelf -S %t.o | FileCheck %s --check-prefix=SWITCH
// SWITCH-NOT: .rodata

//--- empty.mlir
module {}

//--- good.ll
target triple = "riscv32-unknown-elf"
define void @two(ptr %in, ptr %out, ptr %mem, ptr %len) #0 {
  %a = call i32 @acis.streamin(i32 0, i32 5)
  %q = getelementptr inbounds i8, ptr %in, i32 %a
  %p = ptrtoint ptr %q to i32
  %t = call i32 @acis.tile(i32 %p, i32 %a)
  %c = icmp eq i32 %t, 7
  br i1 %c, label %yes, label %no
yes:
  call void @acis.setpktlen(i32 0)
  ret void
no:
  call void @acis.streamout(i32 %t, i32 0, i32 1)
  ret void
}
declare i32 @acis.streamin(i32, i32)
declare i32 @acis.tile(i32, i32)
declare void @acis.setpktlen(i32)
declare void @acis.streamout(i32, i32, i32)
attributes #0 = { "acis.handler" }

//--- float.ll
target triple = "riscv32-unknown-elf"
define void @f(ptr %in, ptr %out, ptr %mem, ptr %len) #0 !dbg !4 {
  %a = load float, ptr %mem, align 4
  %b = fadd float %a, 1.0, !dbg !7
  store float %b, ptr %mem, align 4
  ret void
}
attributes #0 = { "acis.handler" }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "f.c", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocation(line: 7, column: 9, scope: !4)

//--- divide.ll
target triple = "riscv32-unknown-elf"
define void @f(ptr %in, ptr %out, ptr %mem, ptr %len) #0 {
  %a = load i64, ptr %mem, align 8
  %b = load i64, ptr %len, align 8
  %c = udiv i64 %a, %b
  store i64 %c, ptr %mem, align 8
  ret void
}
attributes #0 = { "acis.handler" }

//--- copy.ll
target triple = "riscv32-unknown-elf"
define void @f(ptr %in, ptr %out, ptr %mem, ptr %len) #0 {
  %to = getelementptr i8, ptr %mem, i32 4096
  call void @llvm.memcpy.p0.p0.i32(ptr %to, ptr %mem, i32 1000, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
attributes #0 = { "acis.handler" }

//--- table.ll
target triple = "riscv32-unknown-elf"
@table = internal constant [4 x i32] [i32 9, i32 1, i32 8, i32 4]
define void @f(ptr %in, ptr %out, ptr %mem, ptr %len) #0 {
  %i = load i32, ptr %mem, align 4
  %p = getelementptr [4 x i32], ptr @table, i32 0, i32 %i
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %mem, align 4
  ret void
}
attributes #0 = { "acis.handler" }

//--- format.ll
target triple = "riscv32-unknown-elf"
define void @f(ptr %in, ptr %out, ptr %mem, ptr %len) #0 {
  %a = call i32 @acis.streamin(i32 0, i32 3)
  ret void
}
declare i32 @acis.streamin(i32, i32)
attributes #0 = { "acis.handler" }

//--- unknown.ll
target triple = "riscv32-unknown-elf"
define void @f(ptr %in, ptr %out, ptr %mem, ptr %len) #0 {
  call void @acis.bogus()
  ret void
}
declare void @acis.bogus()
attributes #0 = { "acis.handler" }

//--- switch.ll
target triple = "riscv32-unknown-elf"
define void @f(ptr %in, ptr %out, ptr %mem, ptr %len) #0 {
  %a = load i32, ptr %mem, align 4
  switch i32 %a, label %z [ i32 0, label %p i32 1, label %q i32 2, label %r i32 3, label %s i32 4, label %t i32 5, label %u ]
p:
  store i32 31, ptr %mem
  ret void
q:
  store i32 17, ptr %mem
  ret void
r:
  store i32 99, ptr %mem
  ret void
s:
  store i32 2, ptr %mem
  ret void
t:
  store i32 77, ptr %mem
  ret void
u:
  store i32 5, ptr %mem
  ret void
z:
  ret void
}
attributes #0 = { "acis.handler" }
