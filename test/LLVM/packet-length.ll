; The packet's length is read once, less than 2^31; other reads are values. What a loop writes is written at the end.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-packet-length -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"

; CHECK-LABEL: define void @readAgain(
; CHECK: [[N:%.*]] = load i32, ptr %len, align 4, !range [[RANGE:![0-9]+]]
; CHECK: store i32 [[N]], ptr %out
; CHECK: store i32 4, ptr %len
; CHECK-NOT: load
; CHECK: store i32 4, ptr %mem
define void @readAgain(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
  %n = load i32, ptr %len, align 4
  store i32 %n, ptr %out, align 4
  store i32 4, ptr %len, align 4
  %m = load i32, ptr %len, align 4
  store i32 %m, ptr %mem, align 4
  ret void
}

; CHECK-LABEL: define void @counted(
; CHECK: loop:
; CHECK-NOT: ptr %len
; CHECK: done:
; CHECK-NEXT: store i32 %{{.*}}, ptr %len
; CHECK-NEXT: ret void
define void @counted(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
entry:
  br label %loop
loop:
  %old = load i32, ptr %len, align 4
  %new = add i32 %old, 1
  store i32 %new, ptr %len, align 4
  %again = icmp ult i32 %new, 100
  br i1 %again, label %loop, label %done
done:
  ret void
}

; Not of the length's type: nothing is known of what is read.
; CHECK-LABEL: define void @half(
; CHECK: load i32, ptr %len, align 4{{$}}
; CHECK: load i16, ptr %len, align 4{{$}}
define void @half(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
  %n = load i32, ptr %len, align 4
  %half = load i16, ptr %len, align 4
  ret void
}
; CHECK: [[RANGE]] = !{i32 0, i32 -2147483648}
