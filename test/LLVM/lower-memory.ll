; memset and memcpy of arrays are loops over elements.
; REQUIRES: pass-plugin
; RUN: split-file %s %t
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-lower-memory -verify-each -S %t/good.ll | FileCheck %s
; RUN: not opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-lower-memory -disable-output %t/odd.ll 2>&1 | FileCheck %s --check-prefix=ODD
; RUN: not opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-lower-memory -disable-output %t/length.ll 2>&1 | FileCheck %s --check-prefix=LENGTH
; RUN: not opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-lower-memory -disable-output %t/byte.ll 2>&1 | FileCheck %s --check-prefix=BYTE
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-lower-memory -S %t/move.ll | FileCheck %s --check-prefix=MOVE
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-lower-memory -S %t/phi.ll | FileCheck %s --check-prefix=PHI

;--- good.ll
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@x = internal global [16 x [8 x [16 x float]]] zeroinitializer, section "acis.vpe"
@y = internal global [32 x i16] zeroinitializer

; Over the VPEs, and over the elements of each.
; CHECK-LABEL: define void @per_vpe(
; CHECK:         [[F:%.*]] = mul i32 [[P:%.*]], 128
; CHECK-NEXT:    [[I:%.*]] = add i32 [[F]], [[E:%.*]]
; CHECK-NEXT:    [[A:%.*]] = getelementptr float, ptr @x, i32 [[I]]
; CHECK-NEXT:    store float 0.000000e+00, ptr [[A]]
; CHECK:         icmp eq i32 {{.*}}, 128
; CHECK:         icmp eq i32 {{.*}}, 16
define void @per_vpe() {
  call void @llvm.memset.p0.i32(ptr @x, i8 0, i32 8192, i1 false)
  ret void
}
; CHECK-LABEL: define void @pattern(
; CHECK: store i16 257
; CHECK: icmp eq i32 {{.*}}, 32
define void @pattern() {
  call void @llvm.memset.p0.i32(ptr @y, i8 1, i32 64, i1 false)
  ret void
}
; The element type is that of the array, whichever side it is on.
; CHECK-LABEL: define void @copy(
; CHECK: load i16
; CHECK: store i16
define void @copy(ptr %out) {
  call void @llvm.memcpy.p0.p0.i32(ptr %out, ptr @y, i32 64, i1 false)
  ret void
}
; CHECK-LABEL: define void @elements(
; CHECK: [[N:%.*]] = lshr exact i32 %bytes, 1
; CHECK: icmp eq i32 [[N]], 0
; CHECK: load i16
define void @elements(ptr %out, i32 %n) {
  %bytes = shl i32 %n, 1
  call void @llvm.memmove.p0.p0.i32(ptr %out, ptr @y, i32 %bytes, i1 false)
  ret void
}
; CHECK-LABEL: define void @bytes(
; CHECK: icmp eq i32 %n, 0
; CHECK: load i8
define void @bytes(ptr %out, ptr %in, i32 %n) {
  call void @llvm.memcpy.p0.p0.i32(ptr %out, ptr %in, i32 %n, i1 false)
  ret void
}

;--- odd.ll
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@y = internal global [32 x i16] zeroinitializer
; ODD: error: copy or fill of 63 bytes of an array whose elements have 2
define void @odd() {
  call void @llvm.memset.p0.i32(ptr @y, i8 0, i32 63, i1 false)
  ret void
}
;--- length.ll
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@y = internal global [32 x i16] zeroinitializer
; LENGTH: error: copy or fill of an array with a length that may not be whole elements; multiply a number of elements by their size, or write a loop over them
define void @length(i32 %n) {
  call void @llvm.memset.p0.i32(ptr @y, i8 0, i32 %n, i1 false)
  ret void
}
;--- byte.ll
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@y = internal global [32 x i16] zeroinitializer
; BYTE: error: fill of an array with a byte that is not a constant
define void @byte(i8 %v) {
  call void @llvm.memset.p0.i32(ptr @y, i8 %v, i32 64, i1 false)
  ret void
}
;--- move.ll
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@y = internal global [32 x i16] zeroinitializer
; Up by one place: from the last element on.
; MOVE: %[[I:.*]] = phi i32 [ 0,
; MOVE: %[[DOWN:.*]] = sub i32 15, %[[I]]
; MOVE: %[[AT:.*]] = select i1 true, i32 %[[DOWN]], i32 %[[I]]
; MOVE: getelementptr i16, ptr @y, i32 %[[AT]]
define void @move() {
  call void @llvm.memmove.p0.p0.i32(ptr getelementptr (i8, ptr @y, i32 2), ptr @y, i32 32, i1 false)
  ret void
}
;--- phi.ll
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
@y = internal global [64 x i8] zeroinitializer
; PHI: %[[UP:.*]] = icmp ult ptr %from, %to
; PHI: select i1 %[[UP]], i32
define void @phi(i32 %n) {
entry:
  br label %loop
loop:
  %from = phi ptr [ @y, %entry ], [ %from.next, %loop ]
  %to = phi ptr [ getelementptr (i8, ptr @y, i32 3), %entry ], [ %to.next, %loop ]
  call void @llvm.memmove.p0.p0.i32(ptr %to, ptr %from, i32 %n, i1 false)
  %from.next = getelementptr i8, ptr %from, i32 9
  %to.next = getelementptr i8, ptr %to, i32 11
  %more = icmp ne ptr %from.next, getelementptr (i8, ptr @y, i32 27)
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
