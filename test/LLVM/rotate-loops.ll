; Loops are tested at their end; a write of the output stream stays in its loop, of whatever is written.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-rotate-loops -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
; CHECK-LABEL: define void @fill(
; CHECK: body:
; CHECK-NEXT: phi i32
; CHECK-NEXT: store i32 7, ptr %out
; CHECK: br i1 {{.*}}, label %body
; CHECK-NOT: volatile
define void @fill(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %c = icmp slt i32 %i, 4
  br i1 %c, label %body, label %end
body:
  store i32 7, ptr %out
  %next = add nuw nsw i32 %i, 1
  br label %head
end:
  ret void
}
; CHECK-LABEL: define void @outside(
; CHECK: mul i32 %a, %a
; CHECK: phi i32
define void @outside(ptr noalias %out, i32 %a) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %c = icmp slt i32 %i, 4
  br i1 %c, label %body, label %end
body:
  %square = mul i32 %a, %a
  %p = getelementptr inbounds i32, ptr %out, i32 %i
  store i32 %square, ptr %p
  %next = add nuw nsw i32 %i, 1
  br label %head
end:
  ret void
}
