target triple = "riscv32-unknown-elf"
define void @sum(ptr %in, ptr %out, ptr %mem, ptr %len) #0 {
  %n = call i32 @acis.streamin(i32 0, i32 2)
  %r = call { i32 } @acis.nest.sum.k0(i32 16, i32 %n, i32 255)
  %s = extractvalue { i32 } %r, 0
  call void @acis.streamout(i32 0, i32 %s, i32 2)
  %f = load double, ptr %mem, align 8
  %d = call { double } @acis.nest.sum.k1(i32 1024, double %f)
  %e = extractvalue { double } %d, 0
  store double %e, ptr %mem, align 8
  %wide = zext i32 %s to i64
  call void @acis.nest.sum.k2(i32 %n, i64 %wide)
  ret void
}
declare i32 @acis.streamin(i32, i32)
declare void @acis.streamout(i32, i32, i32)
declare { i32 } @acis.nest.sum.k0(i32, i32, i32)
declare { double } @acis.nest.sum.k1(i32, double)
declare void @acis.nest.sum.k2(i32, i64)
attributes #0 = { "acis.handler" "acis.in-bytes"="4" "acis.out-bytes"="4" }
