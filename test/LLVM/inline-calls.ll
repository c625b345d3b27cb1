; Everything a handler calls is inlined; what no handler uses is removed.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-inline-calls -S %s | FileCheck %s
; CHECK-NOT: @unused
; CHECK: define void @h(
; CHECK: mul i32 %{{.*}}, 3
; CHECK-NOT: call i32 @triple
; CHECK: call i32 @__acis_tile
; CHECK-NOT: define

@table = internal global [4 x i32] zeroinitializer
@used = internal global [4 x i32] zeroinitializer

define internal i32 @triple(i32 %x) {
  %r = mul i32 %x, 3
  ret i32 %r
}

define i32 @unused(i32 %x) {
  store i32 %x, ptr @table
  %r = call i32 @host(i32 %x)
  ret i32 %r
}

declare i32 @host(i32)
declare i32 @__acis_tile(i32, i32)

define void @h(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr %len) "acis.handler" {
  %v = load i32, ptr %in
  %t = call i32 @triple(i32 %v)
  %u = call i32 @__acis_tile(i32 4, i32 %t)
  store i32 %u, ptr %out
  ret void
}
