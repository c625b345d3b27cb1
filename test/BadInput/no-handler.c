// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
// CHECK: no-handler.c: error: no handler in the file; mark a function with ACIS_HANDLER
int twice(int x) { return 2 * x; }
