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

; None of what is expanded is left.
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -S %s \
; RUN:     -passes='function(acis-expand-intrinsics),strip-dead-prototypes' \
; RUN:   | FileCheck %s --check-prefix=LEFT --implicit-check-not=with.overflow \
; RUN:       --implicit-check-not=llvm.floor --implicit-check-not=llvm.bitreverse
; LEFT: define i32 @main

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
  %none = sitofp i32 %zero to float
  %x1 = fsub float 0xBFE0000000000000, %none
  %y1 = call float @llvm.floor.f32(float %x1)
  %z1 = bitcast float %y1 to i32
  call void @same(i32 %z1, i32 -1082130432)
  %x2 = fsub float 0x4006000000000000, %none
  %y2 = call float @llvm.floor.f32(float %x2)
  %z2 = bitcast float %y2 to i32
  call void @same(i32 %z2, i32 1073741824)
  %x3 = fsub float 0xBFE0000000000000, %none
  %y3 = call float @llvm.ceil.f32(float %x3)
  %z3 = bitcast float %y3 to i32
  call void @same(i32 %z3, i32 -2147483648)
  %x4 = fsub float 0x4002000000000000, %none
  %y4 = call float @llvm.ceil.f32(float %x4)
  %z4 = bitcast float %y4 to i32
  call void @same(i32 %z4, i32 1077936128)
  %x5 = fsub float 0xBFF8000000000000, %none
  %y5 = call float @llvm.trunc.f32(float %x5)
  %z5 = bitcast float %y5 to i32
  call void @same(i32 %z5, i32 -1082130432)
  %x6 = fsub float 0x4004000000000000, %none
  %y6 = call float @llvm.round.f32(float %x6)
  %z6 = bitcast float %y6 to i32
  call void @same(i32 %z6, i32 1077936128)
  %x7 = fsub float 0xC004000000000000, %none
  %y7 = call float @llvm.round.f32(float %x7)
  %z7 = bitcast float %y7 to i32
  call void @same(i32 %z7, i32 -1069547520)
  %x8 = fsub float 0x4004000000000000, %none
  %y8 = call float @llvm.rint.f32(float %x8)
  %z8 = bitcast float %y8 to i32
  call void @same(i32 %z8, i32 1073741824)
  %x9 = fsub float 0x400C000000000000, %none
  %y9 = call float @llvm.rint.f32(float %x9)
  %z9 = bitcast float %y9 to i32
  call void @same(i32 %z9, i32 1082130432)
  %x10 = fsub float 0xBFD0000000000000, %none
  %y10 = call float @llvm.nearbyint.f32(float %x10)
  %z10 = bitcast float %y10 to i32
  call void @same(i32 %z10, i32 -2147483648)
  %x11 = fsub float 0x4170000000000000, %none
  %y11 = call float @llvm.roundeven.f32(float %x11)
  %z11 = bitcast float %y11 to i32
  call void @same(i32 %z11, i32 1266679808)
  %x12 = fsub float 0x7FF8000000000000, %none
  %y12 = call i1 @llvm.is.fpclass.f32(float %x12, i32 3)
  %z12 = zext i1 %y12 to i32
  call void @same(i32 %z12, i32 1)
  %x13 = fsub float 0xFFF0000000000000, %none
  %y13 = call i1 @llvm.is.fpclass.f32(float %x13, i32 516)
  %z13 = zext i1 %y13 to i32
  call void @same(i32 %z13, i32 1)
  %x14 = fsub float 0xFFF0000000000000, %none
  %y14 = call i1 @llvm.is.fpclass.f32(float %x14, i32 512)
  %z14 = zext i1 %y14 to i32
  call void @same(i32 %z14, i32 0)
  %x15 = fsub float 0xBFF8000000000000, %none
  %y15 = call i1 @llvm.is.fpclass.f32(float %x15, i32 264)
  %z15 = zext i1 %y15 to i32
  call void @same(i32 %z15, i32 1)
  %x16 = fsub float 0x37A16C2000000000, %none
  %y16 = call i1 @llvm.is.fpclass.f32(float %x16, i32 144)
  %z16 = zext i1 %y16 to i32
  call void @same(i32 %z16, i32 1)
  %x17 = fsub float 0x8000000000000000, %none
  %y17 = call i1 @llvm.is.fpclass.f32(float %x17, i32 96)
  %z17 = zext i1 %y17 to i32
  call void @same(i32 %z17, i32 1)
  %x18 = fsub float 0x8000000000000000, %none
  %y18 = call i1 @llvm.is.fpclass.f32(float %x18, i32 64)
  %z18 = zext i1 %y18 to i32
  call void @same(i32 %z18, i32 0)
  %x19 = add i32 %zero, -5
  %y19 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %x19, i32 5)
  %f19 = extractvalue { i32, i1 } %y19, 1
  %z19 = zext i1 %f19 to i32
  call void @same(i32 %z19, i32 1)
  %v19 = extractvalue { i32, i1 } %y19, 0
  %m19 = icmp ne i32 %v19, 0
  %d19 = zext i1 %m19 to i32
  call void @same(i32 %d19, i32 0)
  %x20 = add i32 %zero, -6
  %y20 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %x20, i32 5)
  %f20 = extractvalue { i32, i1 } %y20, 1
  %z20 = zext i1 %f20 to i32
  call void @same(i32 %z20, i32 0)
  %v20 = extractvalue { i32, i1 } %y20, 0
  %m20 = icmp ne i32 %v20, -1
  %d20 = zext i1 %m20 to i32
  call void @same(i32 %d20, i32 0)
  %x21 = add i32 %zero, 4
  %y21 = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %x21, i32 5)
  %f21 = extractvalue { i32, i1 } %y21, 1
  %z21 = zext i1 %f21 to i32
  call void @same(i32 %z21, i32 1)
  %v21 = extractvalue { i32, i1 } %y21, 0
  %m21 = icmp ne i32 %v21, -1
  %d21 = zext i1 %m21 to i32
  call void @same(i32 %d21, i32 0)
  %x22 = add i32 %zero, 5
  %y22 = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %x22, i32 5)
  %f22 = extractvalue { i32, i1 } %y22, 1
  %z22 = zext i1 %f22 to i32
  call void @same(i32 %z22, i32 0)
  %v22 = extractvalue { i32, i1 } %y22, 0
  %m22 = icmp ne i32 %v22, 0
  %d22 = zext i1 %m22 to i32
  call void @same(i32 %d22, i32 0)
  %x23 = add i32 %zero, 65536
  %y23 = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %x23, i32 65536)
  %f23 = extractvalue { i32, i1 } %y23, 1
  %z23 = zext i1 %f23 to i32
  call void @same(i32 %z23, i32 1)
  %v23 = extractvalue { i32, i1 } %y23, 0
  %m23 = icmp ne i32 %v23, 0
  %d23 = zext i1 %m23 to i32
  call void @same(i32 %d23, i32 0)
  %x24 = add i32 %zero, 65535
  %y24 = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %x24, i32 65537)
  %f24 = extractvalue { i32, i1 } %y24, 1
  %z24 = zext i1 %f24 to i32
  call void @same(i32 %z24, i32 0)
  %v24 = extractvalue { i32, i1 } %y24, 0
  %m24 = icmp ne i32 %v24, -1
  %d24 = zext i1 %m24 to i32
  call void @same(i32 %d24, i32 0)
  %x25 = add i32 %zero, 2147483647
  %y25 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %x25, i32 1)
  %f25 = extractvalue { i32, i1 } %y25, 1
  %z25 = zext i1 %f25 to i32
  call void @same(i32 %z25, i32 1)
  %v25 = extractvalue { i32, i1 } %y25, 0
  %m25 = icmp ne i32 %v25, -2147483648
  %d25 = zext i1 %m25 to i32
  call void @same(i32 %d25, i32 0)
  %x26 = add i32 %zero, -2147483648
  %y26 = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %x26, i32 1)
  %f26 = extractvalue { i32, i1 } %y26, 1
  %z26 = zext i1 %f26 to i32
  call void @same(i32 %z26, i32 1)
  %v26 = extractvalue { i32, i1 } %y26, 0
  %m26 = icmp ne i32 %v26, 2147483647
  %d26 = zext i1 %m26 to i32
  call void @same(i32 %d26, i32 0)
  %x27 = add i32 %zero, -1
  %y27 = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %x27, i32 2147483647)
  %f27 = extractvalue { i32, i1 } %y27, 1
  %z27 = zext i1 %f27 to i32
  call void @same(i32 %z27, i32 0)
  %v27 = extractvalue { i32, i1 } %y27, 0
  %m27 = icmp ne i32 %v27, -2147483648
  %d27 = zext i1 %m27 to i32
  call void @same(i32 %d27, i32 0)
  %x28 = add i32 %zero, -65536
  %y28 = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %x28, i32 32768)
  %f28 = extractvalue { i32, i1 } %y28, 1
  %z28 = zext i1 %f28 to i32
  call void @same(i32 %z28, i32 0)
  %v28 = extractvalue { i32, i1 } %y28, 0
  %m28 = icmp ne i32 %v28, -2147483648
  %d28 = zext i1 %m28 to i32
  call void @same(i32 %d28, i32 0)
  %x29 = add i32 %zero, 65536
  %y29 = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %x29, i32 32768)
  %f29 = extractvalue { i32, i1 } %y29, 1
  %z29 = zext i1 %f29 to i32
  call void @same(i32 %z29, i32 1)
  %v29 = extractvalue { i32, i1 } %y29, 0
  %m29 = icmp ne i32 %v29, -2147483648
  %d29 = zext i1 %m29 to i32
  call void @same(i32 %d29, i32 0)
  %n30 = zext i32 %zero to i64
  %x30 = add i64 %n30, 4294967296
  %y30 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %x30, i64 4294967296)
  %f30 = extractvalue { i64, i1 } %y30, 1
  %z30 = zext i1 %f30 to i32
  call void @same(i32 %z30, i32 1)
  %v30 = extractvalue { i64, i1 } %y30, 0
  %m30 = icmp ne i64 %v30, 0
  %d30 = zext i1 %m30 to i32
  call void @same(i32 %d30, i32 0)
  %n31 = zext i32 %zero to i64
  %x31 = add i64 %n31, 4294967295
  %y31 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %x31, i64 4294967297)
  %f31 = extractvalue { i64, i1 } %y31, 1
  %z31 = zext i1 %f31 to i32
  call void @same(i32 %z31, i32 0)
  %v31 = extractvalue { i64, i1 } %y31, 0
  %m31 = icmp ne i64 %v31, -1
  %d31 = zext i1 %m31 to i32
  call void @same(i32 %d31, i32 0)
  %n32 = zext i32 %zero to i64
  %x32 = add i64 %n32, -4611686018427387904
  %y32 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %x32, i64 2)
  %f32 = extractvalue { i64, i1 } %y32, 1
  %z32 = zext i1 %f32 to i32
  call void @same(i32 %z32, i32 0)
  %v32 = extractvalue { i64, i1 } %y32, 0
  %m32 = icmp ne i64 %v32, -9223372036854775808
  %d32 = zext i1 %m32 to i32
  call void @same(i32 %d32, i32 0)
  %n33 = zext i32 %zero to i64
  %x33 = add i64 %n33, -4611686018427387904
  %y33 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %x33, i64 -2)
  %f33 = extractvalue { i64, i1 } %y33, 1
  %z33 = zext i1 %f33 to i32
  call void @same(i32 %z33, i32 1)
  %v33 = extractvalue { i64, i1 } %y33, 0
  %m33 = icmp ne i64 %v33, -9223372036854775808
  %d33 = zext i1 %m33 to i32
  call void @same(i32 %d33, i32 0)
  %n34 = zext i32 %zero to i64
  %x34 = add i64 %n34, 3037000500
  %y34 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %x34, i64 -3037000500)
  %f34 = extractvalue { i64, i1 } %y34, 1
  %z34 = zext i1 %f34 to i32
  call void @same(i32 %z34, i32 1)
  %v34 = extractvalue { i64, i1 } %y34, 0
  %m34 = icmp ne i64 %v34, 9223372036709301616
  %d34 = zext i1 %m34 to i32
  call void @same(i32 %d34, i32 0)
  %n35 = zext i32 %zero to i64
  %x35 = add i64 %n35, -1
  %y35 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %x35, i64 -9223372036854775808)
  %f35 = extractvalue { i64, i1 } %y35, 1
  %z35 = zext i1 %f35 to i32
  call void @same(i32 %z35, i32 1)
  %v35 = extractvalue { i64, i1 } %y35, 0
  %m35 = icmp ne i64 %v35, -9223372036854775808
  %d35 = zext i1 %m35 to i32
  call void @same(i32 %d35, i32 0)
  %n36 = zext i32 %zero to i64
  %x36 = add i64 %n36, 9223372036854775807
  %y36 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %x36, i64 1)
  %f36 = extractvalue { i64, i1 } %y36, 1
  %z36 = zext i1 %f36 to i32
  call void @same(i32 %z36, i32 1)
  %v36 = extractvalue { i64, i1 } %y36, 0
  %m36 = icmp ne i64 %v36, -9223372036854775808
  %d36 = zext i1 %m36 to i32
  call void @same(i32 %d36, i32 0)
  %n37 = trunc i32 %zero to i8
  %x37 = add i8 %n37, 16
  %y37 = call { i8, i1 } @llvm.smul.with.overflow.i8(i8 %x37, i8 8)
  %f37 = extractvalue { i8, i1 } %y37, 1
  %z37 = zext i1 %f37 to i32
  call void @same(i32 %z37, i32 1)
  %v37 = extractvalue { i8, i1 } %y37, 0
  %m37 = icmp ne i8 %v37, -128
  %d37 = zext i1 %m37 to i32
  call void @same(i32 %d37, i32 0)
  %n38 = trunc i32 %zero to i16
  %x38 = add i16 %n38, 256
  %y38 = call { i16, i1 } @llvm.umul.with.overflow.i16(i16 %x38, i16 255)
  %f38 = extractvalue { i16, i1 } %y38, 1
  %z38 = zext i1 %f38 to i32
  call void @same(i32 %z38, i32 0)
  %v38 = extractvalue { i16, i1 } %y38, 0
  %m38 = icmp ne i16 %v38, -256
  %d38 = zext i1 %m38 to i32
  call void @same(i32 %d38, i32 0)
  %x39 = add i32 %zero, 305419896
  %y39 = call i32 @llvm.bitreverse.i32(i32 %x39)
  call void @same(i32 %y39, i32 510274632)
  %r = load i32, ptr @bad
  ret i32 %r
}
@seed = global i32 -1430532899 ; 0xaabbccdd
