; Bit operations that no unit has become operations that it has.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-expand-intrinsics -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define i32 @funnel(
; CHECK-NEXT:    [[L:%.*]] = shl i32 %x, 5
; CHECK-NEXT:    [[R:%.*]] = lshr i32 %y, 27
; CHECK-NEXT:    or i32 [[L]], [[R]]
define i32 @funnel(i32 %x, i32 %y) {
  %r = call i32 @llvm.fshl.i32(i32 %x, i32 %y, i32 5)
  ret i32 %r
}
; A rotation is one operation, to the left.
; CHECK-LABEL: define i32 @rotate(
; CHECK-NEXT:    call i32 @llvm.fshl.i32(i32 %x, i32 %x, i32 %k)
; CHECK-NEXT:    ret
define i32 @rotate(i32 %x, i32 %k) {
  %r = call i32 @llvm.fshl.i32(i32 %x, i32 %x, i32 %k)
  ret i32 %r
}
; CHECK-LABEL: define i16 @back(
; CHECK-NEXT:    [[K:%.*]] = sub i16 0, %k
; CHECK-NEXT:    call i16 @llvm.fshl.i16(i16 %x, i16 %x, i16 [[K]])
; CHECK-NEXT:    ret
define i16 @back(i16 %x, i16 %k) {
  %r = call i16 @llvm.fshr.i16(i16 %x, i16 %x, i16 %k)
  ret i16 %r
}
; CHECK-LABEL: define i16 @difference(
; CHECK-NEXT:    [[M:%.*]] = call i16 @llvm.umax.i16(i16 %x, i16 %y)
; CHECK-NEXT:    sub i16 [[M]], %y
define i16 @difference(i16 %x, i16 %y) {
  %r = call i16 @llvm.usub.sat.i16(i16 %x, i16 %y)
  ret i16 %r
}
; What units have stays.
; CHECK-LABEL: define i32 @max(
; CHECK-NEXT:    call i32 @llvm.smax.i32
define i32 @max(i32 %x, i32 %y) {
  %r = call i32 @llvm.smax.i32(i32 %x, i32 %y)
  ret i32 %r
}

; Every expansion computes what LLVM's own folding of the intrinsic says.
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-expand-intrinsics -S %s | lli
@bad = global i32 0
define void @same(i32 %got, i32 %expected) {
  %d = icmp ne i32 %got, %expected
  %z = zext i1 %d to i32
  %o = load i32, ptr @bad
  %n = add i32 %o, %z
  store i32 %n, ptr @bad
  ret void
}
define i32 @main() {
  %a = load volatile i32, ptr @seed
  %fshl = call i32 @llvm.fshl.i32(i32 %a, i32 287454020, i32 40)
  call void @same(i32 %fshl, i32 -1144201967)
  %zero = sub i32 %a, %a
  %fshl0 = call i32 @llvm.fshl.i32(i32 %a, i32 287454020, i32 %zero)
  call void @same(i32 %fshl0, i32 %a)
  %fshr0 = call i32 @llvm.fshr.i32(i32 287454020, i32 %a, i32 %zero)
  call void @same(i32 %fshr0, i32 %a)
  %eight = add i32 %zero, 8
  %fshr8 = call i32 @llvm.fshr.i32(i32 287454020, i32 %a, i32 %eight)
  call void @same(i32 %fshr8, i32 1152039884)
  %bswap = call i32 @llvm.bswap.i32(i32 287454020)
  call void @same(i32 %bswap, i32 1144201745)
  %pop = call i32 @llvm.ctpop.i32(i32 %a)
  call void @same(i32 %pop, i32 20)
  %ctz = call i32 @llvm.cttz.i32(i32 80, i1 false)
  call void @same(i32 %ctz, i32 4)
  %ctz0 = call i32 @llvm.cttz.i32(i32 %zero, i1 false)
  call void @same(i32 %ctz0, i32 32)
  %clz = call i32 @llvm.ctlz.i32(i32 80, i1 false)
  call void @same(i32 %clz, i32 25)
  %clz0 = call i32 @llvm.ctlz.i32(i32 %zero, i1 false)
  call void @same(i32 %clz0, i32 32)
  %sadd = call i32 @llvm.sadd.sat.i32(i32 2147483600, i32 100)
  call void @same(i32 %sadd, i32 2147483647)
  %ssub = call i32 @llvm.ssub.sat.i32(i32 -2147483600, i32 100)
  call void @same(i32 %ssub, i32 -2147483648)
  %sok = call i32 @llvm.ssub.sat.i32(i32 5, i32 100)
  call void @same(i32 %sok, i32 -95)
  %uadd = call i32 @llvm.uadd.sat.i32(i32 -5, i32 100)
  call void @same(i32 %uadd, i32 -1)
  %usub = call i32 @llvm.usub.sat.i32(i32 5, i32 100)
  call void @same(i32 %usub, i32 0)
  %ucmp = call i32 @llvm.ucmp.i32.i32(i32 5, i32 -100)
  call void @same(i32 %ucmp, i32 -1)
  %scmp = call i32 @llvm.scmp.i32.i32(i32 5, i32 -100)
  call void @same(i32 %scmp, i32 1)
  %r = load i32, ptr @bad
  ret i32 %r
}
@seed = global i32 -1430532899 ; 0xaabbccdd
