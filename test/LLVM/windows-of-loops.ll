; Each word of an iteration is read once, and without a condition where the stream has it.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-read-windows -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@mark = private constant [13 x i8] c"acis.handler\00", section "llvm.metadata"
@file = private constant [2 x i8] c"f\00", section "llvm.metadata"
@llvm.global.annotations = appending global [12 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @both, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @each, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @notEach, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @inPacket, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @behindHeader, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @nextRecord, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @tooMany, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @endsEarly, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @earlierAlways, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @again, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @laterAlways, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @between, ptr @mark, ptr @file, i32 1, ptr null }],
  section "llvm.metadata"

; CHECK-LABEL: define void @both(
; CHECK:       body:
; CHECK:         [[AT:%.*]] = shl {{.*}}i32 %i, 2
; CHECK:         [[TO:%.*]] = getelementptr i8, ptr %in, i32 [[AT]]
; CHECK:         [[READ:%.*]] = load i32, ptr [[TO]]
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

; Each way reads the element: it is read in front of them.
; CHECK-LABEL: define void @each(
; CHECK:       body:
; CHECK:         [[READ:%.*]] = load i32
; CHECK-NEXT:    switch
; CHECK-NOT:     load
; CHECK:         phi i32 [ [[READ]], %zero ], [ [[READ]], %one ], [ [[READ]], %other ]
define void @each(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %join ]
  %state = phi i32 [ 0, %entry ], [ %then, %join ]
  switch i32 %state, label %other [
    i32 0, label %zero
    i32 1, label %one
  ]
zero:
  %p0 = getelementptr i32, ptr %in, i32 %i
  %a = load i32, ptr %p0
  br label %join
one:
  %p1 = getelementptr i32, ptr %in, i32 %i
  %b = load i32, ptr %p1
  br label %join
other:
  %p2 = getelementptr i32, ptr %in, i32 %i
  %c = load i32, ptr %p2
  br label %join
join:
  %then = phi i32 [ %a, %zero ], [ %b, %one ], [ %c, %other ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %body, label %end
end:
  store i32 %then, ptr %out
  ret void
}

; One way does not: it may be the last packet's end.
; CHECK-LABEL: define void @notEach(
; CHECK:       body:
; CHECK-NOT:     load
; CHECK:         switch
; CHECK:       zero:
; CHECK:         load
; CHECK:       one:
; CHECK:         load
define void @notEach(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %join ]
  %state = phi i32 [ 0, %entry ], [ %then, %join ]
  switch i32 %state, label %other [
    i32 0, label %zero
    i32 1, label %one
  ]
zero:
  %p0 = getelementptr i32, ptr %in, i32 %i
  %a = load i32, ptr %p0
  br label %join
one:
  %p1 = getelementptr i32, ptr %in, i32 %i
  %b = load i32, ptr %p1
  br label %join
other:
  %c = add i32 %i, 0
  br label %join
join:
  %then = phi i32 [ %a, %zero ], [ %b, %one ], [ %c, %other ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %body, label %end
end:
  store i32 %then, ptr %out
  ret void
}

; The second word of a record of eight bytes is in the packet, whatever the first one is: it is
; read always.
; CHECK-LABEL: define void @inPacket(
; CHECK:       body:
; CHECK:         [[FIELD:%.*]] = getelementptr i8, ptr %record, i64 4
; CHECK:         [[READ:%.*]] = load i32, ptr [[FIELD]]
; CHECK-NEXT:    br i1
; CHECK:         phi i32 [ %sum, %body ], [ [[READ]], %then ]
define void @inPacket(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i32 %key) {
entry:
  %bytes = load i32, ptr %len
  %some = icmp ult i32 %bytes, 8
  br i1 %some, label %end, label %front
front:
  %n = udiv i32 %bytes, 8
  br label %body
body:
  %i = phi i32 [ 0, %front ], [ %next, %join ]
  %sum = phi i32 [ 0, %front ], [ %v, %join ]
  %first = mul i32 %i, 8
  %record = getelementptr i8, ptr %in, i32 %first
  %a = load i32, ptr %record
  %c = icmp eq i32 %a, %key
  br i1 %c, label %then, label %join
then:
  %field = getelementptr i8, ptr %record, i32 4
  %b = load i32, ptr %field
  br label %join
join:
  %v = phi i32 [ %sum, %body ], [ %b, %then ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; So it is where the first record is passed over.
; CHECK-LABEL: define void @behindHeader(
; CHECK:       body:
; CHECK:         [[FIELD:%.*]] = getelementptr i8, ptr %record, i64 4
; CHECK:         [[READ:%.*]] = load i32, ptr [[FIELD]]
; CHECK-NEXT:    br i1
; CHECK:         phi i32 [ %sum, %body ], [ [[READ]], %then ]
define void @behindHeader(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i32 %key) {
entry:
  %bytes = load i32, ptr %len
  %some = icmp ult i32 %bytes, 16
  br i1 %some, label %end, label %front
front:
  %n = udiv i32 %bytes, 8
  br label %body
body:
  %i = phi i32 [ 1, %front ], [ %next, %join ]
  %sum = phi i32 [ 0, %front ], [ %v, %join ]
  %first = mul i32 %i, 8
  %record = getelementptr i8, ptr %in, i32 %first
  %a = load i32, ptr %record
  %c = icmp eq i32 %a, %key
  br i1 %c, label %then, label %join
then:
  %field = getelementptr i8, ptr %record, i32 4
  %b = load i32, ptr %field
  br label %join
join:
  %v = phi i32 [ %sum, %body ], [ %b, %then ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; The next record is in the packet but for the last one's.
; CHECK-LABEL: define void @nextRecord(
; CHECK:       then:
; CHECK:         load i32, ptr %field
define void @nextRecord(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i32 %key) {
entry:
  %bytes = load i32, ptr %len
  %some = icmp ult i32 %bytes, 8
  br i1 %some, label %end, label %front
front:
  %n = udiv i32 %bytes, 8
  br label %body
body:
  %i = phi i32 [ 0, %front ], [ %next, %join ]
  %sum = phi i32 [ 0, %front ], [ %v, %join ]
  %first = mul i32 %i, 8
  %record = getelementptr i8, ptr %in, i32 %first
  %a = load i32, ptr %record
  %c = icmp eq i32 %a, %key
  br i1 %c, label %then, label %join
then:
  %field = getelementptr i8, ptr %record, i32 8
  %b = load i32, ptr %field
  br label %join
join:
  %v = phi i32 [ %sum, %body ], [ %b, %then ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; The packet has half as many records as the loop counts.
; CHECK-LABEL: define void @tooMany(
; CHECK:       then:
; CHECK:         load i32, ptr %field
define void @tooMany(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i32 %key) {
entry:
  %bytes = load i32, ptr %len
  %some = icmp ult i32 %bytes, 4
  br i1 %some, label %end, label %front
front:
  %n = udiv i32 %bytes, 4
  br label %body
body:
  %i = phi i32 [ 0, %front ], [ %next, %join ]
  %sum = phi i32 [ 0, %front ], [ %v, %join ]
  %first = mul i32 %i, 8
  %record = getelementptr i8, ptr %in, i32 %first
  %a = load i32, ptr %record
  %c = icmp eq i32 %a, %key
  br i1 %c, label %then, label %join
then:
  %field = getelementptr i8, ptr %record, i32 4
  %b = load i32, ptr %field
  br label %join
join:
  %v = phi i32 [ %sum, %body ], [ %b, %then ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; What a loop reads that may end early is for who rewrites its exits.
; CHECK-LABEL: define void @endsEarly(
; CHECK:       then:
; CHECK:         load i32, ptr %field
define void @endsEarly(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i32 %key) {
entry:
  %bytes = load i32, ptr %len
  %some = icmp ult i32 %bytes, 8
  br i1 %some, label %end, label %front
front:
  %n = udiv i32 %bytes, 8
  br label %body
body:
  %i = phi i32 [ 0, %front ], [ %next, %join ]
  %sum = phi i32 [ 0, %front ], [ %v, %join ]
  %first = mul i32 %i, 8
  %record = getelementptr i8, ptr %in, i32 %first
  %a = load i32, ptr %record
  %last = icmp eq i32 %a, 0
  br i1 %last, label %end, label %rest
rest:
  %c = icmp eq i32 %a, %key
  br i1 %c, label %then, label %join
then:
  %field = getelementptr i8, ptr %record, i32 4
  %b = load i32, ptr %field
  br label %join
join:
  %v = phi i32 [ %sum, %rest ], [ %b, %then ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; The second word of a record is always read, so the first one is there, whatever the packet is.
; CHECK-LABEL: define void @laterAlways(
; CHECK:       body:
; CHECK:         [[READ:%.*]] = load i32
; CHECK-NEXT:    br i1
; CHECK:         phi i32 [ %sum, %body ], [ [[READ]], %then ]
; CHECK:         load i32, ptr %second
; CHECK-NOT:     load
; CHECK:       ret void
define void @laterAlways(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %c) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %join ]
  %sum = phi i32 [ 0, %entry ], [ %w, %join ]
  %first = mul i32 %i, 8
  %record = getelementptr i8, ptr %in, i32 %first
  br i1 %c, label %then, label %join
then:
  %a = load i32, ptr %record
  br label %join
join:
  %v = phi i32 [ %sum, %body ], [ %a, %then ]
  %second = getelementptr i8, ptr %record, i32 4
  %b = load i32, ptr %second
  %w = add i32 %v, %b
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %body, label %end
end:
  ret void
}

; The first word is always read; of the second one the stream may have no more.
; CHECK-LABEL: define void @earlierAlways(
; CHECK:       then:
; CHECK:         load i32, ptr %second
define void @earlierAlways(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %c) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %join ]
  %sum = phi i32 [ 0, %entry ], [ %w, %join ]
  %first = mul i32 %i, 8
  %record = getelementptr i8, ptr %in, i32 %first
  br i1 %c, label %then, label %join
then:
  %second = getelementptr i8, ptr %record, i32 4
  %b = load i32, ptr %second
  br label %join
join:
  %v = phi i32 [ %sum, %body ], [ %b, %then ]
  %a = load i32, ptr %record
  %w = add i32 %v, %a
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %body, label %end
end:
  ret void
}

; The first iteration reads what was read in front of the loop: it leaves the loop.
; CHECK-LABEL: define void @again(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    [[FIRST:%.*]] = load i32, ptr %in
; CHECK-NOT:     load
; CHECK:       body:
; CHECK:         load i32
; CHECK-NOT:     load
; CHECK:       ret void
define void @again(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
entry:
  %front = load i32, ptr %in
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ %front, %entry ], [ %v, %body ]
  %p = getelementptr i32, ptr %in, i32 %i
  %a = load i32, ptr %p
  %v = add i32 %sum, %a
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %body, label %end
end:
  store i32 %v, ptr %out
  ret void
}

; The second word is read in front of them all: the first one, which each iteration reads between its
; reads, comes in front of it.
; CHECK-LABEL: define void @between(
; CHECK:       body:
; CHECK:         load i32
; CHECK:         load i32
; CHECK-NEXT:    br i1 %c
; CHECK:       last:
; CHECK:         load i32
; CHECK-NOT:     load
; CHECK:       ret void
define void @between(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i1 %c, i1 %d) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %last ]
  %first = getelementptr [3 x i32], ptr %in, i32 %i
  %second = getelementptr i8, ptr %first, i32 4
  %third = getelementptr i8, ptr %first, i32 8
  br i1 %c, label %one, label %middle
one:
  %b1 = load i32, ptr %second
  br label %middle
middle:
  %v = phi i32 [ 0, %body ], [ %b1, %one ]
  %a = load i32, ptr %first
  br i1 %d, label %two, label %last
two:
  %b2 = load i32, ptr %second
  br label %last
last:
  %w = phi i32 [ %v, %middle ], [ %b2, %two ]
  %e = load i32, ptr %third
  %s = add i32 %w, %a
  %sum = add i32 %s, %e
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %sum, ptr %to
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %body, label %end
end:
  ret void
}
