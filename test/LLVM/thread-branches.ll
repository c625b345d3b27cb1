; A way that knows the condition of a branch goes where the branch would lead it; a function without
; such a way is left as it is.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-thread-branches -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
; while (j > 0 && a[j - 1] > v) --j;
; CHECK-LABEL: define i32 @both(
; CHECK: while:
; CHECK: br i1 %positive, label %right, label %[[END:.*]]
; CHECK: right:
; CHECK: %larger = icmp ugt i32 %before, %v
; CHECK-NEXT: br i1 %larger, label %body, label %[[END]]
; CHECK-NOT: phi i1
define i32 @both(ptr %a, i32 %from, i32 %v) {
entry:
  br label %while
while:
  %j = phi i32 [ %from, %entry ], [ %less, %body ]
  %positive = icmp sgt i32 %j, 0
  br i1 %positive, label %right, label %meet
right:
  %at = add i32 %j, -1
  %place = getelementptr i32, ptr %a, i32 %at
  %before = load i32, ptr %place
  %larger = icmp ugt i32 %before, %v
  br label %meet
meet:
  %both = phi i1 [ false, %while ], [ %larger, %right ]
  br i1 %both, label %body, label %end
body:
  %less = add nsw i32 %j, -1
  br label %while
end:
  ret i32 %j
}
; CHECK-LABEL: define i32 @neither(
; CHECK: phi i1 [ %b, %left ], [ %c, %right ]
; CHECK: next:
; CHECK-NEXT: br label %end
define i32 @neither(i1 %a, i1 %b, i1 %c) {
  br i1 %a, label %left, label %right
left:
  br label %meet
right:
  br label %meet
meet:
  %some = phi i1 [ %b, %left ], [ %c, %right ]
  br i1 %some, label %next, label %end
next:
  br label %end
end:
  %r = phi i32 [ 1, %meet ], [ 2, %next ]
  ret i32 %r
}
