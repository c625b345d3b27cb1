; A loop that can end in its middle ends by its count; a flag keeps what follows from happening.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-predicate-exits -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
target triple = "riscv32"

; The count is within the packet, so the loop runs in one part.
; CHECK-LABEL: define void @bounded(
; CHECK-NOT:   part:
; CHECK:       body:
; CHECK:         [[DONE:%.*]] = phi i1 [ false, %preheader ], [ [[NEXT:%.*]], %iteration.end ]
; CHECK:         load i32, ptr %p, align 4, !acis.always
; CHECK:         br i1 [[DONE]], label %iteration.end, label %live
; CHECK:       live:
; CHECK-NEXT:    br i1 %c, label %exit, label %rest
; CHECK:       rest:
; CHECK:         store i32 %v
; CHECK:       iteration.end:
; CHECK:         [[NEXT]] = phi i1 [ [[DONE]], %body ], [ true, %exit ], [ false, %next ]
; CHECK:         icmp eq i32 {{.*}}, %n
define void @bounded(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
entry:
  %bytes = load i32, ptr %len
  %n = lshr i32 %bytes, 2
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %preheader
preheader:
  br label %body
body:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %rest ]
  %p = getelementptr i32, ptr %in, i32 %i
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %found, label %rest
rest:
  %q = getelementptr i32, ptr %out, i32 %i
  store i32 %v, ptr %q
  %i.next = add nuw i32 %i, 1
  %last = icmp eq i32 %i.next, %n
  br i1 %last, label %found, label %body
found:
  %r = phi i32 [ %i, %body ], [ %n, %rest ]
  store i32 %r, ptr %len
  br label %end
end:
  ret void
}

; Nothing bounds it: up to the end of the packet, then element by element.
; CHECK-LABEL: define void @unbounded(
; CHECK:       entry:
; CHECK-NEXT:    %packet.bytes = load i32, ptr %len
; CHECK:       part:
; CHECK-NEXT:    %finished = phi i32
; CHECK:         [[PART:%.*]] = select i1 {{.*}}, i32 {{.*}}, i32 1
; CHECK:       iteration.end:
; CHECK:         icmp eq i32 {{.*}}, [[PART]]
; CHECK:       loop.end:
; CHECK:         br i1 %done{{.*}}, label %loop.exit, label %part
define void @unbounded(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %t, %body ]
  %p = getelementptr i32, ptr %in, i32 %i
  %v = load i32, ptr %p
  %t = add i32 %s, %v
  %i.next = add i32 %i, 1
  %c = icmp eq i32 %v, 0
  br i1 %c, label %end, label %body
end:
  %r = phi i32 [ %t, %body ]
  store i32 %r, ptr %out
  ret void
}

; A search in memory that nothing bounds stays what it is: the importer says why.
; CHECK-LABEL: define void @nothing_bounds_it(
; CHECK-NOT:   done
; CHECK:       ret void
define void @nothing_bounds_it(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %p = getelementptr i32, ptr %mem, i32 %i
  %v = load i32, ptr %p
  %i.next = add i32 %i, 1
  %c = icmp eq i32 %v, 0
  br i1 %c, label %end, label %body
end:
  ret void
}

; A write in front of the exit is not made again, and a division beside it asks for no divisor of
; its own.
; CHECK-LABEL: define void @writes_first(
; CHECK:       body:
; CHECK:         %d = urem i32 %v, %k
; CHECK:         br i1 %done{{.*}}, label %iteration.end, label %live
; CHECK:       live:
; CHECK-NEXT:    store i32 %d
define void @writes_first(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %rest ]
  %k = phi i32 [ 5, %entry ], [ %v, %rest ]
  %p = getelementptr i32, ptr %mem, i32 %i
  %v = load i32, ptr %p
  %d = urem i32 %v, %k
  %q = getelementptr i32, ptr %out, i32 %i
  store i32 %d, ptr %q
  %c = icmp eq i32 %v, 0
  br i1 %c, label %end, label %rest
rest:
  %i.next = add nuw i32 %i, 1
  %last = icmp eq i32 %i.next, 64
  br i1 %last, label %end, label %body
end:
  ret void
}

; The place that the search ended at goes on as a position: an address that was carried could
; point anywhere.
; CHECK-LABEL: define i32 @found_at(
; CHECK:       body:
; CHECK-NOT:     phi ptr
; CHECK:         %at.lcssa.index.at.end{{.*}} = phi i32
; CHECK:       hit:
; CHECK:         [[AT:%.*]] = getelementptr i64, ptr %mem, i32 %at.lcssa.index
; CHECK:         getelementptr i8, ptr [[AT]], i32 4
define i32 @found_at(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %rest ]
  %at = getelementptr i32, ptr %mem, i32 %i
  %v = load i32, ptr %at
  %c = icmp eq i32 %v, 7
  br i1 %c, label %hit, label %rest
rest:
  %i.next = add i32 %i, 2
  %more = icmp ult i32 %i.next, 64
  br i1 %more, label %body, label %miss
hit:
  %beside = getelementptr i8, ptr %at, i32 4
  %r = load i32, ptr %beside
  ret i32 %r
miss:
  ret i32 0
}
