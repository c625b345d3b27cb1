; Reads without a use go, but those of the input stream, which take an element of the packet; short-circuits are plain operations.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-drop-markers -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@t = internal global [8 x i32] zeroinitializer
; CHECK-LABEL: define void @reads(
; CHECK: load i32, ptr %in
; CHECK-NOT: load i32, ptr @t
; CHECK-NOT: assume
; CHECK: ret void
define void @reads(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
  %a = load i32, ptr %in
  %b = load i32, ptr @t
  %n = load i32, ptr %len
  %c = icmp ult i32 %n, 64
  call void @llvm.assume(i1 %c)
  ret void
}
; The second condition may be poison where the first one decides.
; CHECK-LABEL: define i1 @both(
; CHECK-NEXT: [[B:%.*]] = freeze i1 %b
; CHECK-NEXT: and i1 %a, [[B]]
define i1 @both(i1 %a, i1 %b) {
  %r = select i1 %a, i1 %b, i1 false
  ret i1 %r
}
; CHECK-LABEL: define i1 @either(
; CHECK: or i1 %a
define i1 @either(i1 %a, i1 %b) {
  %r = select i1 %a, i1 true, i1 %b
  ret i1 %r
}
; CHECK-LABEL: define i32 @chosen(
; CHECK-NEXT: select i1 %a, i32 %x, i32 %y
define i32 @chosen(i1 %a, i32 %x, i32 %y) {
  %r = select i1 %a, i32 %x, i32 %y
  ret i32 %r
}
