; A value that two selects may keep is kept by one.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-carried-selects -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define i32 @kept(
; CHECK:         [[D:%.*]] = freeze i1 %d
; CHECK-NEXT:    [[NOT:%.*]] = xor i1 %c, true
; CHECK-NEXT:    [[BOTH:%.*]] = and i1 [[NOT]], [[D]]
; CHECK-NEXT:    %next = select i1 [[BOTH]], i32 %new, i32 %old
; CHECK-NOT:     select
define i32 @kept(i1 %c, i1 %d, i32 %new, i1 %end) {
entry:
  br label %body
body:
  %old = phi i32 [ 0, %entry ], [ %next, %body ]
  %inner = select i1 %d, i32 %new, i32 %old
  %next = select i1 %c, i32 %old, i32 %inner
  br i1 %end, label %after, label %body
after:
  ret i32 %next
}

; The inner choice is looked at elsewhere, too.
; CHECK-LABEL: define i32 @used_twice(
; CHECK:         %inner = select
; CHECK:         %next = select
define i32 @used_twice(i1 %c, i1 %d, i32 %new, i1 %end) {
entry:
  br label %body
body:
  %old = phi i32 [ 0, %entry ], [ %next, %body ]
  %inner = select i1 %d, i32 %new, i32 %old
  %next = select i1 %c, i32 %old, i32 %inner
  %also = icmp eq i32 %inner, 3
  br i1 %also, label %after, label %body
after:
  ret i32 %next
}

; Neither keeps what comes round.
; CHECK-LABEL: define i32 @chosen(
; CHECK:         %inner = select
; CHECK:         %next = select
define i32 @chosen(i1 %c, i1 %d, i32 %a, i32 %b, i1 %end) {
entry:
  br label %body
body:
  %old = phi i32 [ 0, %entry ], [ %next, %body ]
  %inner = select i1 %d, i32 %a, i32 %old
  %next = select i1 %c, i32 %b, i32 %inner
  br i1 %end, label %after, label %body
after:
  ret i32 %next
}
