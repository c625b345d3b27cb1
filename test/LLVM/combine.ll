; Reads of the input stream keep their order and place, also when only a later block needs the value.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-combine -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
; CHECK-LABEL: define void @late(
; CHECK-NEXT: [[A:%.*]] = load i32, ptr %in
; CHECK: [[B:%.*]] = load i32, ptr
; CHECK: br i1
; CHECK: store i32 [[A]], ptr %out
; CHECK-NOT: volatile
; CHECK-NOT: fake.use
define void @late(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %a = load i32, ptr %in
  %p = getelementptr inbounds i32, ptr %in, i32 1
  %b = load i32, ptr %p
  %c = icmp sgt i32 %b, 0
  br i1 %c, label %then, label %end
then:
  store i32 %a, ptr %out
  br label %end
end:
  ret void
}
; What meets in a phi is not one read of one of two places.
; CHECK-LABEL: define void @two(
; CHECK: load i32, ptr %in
; CHECK: load i32, ptr %mem
; CHECK: phi i32
define void @two(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %n = load i32, ptr %len
  %c = icmp sgt i32 %n, 8
  br i1 %c, label %left, label %right
left:
  %a = load i32, ptr %in
  br label %join
right:
  %b = load i32, ptr %mem
  br label %join
join:
  %x = phi i32 [ %a, %left ], [ %b, %right ]
  store i32 %x, ptr %out
  ret void
}
; A guarded read that is joined with another would lose its mark.
; CHECK-LABEL: define void @guarded(
; CHECK: load i32, ptr %p, align 4, !acis.guarded
; CHECK: load i32, ptr %p, align 4, !acis.guarded
; CHECK-NOT: volatile
define void @guarded(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %array = alloca [32 x i32]
  %i = load i32, ptr %in
  %p = getelementptr i32, ptr %array, i32 %i
  %a = load i32, ptr %p, !acis.guarded !0
  %b = load i32, ptr %p, !acis.guarded !0
  %c = icmp slt i32 %i, 32
  %d = icmp slt i32 %i, 20
  %x = select i1 %c, i32 %a, i32 1
  %y = select i1 %d, i32 %b, i32 2
  %s = xor i32 %x, %y
  store i32 %s, ptr %out
  ret void
}
!0 = !{}
