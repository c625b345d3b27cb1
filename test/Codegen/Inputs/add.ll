target triple = "riscv32-unknown-elf"

define dso_local void @add(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) #0 !dbg !4 {
  %n = call i32 @acis.pktlen(), !dbg !7
  %count = lshr i32 %n, 2, !dbg !7
  %c = load i32, ptr %mem, align 4, !dbg !8
  call void @acis.nest.add.k0(i32 0, i32 0, i32 %c, i32 %count), !dbg !8
  call void @acis.setpktlen(i32 %n), !dbg !9
  ret void, !dbg !9
}

declare i32 @acis.pktlen()
declare void @acis.setpktlen(i32)
declare void @acis.nest.add.k0(i32, i32, i32, i32)

attributes #0 = { "acis.handler" "acis.in-bytes"="4" "acis.out-bytes"="4" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "add.c", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "add", scope: !1, file: !1, line: 3, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocation(line: 4, column: 16, scope: !4)
!8 = !DILocation(line: 5, column: 3, scope: !4)
!9 = !DILocation(line: 7, column: 8, scope: !4)
