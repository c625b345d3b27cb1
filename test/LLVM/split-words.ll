; Arrays are accessed by their elements: a word is put together from them, or taken apart.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-split-words -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
; CHECK-LABEL: define i32 @fields(
; CHECK-NOT: {{load|store}} {{i16|i32}}, ptr %p
; CHECK-COUNT-2: load i8
; CHECK-COUNT-4: store i8
; CHECK-NOT: {{load|store}}
define i32 @fields(i32 %i, i32 %v) "acis.handler" {
  %bytes = alloca [40 x i8]
  %p = getelementptr i8, ptr %bytes, i32 %i
  %h = load i16, ptr %p, align 1
  store i32 %v, ptr %p, align 1
  %r = zext i16 %h to i32
  ret i32 %r
}
; Bits of a number, and elements of a matrix of words.
; CHECK-LABEL: define i32 @bits(
; CHECK: load float, ptr
; CHECK-NEXT: bitcast float {{.*}} to i32
; CHECK: store i32
; CHECK: store i32
define i32 @bits(i32 %i, double %v) "acis.handler" {
  %floats = alloca [16 x float]
  %words = alloca [4 x [4 x i32]]
  %p = getelementptr float, ptr %floats, i32 %i
  %r = load i32, ptr %p, align 4
  %q = getelementptr i32, ptr %words, i32 %i
  store double %v, ptr %q, align 4
  ret i32 %r
}
; What InstCombine has made of a short fill, and of a short copy, which takes elements of a stream.
; CHECK-LABEL: define void @whole_words(
; CHECK:         store i8 1
; CHECK:         store i8 2
; CHECK:         store i8 3
; CHECK:         store i8 4
; CHECK-NOT:     load i32
; CHECK:         %[[LOW:.*]] = load i16, ptr %in, align 2
; CHECK:         %[[HIGH:.*]] = load i16, ptr
; CHECK:         store i16 %[[LOW]]
; CHECK:         store i16 %[[HIGH]]
; CHECK:         load i32, ptr %next
; CHECK-COUNT-2: store i16
; CHECK-NOT:     store
define void @whole_words(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %bytes = alloca [4 x i8]
  %halves = alloca [4 x i16]
  store i32 67305985, ptr %bytes
  %two = load i32, ptr %in, align 1
  store i32 %two, ptr %halves
  %next = getelementptr i8, ptr %in, i32 4
  %more = load i32, ptr %next
  %other = add i32 %more, 1
  %behind = getelementptr i8, ptr %halves, i32 4
  store i32 %other, ptr %behind
  ret void
}
; A part of an element stays, as do streams and elements.
; CHECK-LABEL: define i8 @left(
; CHECK: load i32, ptr %in
; CHECK: load i8, ptr %q
; CHECK: store i32 %s, ptr %words
define i8 @left(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %words = alloca [4 x i32]
  %s = load i32, ptr %in, align 1
  %q = getelementptr i8, ptr %words, i32 5
  %r = load i8, ptr %q
  store i32 %s, ptr %words
  ret i8 %r
}
