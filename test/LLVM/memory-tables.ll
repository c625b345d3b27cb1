; A read of memory whose place is no sum of steps is one of a copy, if it stays in a small part and the
; loop writes nothing to the memory.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-memory-tables -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
target triple = "riscv32"

; CHECK-LABEL: define void @chosen(
; CHECK:         %table = alloca [16 x i32]
; CHECK:         call void @llvm.memcpy{{.*}}(ptr align 4 %table, ptr align 4 {{.*}}, i64 64, i1 false)
; CHECK:       loop:
; CHECK:         getelementptr inbounds i32, ptr %table
define void @chosen(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %p = getelementptr i32, ptr %in, i32 %i
  %v = load i32, ptr %p
  %k = and i32 %v, 15
  %q = getelementptr i32, ptr %mem, i32 %k
  %m = load i32, ptr %q
  %o = getelementptr i32, ptr %out, i32 %i
  store i32 %m, ptr %o
  %n = add i32 %i, 1
  %e = icmp eq i32 %n, 100
  br i1 %e, label %exit, label %loop
exit:
  ret void
}

; Steps are the address generators'; what is written stays in memory; a large part does, too.
; CHECK-LABEL: define void @others(
; CHECK-NOT:     memcpy
; CHECK:       exit:
define void @others(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) {
entry:
  br label %steps
steps:
  %i = phi i32 [ 0, %entry ], [ %n, %steps ]
  %p = getelementptr i32, ptr %mem, i32 %i
  %v = load i32, ptr %p
  %big = and i32 %v, 65535
  %r = getelementptr i32, ptr %mem, i32 %big
  %w = load i32, ptr %r
  %o = getelementptr i32, ptr %out, i32 %i
  store i32 %w, ptr %o
  %n = add i32 %i, 1
  %e = icmp eq i32 %n, 100
  br i1 %e, label %writes, label %steps
writes:
  %j = phi i32 [ 0, %steps ], [ %l, %writes ]
  %pin = getelementptr i32, ptr %in, i32 %j
  %x = load i32, ptr %pin
  %k = and i32 %x, 15
  %q = getelementptr i32, ptr %mem, i32 %k
  %m = load i32, ptr %q
  %s = add i32 %m, 1
  store i32 %s, ptr %q
  %l = add i32 %j, 1
  %f = icmp eq i32 %l, 100
  br i1 %f, label %exit, label %writes
exit:
  ret void
}
