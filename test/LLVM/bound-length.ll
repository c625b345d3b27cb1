; The packet's length has a range, so that ends of loops do not wrap round; other memory has none.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-bound-length -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
; CHECK-LABEL: define void @handler(
; CHECK: load i32, ptr %len, align 4, !range [[RANGE:![0-9]+]]
; CHECK: load i16, ptr %len, align 4{{$}}
; CHECK: load i32, ptr %mem, align 4{{$}}
; CHECK: [[RANGE]] = !{i32 0, i32 -2147483648}
define void @handler(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
  %n = load i32, ptr %len, align 4
  %half = load i16, ptr %len, align 4
  %m = load i32, ptr %mem, align 4
  ret void
}
