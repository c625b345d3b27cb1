; Ways that are never taken are removed, and what is only on them.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-fold-branches -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
; CHECK-LABEL: define i32 @never(
; CHECK-NOT: br i1
; CHECK-NOT: mul
; CHECK: ret i32
define i32 @never(i32 %a) {
  br i1 true, label %end, label %dead
dead:
  %m = mul i32 %a, 3
  br label %end
end:
  %r = phi i32 [ %a, %0 ], [ %m, %dead ]
  ret i32 %r
}
; CHECK-LABEL: define i32 @maybe(
; CHECK: br i1 %c
define i32 @maybe(i32 %a, i1 %c) {
  br i1 %c, label %end, label %other
other:
  %m = mul i32 %a, 3
  br label %end
end:
  %r = phi i32 [ %a, %0 ], [ %m, %other ]
  ret i32 %r
}
