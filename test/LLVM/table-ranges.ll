; What is read from a table of constants is between the least and the largest of them; not from one that is
; written, of which a read is of another width, or which has all numbers.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-table-ranges -verify-each -S %s | FileCheck %s

@gaps = internal constant [4 x i32] [i32 23, i32 10, i32 4, i32 1]
@rows = internal constant [2 x [2 x i8]] [[2 x i8] c"\03\05", [2 x i8] zeroinitializer]
@signs = internal constant [2 x i16] [i16 -3, i16 2]
@written = internal global [2 x i32] [i32 1, i32 2]
@all = internal constant [2 x i1] [i1 false, i1 true]

; CHECK-LABEL: define void @reads(
define void @reads(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %k = load i32, ptr %len
  ; CHECK: load i32, ptr %gap, align 4, !range ![[GAPS:[0-9]+]]
  %gap = getelementptr i32, ptr @gaps, i32 %k
  %a = load i32, ptr %gap, align 4
  ; CHECK: load i8, ptr %row, align 1, !range ![[ROWS:[0-9]+]]
  %row = getelementptr [2 x i8], ptr @rows, i32 %k, i32 1
  %b = load i8, ptr %row, align 1
  ; CHECK: load i16, ptr %sign, align 2, !range ![[SIGNS:[0-9]+]]
  %sign = getelementptr i16, ptr @signs, i32 %k
  %c = load i16, ptr %sign, align 2
  ; CHECK: load i32, ptr %place, align 4{{$}}
  %place = getelementptr i32, ptr @written, i32 %k
  %d = load i32, ptr %place, align 4
  ; CHECK: load i8, ptr %gap, align 1{{$}}
  %e = load i8, ptr %gap, align 1
  ; CHECK: load i1, ptr @all, align 1{{$}}
  %f = load i1, ptr @all, align 1
  ret void
}
; CHECK-DAG: ![[GAPS]] = !{i32 1, i32 24}
; CHECK-DAG: ![[ROWS]] = !{i8 0, i8 6}
; CHECK-DAG: ![[SIGNS]] = !{i16 -3, i16 3}
