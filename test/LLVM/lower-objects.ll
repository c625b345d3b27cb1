; A record's numbers are arrays, pointers to records numbers; an object that is used in another way
; stays.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so '-passes=acis-lower-objects,function(acis-lower-records)' -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
%flow = type { i32, i16, float }
%pair = type { i16, i16 }
%nested = type { %pair, [4 x i8] }
%small = type { i32, i16 }
%list = type { i32, [8 x i8] }
%two = type { i32, i32 }

; Initial values, also where the constant has another type than the source.
; CHECK-DAG: @flows.0 = internal global [2 x i32] [i32 1, i32 4]
; CHECK-DAG: @flows.1 = internal global [2 x i16] [i16 2, i16 5]
; CHECK-DAG: @flows.2 = internal global [2 x float] [float 3.000000e+00, float 6.000000e+00]
; CHECK-DAG: @sparse.0 = internal constant [3 x i32] [i32 7, i32 0, i32 0]
; CHECK-DAG: @sparse.1 = internal constant [3 x i16] [i16 8, i16 0, i16 0]
; CHECK-DAG: @deep.0.0 = internal global [3 x [5 x i16]] zeroinitializer
; CHECK-DAG: @deep.1 = internal global [3 x [5 x [4 x i8]]] zeroinitializer
; CHECK-DAG: @parts.0 = internal global [8 x i16] zeroinitializer, section "acis.vpe"
; CHECK-DAG: @kept = internal global [24 x i16] zeroinitializer
; CHECK-DAG: @ends = internal global <{ [2 x i32], [6 x i32] }>
; CHECK-DAG: @near.far.0 = internal global [24 x i32]
; CHECK-DAG: @near.far.1 = internal global [24 x i16]
; CHECK-DAG: @lists.0 = internal global [4 x i32]
; CHECK-DAG: @lists.1 = internal global [4 x [8 x i8]]
; CHECK-DAG: @received.0 = internal global [32 x i32]
; CHECK-DAG: @either = internal global [{{[0-9]+}} x i32]
; CHECK-DAG: @shared = internal global [4 x %small]
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
; CHECK: add i32 %i, 1
; CHECK: [[B:%.*]] = getelementptr inbounds float, ptr @flows.2, i32 {{%.*}}
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
; CHECK: getelementptr inbounds i16, ptr @parts.0, i32 %i
; CHECK: zext i16
; CHECK: getelementptr inbounds i16, ptr @parts.1, i32 %i
; CHECK: shl i32 {{.*}}, 16
; CHECK: [[ROW:%.*]] = mul i32 %i, 5
; CHECK: [[AT:%.*]] = add i32 [[ROW]], %j
; CHECK: [[FROM:%.*]] = getelementptr inbounds i16, ptr @parts.1, i32 %i
; CHECK: [[PART:%.*]] = load i16, ptr [[FROM]]
; CHECK: store i16 [[PART]], ptr
; CHECK: getelementptr inbounds [4 x i8], ptr @deep.1, i32
; CHECK: getelementptr inbounds i8, ptr {{.*}}, i32 %k
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
; CHECK: icmp eq i32 [[I]], 1
; CHECK: call void @llvm.memset{{.*}}(ptr [[V0]], i8 0, i32 4, i1 false)
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

