; Integers of a width that no lane has get the next one that lanes have, with zeros above.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-widen-integers -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
; CHECK-LABEL: define i32 @sum(
; CHECK: [[P:%.*]] = mul i64
; CHECK-NEXT: [[M:%.*]] = and i64 [[P]], 8589934591
; CHECK-NEXT: lshr i64 [[M]], 1
define i32 @sum(i32 %a, i32 %b) {
  %x = zext i32 %a to i33
  %y = zext i32 %b to i33
  %p = mul i33 %x, %y
  %s = lshr i33 %p, 1
  %r = trunc i33 %s to i32
  ret i32 %r
}
; What looks at the sign gets it.
; CHECK-LABEL: define i32 @signs(
; CHECK: call i32 @llvm.bitreverse.i32
; CHECK-NEXT: lshr i32 {{.*}}, 29
; CHECK: call i32 @llvm.smin.i32
; CHECK: select i1 %c, i32 {{.*}}, i32 29
; CHECK: icmp slt i32
; CHECK-NOT: {{ i[35] }}
; CHECK: ret
define i32 @signs(i32 %a, i32 %b, i1 %c) {
  %x = trunc i32 %a to i3
  %y = trunc i32 %b to i5
  %rev = call i3 @llvm.bitreverse.i3(i3 %x)
  %e = sext i3 %rev to i5
  %m = call i5 @llvm.smin.i5(i5 %e, i5 %y)
  %d = ashr i5 %m, 1
  %q = select i1 %c, i5 %d, i5 -3
  %l = icmp slt i5 %q, %y
  %o = sext i5 %q to i32
  %z = zext i1 %l to i32
  %t = add i32 %o, %z
  ret i32 %t
}
; CHECK-LABEL: define i32 @carried(
; CHECK: phi i32 [ 1, %entry ], [ [[J:%.*]], %loop ]
; CHECK: [[J]] = and i32 {{.*}}, 127
define i32 @carried(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i7 [ 1, %entry ], [ %j, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %t = mul i7 %i, 5
  %j = add i7 %t, -9
  %k1 = add i32 %k, 1
  %c = icmp ult i32 %k1, %n
  br i1 %c, label %loop, label %end
end:
  %r = zext i7 %j to i32
  ret i32 %r
}
; More bits than lanes have, and a use in memory, are left for the importer to refuse.
; CHECK-LABEL: define i32 @left(
; CHECK: zext i32 %a to i65
define i32 @left(i32 %a) {
  %x = zext i32 %a to i65
  %y = lshr i65 %x, 3
  %r = trunc i65 %y to i32
  ret i32 %r
}
; CHECK-LABEL: define void @stored(
; CHECK: store i24
define void @stored(i32 %a, ptr %p) {
  %x = trunc i32 %a to i24
  store i24 %x, ptr %p
  ret void
}
declare i3 @llvm.bitreverse.i3(i3)
declare i5 @llvm.smin.i5(i5, i5)
