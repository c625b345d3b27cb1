; A loop that had more arguments than a launch takes reads what it computes with from
; arrays beyond half of them: not what says where it reads, or how often it runs.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-loop-arguments -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
; CHECK-LABEL: define i64 @many(
; CHECK: [[FLAG:%.*]] = alloca [1 x i8]
; CHECK: [[LAST:%.*]] = alloca [1 x i64]
; CHECK: [[NINTH:%.*]] = alloca [1 x i64]
; CHECK: store i64 %i, ptr [[NINTH]]
; CHECK: store i64 %j, ptr [[LAST]]
; CHECK: [[BYTE:%.*]] = zext i1 %flag to i8
; CHECK: store i8 [[BYTE]], ptr [[FLAG]]
; CHECK: loop:
; CHECK: load i8, ptr [[FLAG]]
; CHECK: [[READ:%.*]] = load i64, ptr [[LAST]]
; CHECK: getelementptr i64, ptr %in, i32 %place
; CHECK: mul i64 %x, %h
; CHECK: mul i64 %x, [[READ]]
; CHECK: icmp ult i32 %k.next, %n
define i64 @many(ptr noalias %in, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, i64 %i, i64 %j, i1 %flag, i32 %start, i32 %n) "acis.handler" "acis.array-arguments"="many.c:7:3" !dbg !3 {
entry:
  br label %loop, !dbg !5
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %loop ]
  %place = add i32 %k, %start
  %at = getelementptr i64, ptr %in, i32 %place
  %x = load i64, ptr %at
  %ma = mul i64 %x, %a
  %sa = xor i64 %x, %ma
  %mb = mul i64 %x, %b
  %sb = xor i64 %sa, %mb
  %mc = mul i64 %x, %c
  %sc = xor i64 %sb, %mc
  %md = mul i64 %x, %d
  %sd = xor i64 %sc, %md
  %me = mul i64 %x, %e
  %se = xor i64 %sd, %me
  %mf = mul i64 %x, %f
  %sf = xor i64 %se, %mf
  %mg = mul i64 %x, %g
  %sg = xor i64 %sf, %mg
  %mh = mul i64 %x, %h
  %sh = xor i64 %sg, %mh
  %mi = mul i64 %x, %i
  %si = xor i64 %sh, %mi
  %mj = mul i64 %x, %j
  %sj = xor i64 %si, %mj
  %s5 = select i1 %flag, i64 %sj, i64 %x
  %sum.next = add i64 %sum, %s5
  %k.next = add nuw nsw i32 %k, 1
  %again = icmp ult i32 %k.next, %n
  br i1 %again, label %loop, label %exit, !dbg !5
exit:
  %r = phi i64 [ %sum.next, %loop ]
  ret i64 %r
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "many.c", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "many", scope: !1, file: !1, line: 5, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 7, column: 3, scope: !3)
