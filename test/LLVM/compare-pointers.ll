; Pointers into different objects are not equal; none of those into an object is null.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-compare-pointers -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@table = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
; CHECK-LABEL: define void @different(
; CHECK: store i1 false, ptr %out
; CHECK: store i1 true, ptr %out
; CHECK: store i1 false, ptr %out
; CHECK: store i1 true, ptr %out
define void @different(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %array = alloca [4 x i32]
  %p = getelementptr i32, ptr %mem, i32 3
  %null = icmp eq ptr %p, null
  store i1 %null, ptr %out
  %two = icmp ne ptr %in, %mem
  store i1 %two, ptr %out
  %own = icmp eq ptr %array, %p
  store i1 %own, ptr %out
  %c = load i1, ptr %in
  %either = select i1 %c, ptr %in, ptr %array
  %no = icmp ne ptr %either, @table
  store i1 %no, ptr %out
  ret void
}
; One object, one of two, and null perhaps.
; CHECK-LABEL: define void @left(
; CHECK: icmp ult ptr
; CHECK: icmp eq ptr
; CHECK: icmp eq ptr
define void @left(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %p = getelementptr i32, ptr %in, i32 3
  %less = icmp ult ptr %in, %p
  store i1 %less, ptr %out
  %either = select i1 %less, ptr %in, ptr %mem
  %one = icmp eq ptr %either, %p
  store i1 %one, ptr %out
  %maybe = select i1 %less, ptr %in, ptr null
  %is.null = icmp eq ptr %maybe, null
  store i1 %is.null, ptr %out
  ret void
}
