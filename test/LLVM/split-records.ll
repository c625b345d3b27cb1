; An array of records is an array of each member; one that is used in another way stays.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so '-passes=acis-split-static-records,function(acis-split-records)' -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
%flow = type { i32, i16, float }
%pair = type { i16, i16 }
%nested = type { %pair, [4 x i8] }

; Initial values, also where the constant has another type than the source.
; CHECK-DAG: @flows.0 = internal global [2 x i32] [i32 1, i32 4]
; CHECK-DAG: @flows.1 = internal global [2 x i16] [i16 2, i16 5]
; CHECK-DAG: @flows.2 = internal global [2 x float] [float 3.000000e+00, float 6.000000e+00]
; CHECK-DAG: @sparse.0 = internal constant [3 x i32] [i32 7, i32 0, i32 0]
; CHECK-DAG: @sparse.1 = internal constant [3 x i16] [i16 8, i16 0, i16 0]
; CHECK-DAG: @deep.0.0 = internal global [3 x [5 x i16]] zeroinitializer
; CHECK-DAG: @deep.1 = internal global [3 x [5 x [4 x i8]]] zeroinitializer
; CHECK-DAG: @parts.0 = internal global [8 x i16] zeroinitializer, section "acis.vpe"
; CHECK-DAG: @kept = internal global [4 x %flow] zeroinitializer
; CHECK-DAG: @ends = internal global <{ [2 x i32], [6 x i32] }>
@flows = internal global [2 x %flow] [%flow { i32 1, i16 2, float 3.0 }, %flow { i32 4, i16 5, float 6.0 }]
@sparse = internal constant <{ { i32, i16, [2 x i8], float }, [2 x %flow] }> <{ { i32, i16, [2 x i8], float } { i32 7, i16 8, [2 x i8] zeroinitializer, float 9.0 }, [2 x %flow] zeroinitializer }>
@deep = internal global [3 x [5 x %nested]] zeroinitializer
@parts = internal global [8 x %pair] zeroinitializer, section "acis.vpe"
@kept = internal global [4 x %flow] zeroinitializer
@ends = internal global <{ [2 x i32], [6 x i32] }> <{ [2 x i32] [i32 1, i32 2], [6 x i32] zeroinitializer }>
@entry.v = private constant [2 x %pair] [%pair { i16 1, i16 2 }, %pair { i16 3, i16 4 }]

; CHECK-LABEL: define void @members(
; CHECK-NEXT: [[A:%.*]] = getelementptr inbounds i32, ptr @flows.0, i32 %i
; CHECK-NEXT: load i32, ptr [[A]]
; CHECK-NEXT: [[N:%.*]] = add i32 %i, 1
; CHECK-NEXT: [[B:%.*]] = getelementptr inbounds float, ptr @flows.2, i32 [[N]]
; CHECK-NEXT: store float 1.000000e+00, ptr [[B]]
; CHECK-NEXT: [[C:%.*]] = getelementptr inbounds i16, ptr @sparse.1, i32 %i
; CHECK-NEXT: load i16, ptr [[C]]
; CHECK: ret void
define void @members(i32 %i) "acis.handler" {
  %a = getelementptr inbounds [2 x %flow], ptr @flows, i32 0, i32 %i, i32 0
  %l = load i32, ptr %a
  %p = getelementptr inbounds %flow, ptr @flows, i32 %i
  %q = getelementptr inbounds %flow, ptr %p, i32 1
  %b = getelementptr inbounds i8, ptr %q, i32 8
  store float 1.0, ptr %b
  %s = getelementptr inbounds [3 x %flow], ptr @sparse, i32 0, i32 %i
  %c = getelementptr inbounds %flow, ptr %s, i32 0, i32 1
  %m = load i16, ptr %c
  ret void
}

; Several members by one access, which InstCombine makes; whole records; rows of rows.
; CHECK-LABEL: define i32 @whole(
; CHECK-DAG: getelementptr inbounds i16, ptr @parts.0, i32 %i
; CHECK-DAG: getelementptr inbounds i16, ptr @parts.1, i32 %i
; CHECK: zext i16
; CHECK: shl i32 {{.*}}, 16
; CHECK: [[ROW:%.*]] = mul i32 %i, 5
; CHECK: [[AT:%.*]] = add i32 [[ROW]], %j
; CHECK: getelementptr inbounds [4 x i8], ptr @deep.1, i32 [[AT]]
; CHECK: ret i32
define i32 @whole(i32 %i, i32 %j, i32 %k) "acis.handler" {
  %p = getelementptr inbounds [8 x %pair], ptr @parts, i32 0, i32 %i
  %w = load i32, ptr %p
  %d = getelementptr inbounds [3 x [5 x %nested]], ptr @deep, i32 0, i32 %i, i32 %j
  call void @llvm.memcpy.p0.p0.i32(ptr %d, ptr %p, i32 4, i1 false)
  %e = getelementptr inbounds %nested, ptr %d, i32 0, i32 1, i32 %k
  store i8 5, ptr %e
  ret i32 %w
}

; A pointer that goes through records, a local copy of a table, and one that is filled.
; CHECK-LABEL: define i32 @walk(
; CHECK: [[V0:%.*]] = alloca [2 x i16]
; CHECK: [[V1:%.*]] = alloca [2 x i16]
; CHECK: call void @llvm.memcpy{{.*}}(ptr [[V0]], ptr @entry.v.0, i64 4, i1 false)
; CHECK: call void @llvm.memcpy{{.*}}(ptr [[V1]], ptr @entry.v.1, i64 4, i1 false)
; CHECK: [[I:%.*]] = phi i32 [ 0, %entry ], [ [[N:%.*]], %loop ]
; CHECK: getelementptr inbounds i16, ptr [[V1]], i32 [[I]]
; CHECK: [[N]] = add i32 [[I]], 1
; CHECK: icmp eq i32 [[N]], 2
; CHECK: call void @llvm.memset{{.*}}(ptr [[V0]], i8 0, i64 4, i1 false)
define i32 @walk() "acis.handler" {
entry:
  %v = alloca [2 x %pair]
  call void @llvm.memcpy.p0.p0.i32(ptr %v, ptr @entry.v, i32 8, i1 false)
  %end = getelementptr inbounds %pair, ptr %v, i32 2
  br label %loop
loop:
  %p = phi ptr [ %v, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %m = getelementptr inbounds %pair, ptr %p, i32 0, i32 1
  %l = load i16, ptr %m
  %x = zext i16 %l to i32
  %more = add i32 %sum, %x
  %next = getelementptr inbounds %pair, ptr %p, i32 1
  %done = icmp eq ptr %next, %end
  br i1 %done, label %exit, label %loop
exit:
  call void @llvm.memset.p0.i32(ptr %v, i8 0, i32 8, i1 false)
  ret i32 %more
}

; Through a pointer to another type, and half of a member: which member it is nobody knows.
; CHECK-LABEL: define i16 @other(
; CHECK: getelementptr inbounds i16, ptr @kept, i32 %i
; CHECK: getelementptr inbounds i32, ptr @ends, i32 %i
define i16 @other(i32 %i) "acis.handler" {
  %w = getelementptr inbounds i16, ptr @kept, i32 %i
  %l = load i16, ptr %w
  %e = getelementptr inbounds i32, ptr @ends, i32 %i
  %m = load i32, ptr %e
  ret i16 %l
}
