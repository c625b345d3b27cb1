; What a branch is expected to do is forgotten; its condition stays.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-ignore-expectations -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
; CHECK-LABEL: define i32 @likely(
; CHECK-NEXT: [[C:%.*]] = icmp eq i32 %a, 7
; CHECK-NEXT: select i1 [[C]], i32 1, i32 2
define i32 @likely(i32 %a) {
  %c = icmp eq i32 %a, 7
  %e = call i1 @llvm.expect.i1(i1 %c, i1 true)
  %r = select i1 %e, i32 1, i32 2
  ret i32 %r
}
; CHECK-LABEL: define i32 @probable(
; CHECK-NOT: call
; CHECK: ret i32 %a
define i32 @probable(i32 %a) {
  %e = call i32 @llvm.expect.with.probability.i32(i32 %a, i32 3, double 0.9)
  ret i32 %e
}
