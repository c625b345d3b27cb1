; Outside of loops, a word is read where it or a later one is wanted first, once on each way.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-read-windows -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@mark = private constant [13 x i8] c"acis.handler\00", section "llvm.metadata"
@file = private constant [2 x i8] c"f\00", section "llvm.metadata"
@llvm.global.annotations = appending global [10 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @three, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @laterAlways, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @earlierAlways, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @neither, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @otherSide, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @fromData, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @meeting, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @twice, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @loop, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @rows, ptr @mark, ptr @file, i32 1, ptr null }],
  section "llvm.metadata"

; CHECK-LABEL: define void @three(
; CHECK:         %[[P0:.*]] = getelementptr i8, ptr %p8, i64 -8
; CHECK-NEXT:    %[[C:.*]] = load i32, ptr %[[P0]]
; CHECK:         %[[P4:.*]] = getelementptr i8, ptr %p8, i64 -4
; CHECK-NEXT:    %[[B:.*]] = load i32, ptr %[[P4]]
; CHECK:         %a = load i32, ptr %p8
; CHECK-NOT:     load
; CHECK:         add i32 %a, %[[B]]
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
; CHECK:         %[[B:.*]] = load i32
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
; CHECK:       then:
; CHECK:         %[[B:.*]] = load
; CHECK-NEXT:    %a = load
; CHECK:       end:
; CHECK-NEXT:    phi i1 [ true, %then ], [ false, %0 ]
; CHECK-NEXT:    phi i32 [ %[[B]], %then ], [ 0, %0 ]
; CHECK:         br i1
; CHECK:         load i32, ptr %in
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

; Neither is made in any case: a bit says whether the earlier one was.
; CHECK-LABEL: define void @neither(
; CHECK:       first:
; CHECK:         %[[B:.*]] = load
; CHECK-NEXT:    %a = load
; CHECK:       middle:
; CHECK-NEXT:    %[[READ:.*]] = phi i1 [ true, %first ], [ false, %0 ]
; CHECK:       second:
; CHECK-NEXT:    %[[NOT:.*]] = xor i1 %[[READ]], true
; CHECK-NEXT:    br i1 %[[NOT]]
; CHECK:         load i32, ptr %in
; CHECK-NOT:     load
; CHECK:         ret void
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
define void @fromData(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i32 %x, i32 %y) {
  %p = getelementptr i8, ptr %in, i32 %x
  %a = load i32, ptr %p
  %q = getelementptr i8, ptr %in, i32 %y
  %b = load i32, ptr %q
  %v = add i32 %a, %b
  store i32 %v, ptr %out
  ret void
}

; One of the ways reads on: there the earlier word comes first, on the other one where it is wanted.
; CHECK-LABEL: define void @meeting(
; CHECK:       first:
; CHECK:         %[[B:.*]] = load i32
; CHECK-NEXT:    %a = load
; CHECK:       middle:
; CHECK-NEXT:    phi i1 [ true, %first ], [ false, %choice ]
; CHECK-NEXT:    phi i32 [ %[[B]], %first ], [ 0, %choice ]
; CHECK:         load i32, ptr %p0
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

; One way asks twice for a word.
; CHECK-LABEL: define void @twice(
; CHECK:       then:
; CHECK:         %[[A:.*]] = load i32
; CHECK:       join:
; CHECK-NEXT:    %[[READ:.*]] = phi i1 [ true, %then ], [ false, %entry ]
; CHECK-NEXT:    %[[WORD:.*]] = phi i32 [ %[[A]], %then ], [ 0, %entry ]
; CHECK:       last:
; CHECK:         xor i1 %[[READ]], true
; CHECK:         load i32
; CHECK:         phi i32 [ %{{.*}}, %{{.*}} ], [ %[[WORD]], %last ]
; CHECK-NOT:     load
define void @twice(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %c, i1 %d) {
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

; A loop begins behind the word: it is read where the loop is entered. One that reads only under a
; condition may not pass it: it is read where the loop does.
; CHECK-LABEL: define void @loop(
; CHECK:       enter:
; CHECK:         %[[A:.*]] = load i32, ptr %in
; CHECK-NEXT:    br label %body
; CHECK:       sometimes:
; CHECK-NOT:     load
; CHECK:         br label %if
; CHECK:       if:
; CHECK-NEXT:    %[[READ:.*]] = phi i1 {{.*}}[ false, %sometimes ]
; CHECK:       read:
; CHECK:         xor i1 %[[READ]], true
; CHECK:         load i32, ptr %
; CHECK:         %y = load i32, ptr %q
; CHECK:       last:
; CHECK:         load i32, ptr %p4
; CHECK-NOT:     load
; CHECK:         ret void
define void @loop(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %c, i1 %d) {
entry:
  br i1 %c, label %enter, label %sometimes
enter:
  br label %body
body:
  %i = phi i32 [ 2, %enter ], [ %next, %body ]
  %p = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %p
  store i32 %x, ptr %mem
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %body, label %behind
behind:
  %a = load i32, ptr %in
  store i32 %a, ptr %out
  ret void
sometimes:
  br label %if
if:
  %k = phi i32 [ 2, %sometimes ], [ %then.k, %again ]
  br i1 %d, label %read, label %again
read:
  %q = getelementptr i32, ptr %in, i32 %k
  %y = load i32, ptr %q
  store i32 %y, ptr %mem
  br label %again
again:
  %then.k = add i32 %k, 1
  %less = icmp ult i32 %then.k, 16
  br i1 %less, label %if, label %last
last:
  %p4 = getelementptr i32, ptr %in, i32 1
  %b = load i32, ptr %p4
  store i32 %b, ptr %out
  ret void
}

; An iteration that holds a loop is control code, too: each one has its own words.
; CHECK-LABEL: define void @rows(
; CHECK:       row:
; CHECK:         %[[A:.*]] = load i32
; CHECK-NEXT:    %b = load i32, ptr %p4
; CHECK:       done:
; CHECK-NEXT:    store i32 %[[A]], ptr %out
define void @rows(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
entry:
  br label %row
row:
  %r = phi i32 [ 0, %entry ], [ %r.next, %done ]
  %at = mul i32 %r, 64
  %p0 = getelementptr i8, ptr %in, i32 %at
  %p4 = getelementptr i8, ptr %p0, i32 4
  %b = load i32, ptr %p4
  br label %body
body:
  %i = phi i32 [ 2, %row ], [ %next, %body ]
  %p = getelementptr i32, ptr %p0, i32 %i
  %x = load i32, ptr %p
  store i32 %x, ptr %mem
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %b
  br i1 %more, label %body, label %done
done:
  %a = load i32, ptr %p0
  store i32 %a, ptr %out
  %r.next = add i32 %r, 1
  %rows = icmp ult i32 %r.next, 4
  br i1 %rows, label %row, label %end
end:
  ret void
}
