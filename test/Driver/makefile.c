// What a makefile passes on and needs: options of other compilers, and a rule with what the binary
// is made from, which appears with the binary or not at all.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: cp %overlays/u280-full.json 'my config.json'
// RUN: acisc -O2 -g -Wall -w scale.c -I inc -isystem sys -include extra.h --config='my config.json' -o scale.acis -MD 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=RULE --match-full-lines --strict-whitespace < scale.d
//      RULE:scale.acis: my\ config.json \
// RULE-NEXT:  scale.c \
// RULE-NEXT:  extra.h \
// RULE-NEXT:  inc{{/}}factor$$.h
//  RULE-NOT:{{.}}
// RUN: acisc -O3 -Wall scale.c -I inc -isystem sys -include extra.h --config=u280-full.json -o scale.acis -MMD -MT 'out/scale$' -MF other.d 2> warnings
// RUN: FileCheck %s --check-prefix=OTHER --match-full-lines --strict-whitespace < other.d
// OTHER:out/scale$$: \
// RUN: FileCheck %s --check-prefix=WARNING < warnings
// WARNING: scale.c:7:7: warning: unused variable 'unused'
// WARNING-NOT: warning:
// RUN: not acisc scale.c -I inc -isystem sys -include extra.h --config=u280-full.json -o none.acis -MD -MF no/where.d 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: acisc: error: cannot write 'no/where.d':
// RUN: not test -e none.acis
// RUN: not acisc scale.c --config=u280-full.json -o none.acis -MD 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: scale.c:2:10: fatal error: 'factor$.h' file not found
// RUN: not test -e none.d
// RUN: not acisc scale.c --config=u280-full.json -MF x.d 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: acisc: error: '-MF x.d' needs -MD, which asks for the rule
// RUN: not acisc scale.c --config=u280-full.json -o - -MD 2>&1 | FileCheck %s --check-prefix=STDOUT
// STDOUT: acisc: error: '-MD' with output to stdout; say where the rule goes with -MF <file>

//--- scale.c
#include <acis.h>
#include "factor$.h"
#include <system.h>
#include <string.h>
ACIS_HANDLER void scale(const uint32_t *restrict in, uint32_t *restrict out,
                        const uint32_t *restrict mem, uint32_t *len) {
  int unused;
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = in[i] * FACTOR + EXTRA;
}
//--- inc/factor$.h
#define FACTOR 3
//--- sys/system.h
static inline int silent(void) { int unused_here; return 0; }
//--- extra.h
#define EXTRA 4