; Through a pointer to another type: which member it is nobody knows, so the records are words. Where
; that is not so by its uses, the object stays.
; CHECK-LABEL: define i16 @other(
; CHECK: [[AT:%.*]] = getelementptr inbounds i16, ptr @kept, i32 %i
; CHECK: load i16, ptr [[AT]]
; CHECK: getelementptr inbounds i32, ptr @ends, i32 %i
define i16 @other(i32 %i) "acis.handler" {
  %w = getelementptr inbounds i16, ptr @kept, i32 %i
  %l = load i16, ptr %w
  %e = getelementptr inbounds i32, ptr @ends, i32 %i
  %m = load i32, ptr %e
  ret i16 %l
}

; Of two tables, or none: one table, in which the second starts behind the first, and -1 is null.
; CHECK-LABEL: define i32 @chosen(
; CHECK: [[FAR:%.*]] = add i32 %j, 16
; CHECK: [[ONE:%.*]] = select i1 %c, i32 %i, i32 [[FAR]]
; CHECK: [[P:%.*]] = select i1 %d, i32 [[ONE]], i32 -1
; CHECK: icmp eq i32 [[P]], -1
; CHECK: [[A:%.*]] = getelementptr i16, ptr @near.far.1, i32 [[P]]
; CHECK: load i16, ptr [[A]]
@near = internal global [16 x %small] zeroinitializer
@far = internal global [8 x %small] zeroinitializer
define i32 @chosen(i32 %i, i32 %j, i1 %c, i1 %d) "acis.handler" {
entry:
  %a = getelementptr inbounds [16 x %small], ptr @near, i32 0, i32 %i
  %b = getelementptr inbounds [8 x %small], ptr @far, i32 0, i32 %j
  %one = select i1 %c, ptr %a, ptr %b
  %p = select i1 %d, ptr %one, ptr null
  %none = icmp eq ptr %p, null
  br i1 %none, label %exit, label %some
some:
  %m = getelementptr inbounds %small, ptr %p, i32 0, i32 1
  %l = load i16, ptr %m
  %x = zext i16 %l to i32
  br label %exit
exit:
  %r = phi i32 [ 0, %entry ], [ %x, %some ]
  ret i32 %r
}

; A pointer that goes through an array that is a member: the record and the element are two numbers.
; A step back stays in the array.
; CHECK-LABEL: define i32 @inside(
; CHECK: [[I:%.*]] = phi i32 [ %i, %entry ], [ [[I]], %loop ]
; CHECK: [[K:%.*]] = phi i32 [ 0, %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK: [[ROW:%.*]] = getelementptr inbounds [8 x i8], ptr @lists.1, i32 [[I]]
; CHECK: getelementptr inbounds i8, ptr [[ROW]], i32 [[K]]
; CHECK: [[NEXT]] = add i32 [[K]], 1
; CHECK: icmp eq i32
; CHECK: [[BACK:%.*]] = add i32 %j, -1
; CHECK: [[SAME:%.*]] = getelementptr inbounds [8 x i8], ptr @lists.1, i32 %i
; CHECK: getelementptr inbounds i8, ptr [[SAME]], i32 [[BACK]]
; CHECK-NOT: ptrtoint
; CHECK: ret i32
@lists = internal global [4 x %list] zeroinitializer
define i32 @inside(i32 %i, i32 %j) "acis.handler" {
entry:
  %list = getelementptr inbounds [4 x %list], ptr @lists, i32 0, i32 %i
  %first = getelementptr inbounds %list, ptr %list, i32 0, i32 1
  %end = getelementptr inbounds i8, ptr %first, i32 8
  br label %loop
loop:
  %p = phi ptr [ %first, %entry ], [ %next, %loop ]
  store i8 0, ptr %p
  %next = getelementptr inbounds i8, ptr %p, i32 1
  %done = icmp eq ptr %next, %end
  br i1 %done, label %exit, label %loop
exit:
  %at = getelementptr inbounds [8 x i8], ptr %first, i32 0, i32 %j
  %back = getelementptr inbounds i8, ptr %at, i32 -1
  %l = load i8, ptr %back
  %x = zext i8 %l to i32
  %a = ptrtoint ptr %next to i32
  %b = ptrtoint ptr %first to i32
  %distance = sub i32 %a, %b
  %sum = add i32 %x, %distance
  ret i32 %sum
}

; Several records from a stream: a loop over them.
; CHECK-LABEL: define void @receive(
; CHECK: [[N:%.*]] = phi i32 [ 0, %
; CHECK: [[FROM:%.*]] = getelementptr inbounds [8 x i8], ptr %in, i32 [[N]]
; CHECK: [[K:%.*]] = load i32, ptr [[FROM]]
; CHECK: icmp eq i32 {{.*}}, 32
@received = internal global [32 x %small] zeroinitializer
define void @receive(ptr %in) "acis.handler" {
  %unused = getelementptr inbounds [32 x %small], ptr @received, i32 0, i32 3
  call void @llvm.memcpy.p0.p0.i32(ptr @received, ptr %in, i32 256, i1 false)
  ret void
}

; One of two members is words; a stream and a table are no object.
; CHECK-LABEL: define i32 @mixed(
; CHECK: [[AT:%.*]] = select i1 %c, i32
; CHECK: getelementptr inbounds i32, ptr @either, i32 [[AT]]
; CHECK: select i1 %c, ptr
@either = internal global [4 x %two] zeroinitializer
@shared = internal global [4 x %small] zeroinitializer
define i32 @mixed(ptr %in, i32 %i, i1 %c) "acis.handler" {
  %record = getelementptr inbounds [4 x %two], ptr @either, i32 0, i32 %i
  %other = getelementptr inbounds %two, ptr %record, i32 0, i32 1
  %p = select i1 %c, ptr %record, ptr %other
  %l = load i32, ptr %p
  %q = getelementptr inbounds [4 x %small], ptr @shared, i32 0, i32 %i
  %s = select i1 %c, ptr %q, ptr %in
  %m = load i32, ptr %s
  %sum = add i32 %l, %m
  ret i32 %sum
}
