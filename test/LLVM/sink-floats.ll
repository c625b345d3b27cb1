; A floating-point value that does not change in a loop is computed in the loop that uses it.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-sink-floats -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
; CHECK-LABEL: define void @scale(
; CHECK: entry:
; CHECK-NOT: fmul
; CHECK: body:
; CHECK: fmul float %a, %b
; CHECK: fmul float
define void @scale(ptr noalias %in, ptr noalias %out, float %a, float %b) {
entry:
  %ab = fmul float %a, %b
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds float, ptr %in, i32 %i
  %x = load float, ptr %p
  %y = fmul float %x, %ab
  %q = getelementptr inbounds float, ptr %out, i32 %i
  store float %y, ptr %q
  %next = add nuw nsw i32 %i, 1
  %c = icmp eq i32 %next, 64
  br i1 %c, label %end, label %body
end:
  ret void
}
; An integer stays where it is: the scalar unit has integers.
; CHECK-LABEL: define void @integer(
; CHECK: entry:
; CHECK-NEXT: mul i32 %a, %b
define void @integer(ptr noalias %out, i32 %a, i32 %b) {
entry:
  %ab = mul i32 %a, %b
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %q = getelementptr inbounds i32, ptr %out, i32 %i
  store i32 %ab, ptr %q
  %next = add nuw nsw i32 %i, 1
  %c = icmp eq i32 %next, 64
  br i1 %c, label %end, label %body
end:
  ret void
}
