; A loop whose windows overlap hands on what the next iterations read again.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-read-windows -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"

; CHECK-LABEL: define void @neighbours(
; CHECK:       entry:
; CHECK:         %[[FIRST:.*]] = load i32
; CHECK:       body:
; CHECK:         %[[KEPT:.*]] = phi i32 [ %[[FIRST]], %entry ], [ %b, %body ]
; CHECK:         %b = load i32, ptr %second
; CHECK-NOT:     load
; CHECK:         add i32 %[[KEPT]], %b
define void @neighbours(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i32 %n) "acis.handler" {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add nuw i32 %i, 1
  %second = getelementptr i32, ptr %in, i32 %next
  %b = load i32, ptr %second
  %first = getelementptr i32, ptr %in, i32 %i
  %a = load i32, ptr %first
  %sum = add i32 %a, %b
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %sum, ptr %to
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; A step of two words; the one that is not asked for where it is new is read and kept.
; CHECK-LABEL: define void @between(
; CHECK:       entry:
; CHECK:         load i32
; CHECK-NOT:     load
; CHECK:       body:
; CHECK:         %[[KEPT:.*]] = phi i32 [ %{{.*}}, %entry ], [ %[[NEW:.*]], %body ]
; CHECK:         %[[NEW]] = load i32
; CHECK:         %b = load i32, ptr %last
; CHECK-NOT:     load
; CHECK:         add i32 %[[KEPT]], %b
define void @between(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i32 %n) "acis.handler" {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add nuw i32 %i, 1
  %at = shl nuw i32 %i, 3
  %first = getelementptr i8, ptr %in, i32 %at
  %a = load i32, ptr %first
  %last = getelementptr i8, ptr %first, i32 12
  %b = load i32, ptr %last
  %sum = add i32 %a, %b
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %sum, ptr %to
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; In front of a loop that asks for its end first, the stream may not have the first word.
; CHECK-LABEL: define void @atStart(
; CHECK:       body:
; CHECK:         load i32
; CHECK:         load i32
define void @atStart(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len, i32 %n) "acis.handler" {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %next = add nuw i32 %i, 1
  %first = getelementptr i32, ptr %in, i32 %i
  %a = load i32, ptr %first
  %second = getelementptr i32, ptr %in, i32 %next
  %b = load i32, ptr %second
  %sum = add i32 %a, %b
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %sum, ptr %to
  br label %head
end:
  ret void
}
