; A launch returns 8 values. The ninth that a loop hands on is written to an array in each iteration
; and read behind the loop; what is known without the loop is no result.
; REQUIRES: pass-plugin
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-loop-results -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @nine(
; CHECK: %[[ARRAY:.*]] = alloca [1 x i32]
; CHECK: loop:
; CHECK: store i32 %i.next, ptr %[[ARRAY]]
; CHECK-NEXT: br i1 %again, label %loop, label %exit
; CHECK: exit:
; CHECK-NOT: phi i32 [ %i.next
; CHECK: %[[READ:.*]] = load i32, ptr %[[ARRAY]]
; CHECK: store i32 %[[READ]], ptr %out
define void @nine(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %at = getelementptr i32, ptr %in, i32 %k
  %a = load i32, ptr %at
  %b = add i32 %a, 1
  %c = mul i32 %a, 3
  %d = xor i32 %a, 5
  %e = sub i32 %a, 7
  %f = or i32 %a, 9
  %g = shl i32 %a, 1
  %h = lshr i32 %a, 1
  %i.next = and i32 %a, 11
  %k.next = add nuw nsw i32 %k, 1
  %again = icmp ult i32 %k.next, 16
  br i1 %again, label %loop, label %exit
exit:
  %ra = phi i32 [ %a, %loop ]
  %rb = phi i32 [ %b, %loop ]
  %rc = phi i32 [ %c, %loop ]
  %rd = phi i32 [ %d, %loop ]
  %re = phi i32 [ %e, %loop ]
  %rk = phi i32 [ %k.next, %loop ]
  %rf = phi i32 [ %f, %loop ]
  %rg = phi i32 [ %g, %loop ]
  %rh = phi i32 [ %h, %loop ]
  %ri = phi i32 [ %i.next, %loop ]
  %s1 = add i32 %ra, %rb
  %s2 = add i32 %rc, %rd
  %s3 = add i32 %re, %rf
  %s4 = add i32 %rg, %rh
  %s5 = add i32 %s1, %s2
  %s6 = add i32 %s3, %s4
  %s7 = add i32 %s5, %s6
  store i32 %ri, ptr %out
  %next = getelementptr i32, ptr %out, i32 1
  store i32 %s7, ptr %next
  %last = getelementptr i32, ptr %out, i32 2
  store i32 %rk, ptr %last
  ret void
}

; A flag is a byte of an array.
; CHECK-LABEL: define void @flag(
; CHECK: %[[ARRAY:.*]] = alloca [1 x i8]
; CHECK: %[[BYTE:.*]] = zext i1 %odd to i8
; CHECK: store i8 %[[BYTE]], ptr %[[ARRAY]]
; CHECK: exit:
; CHECK: %[[READ:.*]] = load i8, ptr %[[ARRAY]]
; CHECK: trunc i8 %[[READ]] to i1
define void @flag(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr noalias %len) "acis.handler" {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %at = getelementptr i32, ptr %in, i32 %k
  %a = load i32, ptr %at
  %b = add i32 %a, 1
  %c = mul i32 %a, 3
  %d = xor i32 %a, 5
  %e = sub i32 %a, 7
  %f = or i32 %a, 9
  %g = shl i32 %a, 1
  %h = lshr i32 %a, 1
  %odd = icmp ult i32 %a, 11
  %k.next = add nuw nsw i32 %k, 1
  %again = icmp ult i32 %k.next, 16
  br i1 %again, label %loop, label %exit
exit:
  %ra = phi i32 [ %a, %loop ]
  %rb = phi i32 [ %b, %loop ]
  %rc = phi i32 [ %c, %loop ]
  %rd = phi i32 [ %d, %loop ]
  %re = phi i32 [ %e, %loop ]
  %rk = phi i32 [ %k.next, %loop ]
  %rf = phi i32 [ %f, %loop ]
  %rg = phi i32 [ %g, %loop ]
  %rh = phi i32 [ %h, %loop ]
  %ro = phi i1 [ %odd, %loop ]
  %ri = zext i1 %ro to i32
  %s1 = add i32 %ra, %rb
  %s2 = add i32 %rc, %rd
  %s3 = add i32 %re, %rf
  %s4 = add i32 %rg, %rh
  %s5 = add i32 %s1, %s2
  %s6 = add i32 %s3, %s4
  %s7 = add i32 %s5, %s6
  store i32 %ri, ptr %out
  %next = getelementptr i32, ptr %out, i32 1
  store i32 %s7, ptr %next
  %last = getelementptr i32, ptr %out, i32 2
  store i32 %rk, ptr %last
  ret void
}
