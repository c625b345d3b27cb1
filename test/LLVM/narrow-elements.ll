; Variables of which parts are accessed have elements of the size of these parts.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-narrow-elements -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
; The least access counts: bytes. A matrix stays one, and a number becomes an array.
; CHECK: @table = internal global [2 x [2 x [4 x i8]]] {{.*}}[4 x i8] c"\01\02\03\04"
; CHECK-SAME: [4 x i8] c"\00\00\80?"
@table = internal global [2 x [2 x i32]] [[2 x i32] [i32 67305985, i32 1065353216], [2 x i32] [i32 5, i32 6]]
; CHECK: @shared = internal global [4 x i32]
@shared = internal global [4 x i32] zeroinitializer
; CHECK-LABEL: define i32 @parts(
; CHECK: %words = alloca [4 x [4 x i8]]
; CHECK: %number = alloca [4 x i16]
; CHECK: %whole = alloca [4 x i32]
define i32 @parts(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %words = alloca [4 x i32]
  %number = alloca i64
  %whole = alloca [4 x i32]
  %i = load i32, ptr %in
  %p = getelementptr i8, ptr %words, i32 %i
  store i16 1, ptr %p
  store i8 2, ptr %p
  %q = getelementptr i16, ptr %number, i32 %i
  store i16 3, ptr %q
  %r = getelementptr i32, ptr %whole, i32 %i
  store i64 4, ptr %r
  %s = getelementptr i8, ptr @table, i32 %i
  %t = load i8, ptr %s
  %u = getelementptr i8, ptr @shared, i32 %i
  %v = load i8, ptr %u
  %sum = add i8 %t, %v
  %result = zext i8 %sum to i32
  ret i32 %result
}
; Used by another handler, too.
define i32 @other(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %r = load i32, ptr @shared
  ret i32 %r
}
