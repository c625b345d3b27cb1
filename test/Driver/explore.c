// One handler on many machines: table, JSON and picture, what is marked as best, what is refused.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: acisc %s --config=tiny.json --explore=all.json --sweep=/grid/cols=1,2,4 --sweep=/pe/lanes=4,8,5 --payload=256 --device=lfe5u-45f | FileCheck %s
// CHECK: on tiny, packets of 256 bytes; cells of lfe5u-45f
// CHECK: machine {{ *}}PEs {{ *}}LUT {{ *}}DSP {{ *}}BRAM {{ *}}of it {{ *}}cycles {{ *}}Gb/s
// CHECK-NEXT: {{^ \*}} cols 1, lanes 4 {{ *}}1 {{ *[0-9]+ .*%.*[0-9]$}}
// CHECK-NEXT: cols 1, lanes 8 {{ *}}1 {{.*[0-9]$}}
// CHECK-NEXT: cols 1, lanes 5 {{ *}}tiny.json: /pe/lanes: found 5
// CHECK-NEXT: cols 2, lanes 4 {{ *}}2
// CHECK: * none with as few LUTs is faster
// RUN: %python %S/Inputs/explored.py all.json
// RUN: acisc %s --config=tiny.json --explore=all.svg --sweep=/pe/lanes=4,8 | FileCheck %s --check-prefix=SHORT
// SHORT: lanes 4
// SHORT-NEXT: lanes 8
// RUN: FileCheck %s --check-prefix=SVG --input-file=all.svg
// SVG: <svg xmlns="http://www.w3.org/2000/svg"
// SVG-COUNT-2: <circle {{.*}}<title>lanes {{[48]}}: {{[0-9]+}} LUT, {{[0-9.]+}} Gb/s
// SVG: </svg>
// RUN: %python -c "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])" all.svg

// No binary is written; a machine on which the handler does not run says why and is no failure.
// RUN: test ! -e explore.acis
// RUN: acisc %s -DDIVIDES --config=mesh4x4.json --explore --sweep='/grid/default/units=["integer","float"]' --sweep='/grid/overrides=[],[{"pes":[3],"units":["integer","divide"]}]' | FileCheck %s --check-prefix=UNITS
// UNITS: overrides [] {{ *}}16 {{.*}} PE
// UNITS-NEXT: divide{{.*[0-9]$}}
// RUN: acisc %s -DDATA --config=tiny.json --explore --sweep=/pe/lanes=4 | FileCheck %s --check-prefix=DATA
// DATA: lanes 4 {{.*}} no certificate: a branch of the control code depends on data

// RUN: not acisc %s --config=tiny.json --sweep=/pe/lanes=4 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: acisc: error: '--sweep=/pe/lanes=4' needs --explore
// RUN: not acisc %s --config=tiny.json --explore --sweep=lanes=4 2>&1 | FileCheck %s --check-prefix=PATH
// PATH: acisc: error: '--sweep=lanes=4': no sweep; allowed is a field's path and its values, such as /pe/lanes=4,8,16
// RUN: not acisc %s --config=tiny.json --explore --sweep=/pe/lanes/1=4 2>&1 | FileCheck %s --check-prefix=INTO
// INTO: acisc: error: /pe/lanes/1: '1' leads to nothing in this description
// RUN: not acisc %s --config=tiny.json --explore=all.txt 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: acisc: error: '--explore=all.txt' is no file that it writes; allowed: .json, .svg
// RUN: not acisc %s --config=tiny.json --explore -o x.acis 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: acisc: error: '-o{{ ?}}x.acis' and '--explore' exclude each other: it writes no binary
// RUN: not acisc %s --config=tiny.json --explore --device=xc7 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: acisc: error: {{.*}}xc7{{.*}}lfe5u-85f
// RUN: not acisc %s --config=tiny.json --explore --device=xcu280 2>&1 | FileCheck %s --check-prefix=FAMILY
// FAMILY: acisc: error: {{.*}}xcup
// RUN: not acisc none.c --config=tiny.json --explore 2>&1 | FileCheck %s --check-prefix=SOURCE
// SOURCE: error: {{.*}}none.c
// RUN: not acisc %s -DBROKEN --config=tiny.json --explore=bad.json 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: explore.c:[[#@LINE+8]]:{{.*}}error:
// RUN: test ! -e bad.json
#include <acis.h>

ACIS_HANDLER void scale(const uint32_t *restrict in, uint32_t *restrict out,
                        const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
#ifdef BROKEN
  oops
#endif
#ifdef DATA
  if (in[0] == 7) {
    for (uint32_t i = 0; i < n; ++i)
      out[i] = in[i];
    return;
  }
#endif
  for (uint32_t i = 0; i < n; ++i)
#ifdef DIVIDES
    out[i] = in[i] / 7 + 3;
#else
    out[i] = in[i] * 5 + 3;
#endif
}
