target triple = "riscv32-unknown-elf"
define void @gcn(ptr %in, ptr %out, ptr %mem, ptr %len) #0 {
  %rows = call i32 @acis.streamin(i32 0, i32 2)
  %m = ptrtoint ptr %mem to i32
  call void @acis.nest.gcn.load(i32 %m, i32 %rows)
  call void @acis.nest.gcn.splat(i32 %m, i32 %rows)
  call void @acis.nest.gcn.narrow(i32 %m, i32 %rows)
  call void @acis.nest.gcn.zero(i32 %rows)
  call void @acis.nest.gcn.store(i32 %m)
  call void @acis.nest.gcn.send(i32 0, i32 %rows)
  ret void
}
declare i32 @acis.streamin(i32, i32)
declare void @acis.nest.gcn.load(i32, i32)
declare void @acis.nest.gcn.splat(i32, i32)
declare void @acis.nest.gcn.narrow(i32, i32)
declare void @acis.nest.gcn.zero(i32)
declare void @acis.nest.gcn.store(i32)
declare void @acis.nest.gcn.send(i32, i32)
attributes #0 = { "acis.handler" "acis.in-bytes"="4" "acis.out-bytes"="4" }
