// One handler through every phase, each of which can be printed.
// RUN: acisc %s --config=%overlays/u280-full.json --verify-each -o %t.acis
// RUN: llvm-readelf -S %t.acis | FileCheck %s --check-prefix=ELF
// ELF-DAG: .text
// ELF-DAG: .acis.ctx
// ELF-DAG: .acis.meta
// ELF-DAG: .acis.lines
// ELF-DAG: .note.acis
// RUN: acisc %s --config=%overlays/u280-full.json -S | FileCheck %s --check-prefix=ASM
// ASM: wfi
// The text is what llvm-mc takes, and gives the same bytes.
// RUN: acisc %s --config=%overlays/u280-full.json -S -o %t.s
// RUN: llvm-mc -triple riscv32 -mattr=+m,+v -filetype=obj %t.s -o %t.mc.o
// RUN: cmp %t.acis %t.mc.o
// RUN: acisc %s --config=%overlays/u280-full.json -emit-llvm | FileCheck %s --check-prefix=LLVM
// LLVM: add nsw i32 %{{.*}}, 7
// RUN: acisc %s --config=%overlays/u280-full.json --emit=dfg | FileCheck %s --check-prefix=DFG
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=import | FileCheck %s --check-prefix=DFG
// DFG: dfg.handler @add
// DFG: dfg.loop
// DFG: dfg.compute add
// RUN: acisc %s --config=%overlays/u280-full.json --emit=dfg-opt | FileCheck %s --check-prefix=OPT
// OPT: dfg.graph
// OPT-NOT: dfg.place
// RUN: acisc %s --config=%overlays/u280-full.json --emit=mapped | FileCheck %s --check-prefix=MAPPED
// MAPPED: dfg.graph
// MAPPED: dfg.place
// RUN: acisc %s --config=%overlays/u280-full.json --min-ii=3 --emit=mapped | FileCheck %s --check-prefix=MINII
// MINII: ii = 3 : i32
// Default name of the output: beside where the compiler runs, .acis. It is the same
// binary each time.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && acisc %s --config=%overlays/u280-full.json
// RUN: cmp %t.dir/pipeline.acis %t.acis
// RUN: ls %t.dir | count 1
// RUN: acisc %s --config=%overlays/u280-full.json --time-phases -o %t.2 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: ms  frontend
// TIME: ms  map
// TIME: ms  assemble
// TIME: ms  all phases
// An output that cannot be written is an error and leaves nothing.
// RUN: not acisc %s --config=%overlays/u280-full.json -o %t.none/out 2>&1 | FileCheck %s --check-prefix=NODIR
// NODIR: acisc: error: cannot write '{{.*}}none/out'
#include <acis.h>
ACIS_HANDLER void add(const int32_t *restrict in, int32_t *restrict out,
                      const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] + 7;
}
