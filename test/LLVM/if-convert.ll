; Conditions of an innermost loop become selects; what must not be done needlessly keeps
; a block of its own.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-if-convert -verify-each -S %s | FileCheck %s

@a = internal global [64 x i32] zeroinitializer

; A diamond with two results, nested in a triangle: one line.
; CHECK-LABEL: define void @diamond(
; CHECK:       loop:
; CHECK-NEXT:    %i = phi
; CHECK-NEXT:    %p =
; CHECK-NEXT:    %v = load i32, ptr %p
; CHECK-NEXT:    %c = icmp
; CHECK-NEXT:    br label %line
; CHECK:       line:
; CHECK:         %d = icmp
; CHECK-DAG:     %t = mul
; CHECK-DAG:     %f = add
; CHECK:         [[INNER:%.*]] = select i1 %d, i32 %t, i32 %f
; CHECK-NEXT:    [[OUTER:%.*]] = select i1 %c, i32 [[INNER]], i32 %v
; CHECK:         br label %next
; CHECK:       next:
; CHECK:         store i32 [[OUTER]]
define void @diamond(ptr noalias %in, ptr noalias %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%n, %next]
  %p = getelementptr i32, ptr %in, i32 %i
  %v = load i32, ptr %p
  %c = icmp sgt i32 %v, 10
  br i1 %c, label %outer, label %next
outer:
  %d = icmp slt i32 %v, 100
  br i1 %d, label %then, label %else
then:
  %t = mul i32 %v, 3
  br label %inner
else:
  %f = add i32 %v, 5
  br label %inner
inner:
  %r = phi i32 [%t, %then], [%f, %else]
  br label %next
next:
  %s = phi i32 [%v, %loop], [%r, %inner]
  %q = getelementptr i32, ptr %out, i32 %i
  store i32 %s, ptr %q
  %n = add i32 %i, 1
  %e = icmp eq i32 %n, 100
  br i1 %e, label %exit, label %loop
exit:
  ret void
}

; a && b: the join has three ways into it, two of which bring one value, which takes one select. Array
; and memory are read always, marked; the division gets a divisor that is not 0; the store and the access
; of a stream stay conditional.
; CHECK-LABEL: define void @guarded(
; CHECK:         [[SKIP:%.*]] = select i1 %c, i32 7, i32 %v
; CHECK:         [[BOTH:%.*]] = select i1 %c, i1 %d, i1 false
; CHECK-NEXT:    %x = load i32, ptr %xp, align 4, !acis.guarded
; CHECK-NEXT:    [[DIVISOR:%.*]] = select i1 [[BOTH]], i32 %v, i32 1
; CHECK-NEXT:    %y = sdiv i32 %x, [[DIVISOR]]
; CHECK-NEXT:    %m = load i32, ptr %mem, align 4, !acis.guarded
; CHECK-NEXT:    %z = add i32 %y, %m
; CHECK-NEXT:    br i1 [[BOTH]], label %guarded, label %[[AFTER:.*]]
; CHECK:       guarded:
; CHECK-NEXT:    %w2 = load i32, ptr %in
; CHECK-NEXT:    br label %[[AFTER]]
; CHECK:       [[AFTER]]:
; CHECK-NEXT:    [[W:%.*]] = phi i32 [ %w2, %guarded ], [ 0, %line ]
; CHECK-NEXT:    %z2 = add i32 %z, [[W]]
; CHECK-NEXT:    br i1 [[BOTH]], label %[[STORE:.*]], label %[[END:.*]]
; CHECK:       [[STORE]]:
; CHECK-NEXT:    store i32 %z2, ptr %xp
; CHECK-NEXT:    br label %[[END]]
; CHECK:       [[END]]:
; CHECK-NEXT:    [[NOT:%.*]] = select i1 %d, i1 false, i1 true
; CHECK-NEXT:    [[ELSE:%.*]] = select i1 %c, i1 [[NOT]], i1 true
; CHECK-NEXT:    select i1 [[ELSE]], i32 [[SKIP]], i32 %z
; CHECK-NEXT:    br label %next
define void @guarded(ptr noalias %in, ptr noalias %out, ptr noalias %mem) {
entry:
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%n, %next]
  %p = getelementptr i32, ptr %in, i32 %i
  %v = load i32, ptr %p
  %xp = getelementptr [64 x i32], ptr @a, i32 0, i32 %v
  %c = icmp ult i32 %v, 64
  br i1 %c, label %second, label %skip
second:
  %d = icmp ne i32 %v, 0
  br i1 %d, label %both, label %skip
skip:
  %w = phi i32 [%v, %loop], [7, %second]
  br label %next
both:
  %x = load i32, ptr %xp
  %y = sdiv i32 %x, %v
  %m = load i32, ptr %mem
  %z = add i32 %y, %m
  %w2 = load i32, ptr %in
  %z2 = add i32 %z, %w2
  store i32 %z2, ptr %xp
  br label %next
next:
  %u = phi i32 [%z, %both], [%w, %skip]
  %n = add i32 %i, 1
  %e = icmp eq i32 %n, 100
  br i1 %e, label %exit, label %loop
exit:
  ret void
}

; A way out of the loop cannot become a select: nothing changes.
; CHECK-LABEL: define void @break(
; CHECK:         br i1 %c, label %exit, label %more
define void @break(ptr noalias %in) {
entry:
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%n, %more]
  %p = getelementptr i32, ptr %in, i32 %i
  %v = load i32, ptr %p
  %c = icmp sgt i32 %v, 10
  br i1 %c, label %exit, label %more
more:
  %n = add i32 %i, 1
  %e = icmp eq i32 %n, 100
  br i1 %e, label %exit, label %loop
exit:
  ret void
}

; A call with effects cannot be done needlessly, and is no store: nothing changes.
; CHECK-LABEL: define void @call(
; CHECK:         br i1 %c, label %then, label %next
; CHECK:       then:
; CHECK-NEXT:    call void @effect()
define void @call(ptr noalias %in) {
entry:
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%n, %next]
  %p = getelementptr i32, ptr %in, i32 %i
  %v = load i32, ptr %p
  %c = icmp sgt i32 %v, 10
  br i1 %c, label %then, label %next
then:
  call void @effect()
  br label %next
next:
  %n = add i32 %i, 1
  %e = icmp eq i32 %n, 100
  br i1 %e, label %exit, label %loop
exit:
  ret void
}
declare void @effect()
