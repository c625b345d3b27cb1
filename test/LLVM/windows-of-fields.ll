; Fields of a stream's records become parts of words of one size.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-read-windows -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"

; Of one word the second half is read first, and the word once.
; CHECK-LABEL: define void @halves(
; CHECK:         load i32
; CHECK:         load i32
; CHECK-NOT:     load
; CHECK:         ret void
define void @halves(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %record = getelementptr { i16, i16, float }, ptr %in, i32 %i
  %p1 = getelementptr i8, ptr %record, i32 2
  %b = load i16, ptr %p1
  %a = load i16, ptr %record
  %p2 = getelementptr i8, ptr %record, i32 4
  %x = load float, ptr %p2
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 10
  br i1 %done, label %end, label %loop
end:
  ret void
}

; A field at 2 of 6 bytes: words of two bytes, of which the float is two.
; CHECK-LABEL: define void @packed(
; CHECK-COUNT-3: load i16
; CHECK-NOT:     load
; CHECK:         ret void
define void @packed(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %record = getelementptr <{ i16, float }>, ptr %in, i32 %i
  %a = load i16, ptr %record
  %p = getelementptr i8, ptr %record, i32 2
  %x = load float, ptr %p
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 10
  br i1 %done, label %end, label %loop
end:
  ret void
}

; One size stays as it is.
; CHECK-LABEL: define void @same(
; CHECK:         load float
; CHECK:         load i32
define void @same(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %record = getelementptr { float, i32 }, ptr %in, i32 %i
  %x = load float, ptr %record
  %p = getelementptr i8, ptr %record, i32 4
  %b = load i32, ptr %p
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 10
  br i1 %done, label %end, label %loop
end:
  ret void
}
; A field that is written in another block than the rest of its word: bytes.
; CHECK-LABEL: define void @blocks(
; CHECK:         store i8
; CHECK:         store i8
; CHECK:         store i8
; CHECK:       more:
; CHECK:         store i8
; CHECK-NOT:     store
define void @blocks(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %rest ]
  %record = getelementptr { i8, i8, i16 }, ptr %out, i32 %i
  store i8 1, ptr %record
  %p2 = getelementptr i8, ptr %record, i32 2
  store i16 513, ptr %p2
  %odd = trunc i32 %i to i1
  br i1 %odd, label %more, label %rest
more:
  %p = getelementptr i8, ptr %record, i32 1
  store i8 2, ptr %p
  br label %rest
rest:
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 10
  br i1 %done, label %end, label %loop
end:
  ret void
}
; A part that is written again: the last value counts (2 << 32 | 1).
; CHECK-LABEL: define void @over(
; CHECK:         store i64 8589934593
; CHECK-NOT:     store
define void @over(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %record = getelementptr i64, ptr %out, i32 %i
  store i64 1, ptr %record
  %p = getelementptr i8, ptr %record, i32 4
  store i32 2, ptr %p
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 10
  br i1 %done, label %end, label %loop
end:
  ret void
}
; Of a pointer that data moves it is not known which multiples are words: what overlaps is cut at its
; bounds.
; CHECK-LABEL: define void @moved(
; CHECK-COUNT-2: load i8
; CHECK-NOT:     load
; CHECK:         ret void
define void @moved(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = phi ptr [ %in, %entry ], [ %q, %loop ]
  %behind = getelementptr i8, ptr %p, i32 1
  %step = load i8, ptr %behind
  %both = load i16, ptr %p, align 1
  store i16 %both, ptr %out
  %bytes = zext i8 %step to i32
  %q = getelementptr i8, ptr %behind, i32 %bytes
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 10
  br i1 %done, label %end, label %loop
end:
  ret void
}
