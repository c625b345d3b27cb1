; A read that is always made serves one of the same element under a condition before it.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-hoist-reads -verify-each -S %s | FileCheck %s
@mark = private constant [13 x i8] c"acis.handler\00", section "llvm.metadata"
@file = private constant [2 x i8] c"f\00", section "llvm.metadata"
@llvm.global.annotations = appending global [3 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @both, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @other, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @sometimes, ptr @mark, ptr @file, i32 1, ptr null }],
  section "llvm.metadata"

; CHECK-LABEL: define void @both(
; CHECK:       body:
; CHECK:         [[AT:%.*]] = getelementptr i32, ptr %in, i32 %i
; CHECK:         [[READ:%.*]] = load i32, ptr [[AT]]
; CHECK-NEXT:    br i1 %c, label %then, label %join
; CHECK-NOT:     load
; CHECK:         phi i32 [ 0, %body ], [ [[READ]], %then ]
; CHECK-NOT:     load
; CHECK:       ret void
define void @both(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %c) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %join ]
  br i1 %c, label %then, label %join
then:
  %first = getelementptr i32, ptr %in, i32 %i
  %a = load i32, ptr %first
  br label %join
join:
  %v = phi i32 [ 0, %body ], [ %a, %then ]
  %second = getelementptr i32, ptr %in, i32 %i
  %b = load i32, ptr %second
  %sum = add i32 %v, %b
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %sum, ptr %to
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %body, label %end
end:
  ret void
}

; Another element is read in between: its turn would come too late.
; CHECK-LABEL: define void @other(
; CHECK:       then:
; CHECK:         load i32, ptr %first
; CHECK:       join:
; CHECK:         load i32, ptr %second
define void @other(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %c) {
entry:
  %front = load i32, ptr %in
  br i1 %c, label %then, label %join
then:
  %before = getelementptr i32, ptr %in, i32 1
  %z = load i32, ptr %before
  %first = getelementptr i32, ptr %in, i32 2
  %a = load i32, ptr %first
  br label %join
join:
  %v = phi i32 [ 0, %entry ], [ %a, %then ]
  %second = getelementptr i32, ptr %in, i32 2
  %b = load i32, ptr %second
  %sum = add i32 %v, %b
  store i32 %sum, ptr %out
  ret void
}

; Neither is made always.
; CHECK-LABEL: define void @sometimes(
; CHECK:       then:
; CHECK:         load i32, ptr %first
; CHECK:       last:
; CHECK:         load i32, ptr %second
define void @sometimes(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %c, i1 %d) {
entry:
  br i1 %c, label %then, label %join
then:
  %first = getelementptr i32, ptr %in, i32 2
  %a = load i32, ptr %first
  br label %join
join:
  %v = phi i32 [ 0, %entry ], [ %a, %then ]
  br i1 %d, label %last, label %end
last:
  %second = getelementptr i32, ptr %in, i32 2
  %b = load i32, ptr %second
  %sum = add i32 %v, %b
  store i32 %sum, ptr %out
  br label %end
end:
  ret void
}
