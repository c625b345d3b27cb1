; What is passed by value is loaded and stored by its numbers.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-split-aggregates -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
%record = type { i16, [2 x float] }
; CHECK-LABEL: define void @copies(
; CHECK: [[A:%.*]] = getelementptr inbounds i8, ptr %p, i64 0
; CHECK-NEXT: load i32, ptr {{.*}}, align 8
; CHECK: getelementptr inbounds i8, ptr %p, i64 4
; CHECK-NEXT: load i32, ptr {{.*}}, align 4
; CHECK-COUNT-2: store i32
; CHECK-NOT: {{load|store}} [
define void @copies(ptr %p, ptr %q) #0 {
  %v = load [2 x i32], ptr %p, align 8
  store [2 x i32] %v, ptr %q, align 4
  ret void
}
; CHECK-LABEL: define float @member(
; CHECK: load i16, ptr {{.*}}, align 4
; CHECK: getelementptr inbounds i8, ptr %p, i64 8
; CHECK-NEXT: load float, ptr {{.*}}, align 4
; CHECK-NOT: load %record
define float @member(ptr %p) #0 {
  %v = load %record, ptr %p, align 4
  %f = extractvalue %record %v, 1, 1
  ret float %f
}
attributes #0 = { "acis.handler" }
