// The exact mapper proves what the heuristic one leaves open: the select takes its three
// operands from three PEs, and a PE of a chain has two links into it.
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.acis --report 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: loop mapped: II 2, resources 1 {{.*}}at least 1 proven;
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.exact.acis --mapper=exact --mapper-timeout=60 --report 2>&1 | FileCheck %s --check-prefix=EXACT
// EXACT: loop mapped: II 2, resources 1 {{.*}}proven optimal (no placement at an initiation interval of 1 (SAT));
// The number of threads changes nothing.
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.threads.acis --mapper-threads=3
// RUN: cmp %t.acis %t.threads.acis
#include <acis.h>

ACIS_HANDLER void choose(const int32_t *restrict in, int32_t *restrict out,
                         const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = in[i] > 7 ? in[i] * 3 : in[i] / 5 + 1;
}
