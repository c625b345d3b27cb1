; Legality on IR that no front end made.
; REQUIRES: pass-plugin
; RUN: split-file %s %t
; RUN: not opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-verify-source -disable-output %t/signature.ll 2>&1 | FileCheck %s --check-prefix=SIGNATURE
; RUN: not opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-verify-source -disable-output %t/alias.ll 2>&1 | FileCheck %s --check-prefix=ALIAS
; RUN: not opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-verify-handler-form -disable-output %t/endless.ll 2>&1 | FileCheck %s --check-prefix=ENDLESS
; RUN: opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-verify-source,acis-verify-handler-form -disable-output %t/good.ll
;--- signature.ll
; SIGNATURE: error: handler 'signature' must return void and have 4 pointers as parameters
define void @signature(ptr noalias %in, i32 %n) "acis.handler" {
  ret void
}
;--- alias.ll
; ALIAS: error: handler 'alias' not mapped: what 'out' points to may alias another parameter; add restrict
; ALIAS-NOT: handler
define void @alias(ptr noalias %in, ptr %out, ptr noalias %mem, ptr %len) "acis.handler" {
  ret void
}
;--- endless.ll
; ENDLESS: error: loop without an end; a handler handles one packet and returns
define void @endless(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr %len) "acis.handler" {
entry:
  br label %loop
loop:
  br label %loop
}
;--- good.ll
define void @good(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr %len) "acis.handler" {
  ret void
}
define i32 @no_handler(i32 %n) {
  ret i32 %n
}
