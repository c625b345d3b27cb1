; A read moves in front of one of a later element if it is made in any case, or the later one is.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-order-reads -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@mark = private constant [13 x i8] c"acis.handler\00", section "llvm.metadata"
@file = private constant [2 x i8] c"f\00", section "llvm.metadata"
@llvm.global.annotations = appending global [7 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @three, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @laterAlways, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @earlierAlways, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @neither, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @otherSide, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @fromData, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @meeting, ptr @mark, ptr @file, i32 1, ptr null }],
  section "llvm.metadata"

; CHECK-LABEL: define void @three(
; CHECK:         %c = load
; CHECK:         %b = load
; CHECK:         %a = load
define void @three(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
  %p8 = getelementptr i8, ptr %in, i32 8
  %a = load i32, ptr %p8
  %p4 = getelementptr i8, ptr %in, i32 4
  %b = load i32, ptr %p4
  %c = load i32, ptr %in
  %ab = add i32 %a, %b
  %abc = add i32 %ab, %c
  store i32 %abc, ptr %out
  ret void
}

; CHECK-LABEL: define void @laterAlways(
; CHECK-NEXT:    [[AT:%.*]] = getelementptr i8, ptr %in, i32 4
; CHECK:         %b = load i32, ptr %in
; CHECK-NEXT:    %a = load
; CHECK:       then:
; CHECK-NEXT:    br label %end
define void @laterAlways(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %x) {
  %p4 = getelementptr i8, ptr %in, i32 4
  %a = load i32, ptr %p4
  br i1 %x, label %then, label %end
then:
  %b = load i32, ptr %in
  br label %end
end:
  %v = phi i32 [ %a, %0 ], [ %b, %then ]
  store i32 %v, ptr %out
  ret void
}

; CHECK-LABEL: define void @earlierAlways(
; CHECK:         %b = load i32, ptr %in
; CHECK-NEXT:    br i1 %x
; CHECK:       then:
; CHECK:         %a = load
; CHECK:       end:
; CHECK-NOT:     load
; CHECK:         ret void
define void @earlierAlways(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %x) {
  br i1 %x, label %then, label %end
then:
  %p4 = getelementptr i8, ptr %in, i32 4
  %a = load i32, ptr %p4
  br label %end
end:
  %v = phi i32 [ 0, %0 ], [ %a, %then ]
  %b = load i32, ptr %in
  %sum = add i32 %v, %b
  store i32 %sum, ptr %out
  ret void
}

; Neither is made in any case.
; CHECK-LABEL: define void @neither(
; CHECK:       first:
; CHECK:         %a = load
; CHECK:       second:
; CHECK-NEXT:    %b = load
define void @neither(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %x) {
  br i1 %x, label %first, label %middle
first:
  %p4 = getelementptr i8, ptr %in, i32 4
  %a = load i32, ptr %p4
  br label %middle
middle:
  %v = phi i32 [ 0, %0 ], [ %a, %first ]
  %y = icmp eq i32 %v, 0
  br i1 %y, label %second, label %end
second:
  %b = load i32, ptr %in
  br label %end
end:
  %w = phi i32 [ %v, %middle ], [ %b, %second ]
  store i32 %w, ptr %out
  ret void
}

; They never meet.
; CHECK-LABEL: define void @otherSide(
; CHECK:       first:
; CHECK:         %a = load
; CHECK:       second:
; CHECK-NEXT:    %b = load
define void @otherSide(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %x) {
  br i1 %x, label %first, label %second
first:
  %p4 = getelementptr i8, ptr %in, i32 4
  %a = load i32, ptr %p4
  br label %end
second:
  %b = load i32, ptr %in
  br label %end
end:
  %v = phi i32 [ %a, %first ], [ %b, %second ]
  store i32 %v, ptr %out
  ret void
}

; How far the later one is behind is not known.
; CHECK-LABEL: define void @fromData(
; CHECK:         %a = load
; CHECK:         %b = load
define void @fromData(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i32 %x) {
  %p = getelementptr i8, ptr %in, i32 %x
  %a = load i32, ptr %p
  %b = load i32, ptr %in
  %v = add i32 %a, %b
  store i32 %v, ptr %out
  ret void
}

; One of the ways reads on: the read behind both is made on each of them.
; CHECK-LABEL: define void @meeting(
; CHECK:         br i1 %x, label %first, label %[[OTHER:.*]]
; CHECK:       [[OTHER]]:
; CHECK:         %[[B0:.*]] = load i32, ptr %{{.*}}
; CHECK-NEXT:    br label %middle
; CHECK:       first:
; CHECK:         %[[B1:.*]] = load i32
; CHECK-NEXT:    %a = load
; CHECK:       middle:
; CHECK-NEXT:    phi i32 [ %[[B1]], %{{.*}} ], [ %[[B0]], %[[OTHER]] ]
; CHECK-NOT:     load
; CHECK:         ret void
define void @meeting(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %x, i1 %y) {
entry:
  br i1 %y, label %end, label %choice
choice:
  br i1 %x, label %first, label %middle
first:
  %p4 = getelementptr i8, ptr %in, i32 4
  %a = load i32, ptr %p4
  %z = icmp eq i32 %a, 0
  br i1 %z, label %end, label %middle
middle:
  %v = phi i32 [ 0, %choice ], [ %a, %first ]
  %p0 = getelementptr i8, ptr %in, i32 0
  %b = load i32, ptr %p0
  %sum = add i32 %v, %b
  store i32 %sum, ptr %out
  br label %end
end:
  ret void
}
