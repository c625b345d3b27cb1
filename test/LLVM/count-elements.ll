; What indexes an array in bytes counts its elements.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-count-elements -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@x = internal global [64 x i32] zeroinitializer
; CHECK-LABEL: define i32 @choice(
; CHECK: [[E:%.*]] = select i1 %c, i32 %i, i32 2
; CHECK: getelementptr {{.*}}i32, ptr @x, i32 [[E]]
define i32 @choice(i32 %i, i1 %c) {
  %b = shl nuw nsw i32 %i, 2
  %s = select i1 %c, i32 %b, i32 8
  %p = getelementptr inbounds i8, ptr @x, i32 %s
  %v = load i32, ptr %p
  ret i32 %v
}
; A distance that may be within an element stays.
; CHECK-LABEL: define i32 @odd(
; CHECK: getelementptr inbounds i8, ptr @x, i32 %s
define i32 @odd(i32 %i, i1 %c) {
  %b = shl nuw nsw i32 %i, 2
  %s = select i1 %c, i32 %b, i32 6
  %p = getelementptr inbounds i8, ptr @x, i32 %s
  %v = load i32, ptr %p
  ret i32 %v
}
