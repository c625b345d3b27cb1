; What both sides of an if do is done once, but for accesses of two places.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-simplify -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@t = internal global [8 x i32] zeroinitializer
@u = internal global [8 x i32] zeroinitializer
; CHECK-LABEL: define void @once(
; CHECK: store i32 {{.*}}, ptr %out
; CHECK-NOT: store
; CHECK: ret void
define void @once(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %n = load i32, ptr %len
  %c = icmp sgt i32 %n, 8
  br i1 %c, label %left, label %right
left:
  store i32 1, ptr %out
  br label %join
right:
  store i32 2, ptr %out
  br label %join
join:
  ret void
}
; CHECK-LABEL: define void @two_arrays(
; CHECK-DAG: store i32 1, ptr
; CHECK-DAG: store i32 2, ptr
; CHECK-NOT: select {{.*}} ptr
; CHECK-NOT: phi ptr
; CHECK-NOT: fake.use
; CHECK: ret void
define void @two_arrays(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %n = load i32, ptr %len
  %c = icmp sgt i32 %n, 8
  br i1 %c, label %left, label %right
left:
  %a = getelementptr inbounds i32, ptr @t, i32 3
  store i32 1, ptr %a
  br label %join
right:
  %b = getelementptr inbounds i32, ptr @u, i32 5
  store i32 2, ptr %b
  br label %join
join:
  ret void
}
