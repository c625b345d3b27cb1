; Legality on IR that no front end made.
; REQUIRES: pass-plugin
; RUN: not opt -load-pass-plugin=%libdir/AcisPasses.so -passes=acis-verify-source -disable-output %s 2>&1 | FileCheck %s
; CHECK: error: handler 'signature' must return void and have 4 pointers as parameters
; CHECK: error: handler 'alias' not mapped: what 'out' points to may alias another parameter; add restrict
; CHECK-NOT: handler
define void @signature(ptr noalias %in, i32 %n) "acis.handler" {
  ret void
}
define void @alias(ptr noalias %in, ptr %out, ptr noalias %mem, ptr %len) "acis.handler" {
  ret void
}
define void @good(ptr noalias %in, ptr noalias %out, ptr noalias %mem, ptr %len) "acis.handler" {
  ret void
}
define i32 @no_handler(i32 %n) {
  ret i32 %n
}
