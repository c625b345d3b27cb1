target triple = "riscv32-unknown-elf"
define void @h(ptr %in, ptr %out, ptr %mem, ptr %len) #0 {
  call void @acis.nest.h.k0(i32 0, i32 9, i32 1)
  call void @acis.nest.h.k1(i32 640, i32 9)
  ret void
}
declare void @acis.nest.h.k0(i32, i32, i32)
declare void @acis.nest.h.k1(i32, i32)
attributes #0 = { "acis.handler" "acis.in-bytes"="4" "acis.out-bytes"="4" }
