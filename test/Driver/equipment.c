// PEs that differ in what they can do: loops find those that can, and where none can, the reason is
// given at the loop.
// DEFINE: %{lean} = %overlays/u280.json
// DEFINE: %{what} =
// DEFINE: %{run} = acisc --config=%{lean} -DWHAT=%{what} %s -o %t.acis && \
// DEFINE:   %host_cc -O1 -ffp-contract=off -fPIC -shared -DWHAT=%{what} -DACIS_VPES=16 -DACIS_LANES=16 -I%src_root/compiler/frontend/include %s -o %t.so -lm && \
// DEFINE:   %python -c "import random, struct; open(r'%t.in', 'wb').write(struct.pack('<128I', *random.Random(1).choices(range(1 << 30), k=128)))" && \
// DEFINE:   acis-compare --config=%{lean} --native %t.so --handler work --in %t.in %t.acis

// REDEFINE: %{what} = FUSED
// RUN: %{run}
// RUN: sed 's/"fused": true/"fused": false/' %{lean} > %t.fused.json
// RUN: not acisc --config=%t.fused.json -DWHAT=FUSED %s -o %t.none 2>&1 | FileCheck %s --check-prefix=FUSED --implicit-check-not=error:

// REDEFINE: %{what} = WIDE
// RUN: %{run}
// RUN: sed 's/\[32, 64\]/[32]/' %{lean} > %t.wide.json
// RUN: not acisc --config=%t.wide.json -DWHAT=WIDE %s -o %t.none 2>&1 | FileCheck %s --check-prefix=WIDE --implicit-check-not=error:

// An overlay without a PE for elements of 64 bits does not carry them either.
// REDEFINE: %{what} = CARRY
// RUN: %{run}
// RUN: not acisc --config=%t.wide.json -DWHAT=CARRY %s -o %t.none 2>&1 | FileCheck %s --check-prefix=CARRY --implicit-check-not=error:

// As many launch arguments as a loop takes (one is the place in both streams), and fewer. What a loop
// carries starts from them.
// RUN: acisc --config=ecp5.json -DWHAT=ARGUMENTS -DCOUNT=7 %s -o %t.seven.acis
// RUN: not acisc --config=ecp5.json -DWHAT=ARGUMENTS -DCOUNT=8 %s -o %t.none 2>&1 | FileCheck %s --check-prefix=ARGUMENTS --implicit-check-not=error:

// Without vector instructions an array is filled and sent by loops.
// RUN: acisc --config=ecp5.json -DWHAT=ARRAY %s -S -o - | FileCheck %s --check-prefix=VECTOR
// VECTOR: vmv.v.i
// VECTOR: streamout.v
// RUN: acisc --config=ecp5-45.json -DWHAT=ARRAY %s -S -o - | FileCheck %s --check-prefix=LOOPS --implicit-check-not=vsetvli --implicit-check-not=streamout.v
// LOOPS: acis.launch
// REDEFINE: %{what} = ARRAY
// RUN: sed 's/"bytes": 131072/"bytes": 1048576/' %overlays/ecp5-45.json > %t.loops.json
// REDEFINE: %{lean} = %t.loops.json
// RUN: %{run}
// REDEFINE: %{lean} = %overlays/u280.json

// REDEFINE: %{what} = GATHER
// RUN: %{run}
// RUN: sed 's/"gather": true/"gather": false/' %{lean} > %t.gather.json
// RUN: not acisc --config=%t.gather.json -DWHAT=GATHER %s -o %t.none 2>&1 | FileCheck %s --check-prefix=GATHER --implicit-check-not=error:

// REDEFINE: %{what} = DIVIDE
// RUN: %{run}

// Two divisions are 124 cycles: with 16 stages an interval of 8 at least, and the same results.
// RUN: sed 's/"interlocks": 12,/"interlocks": 12, "stages": 16,/' %{lean} > %t.stages.json
// RUN: acisc --config=%t.stages.json -DWHAT=DIVIDE %s -o %t.stages.acis --report 2>&1 | FileCheck %s --check-prefix=STAGES
// STAGES: loop mapped: II {{8|9|[1-9][0-9]}},
// REDEFINE: %{lean} = %t.stages.json
// RUN: %{run}

// Four lanes share a divider: both divisions have PEs of their own, of which each takes one in four
// slots. With eight the interval is longer, and the results are the same; more lanes than there are
// pairs cannot share one.
// RUN: acisc --config=u280.json -DWHAT=DIVIDE %s -o %t.shared.acis --report 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: loop mapped: II 4,
// RUN: sed 's/"divide": 4/"divide": 8/' %overlays/u280.json > %t.eight.json
// RUN: acisc --config=%t.eight.json -DWHAT=DIVIDE %s -o %t.eight.acis --report 2>&1 | FileCheck %s --check-prefix=EIGHT
// EIGHT: loop mapped: II 8,
// REDEFINE: %{lean} = %t.eight.json
// RUN: %{run}
// RUN: sed 's/"divide": 4/"divide": 16/' %overlays/u280.json > %t.sixteen.json
// RUN: not acisc --config=%t.sixteen.json -DWHAT=DIVIDE %s -o %t.none 2>&1 | FileCheck %s --check-prefix=SIXTEEN --implicit-check-not=error:
// SIXTEEN: sixteen.json: /grid/overrides/1/every/divide: error: found 16, allowed are at most 8
#include <acis.h>
#include <math.h>

#define FUSED 1
#define WIDE 2
#define GATHER 3
#define DIVIDE 4
#define CARRY 5
#define ARGUMENTS 6
#define ARRAY 7

#if WHAT == FUSED
ACIS_HANDLER void work(const float *restrict in, float *restrict out, const float *restrict mem,
                       uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // FUSED: equipment.c:[[#@LINE+1]]:{{.*}} error: loop not mapped: 'fma{{.*}} needs a float unit with fused multiply-add; no PE of the overlay has one
    out[i] = fmaf(in[i], in[i], 1.0f);
}
#elif WHAT == WIDE
ACIS_HANDLER void work(const uint64_t *restrict in, uint64_t *restrict out,
                       const uint64_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 8; i++)
    // WIDE: equipment.c:[[#@LINE+1]]:{{.*}} error: loop not mapped: {{.*}} needs an integer unit with elements of 64 bits; no PE of the overlay has one
    out[i] = in[i] * 12345678901 + (in[i] >> 3);
}
#elif WHAT == CARRY
ACIS_HANDLER void work(const uint64_t *restrict in, uint64_t *restrict out,
                       const uint64_t *restrict mem, uint32_t *len) {
  // CARRY: equipment.c:[[#@LINE+1]]:{{.*}} error: a loop with elements of 64 bits; no PE of overlay 'u280' computes them
  for (uint32_t i = 0; i < *len / 8; i++)
    out[i] = in[i];
}
#elif WHAT == ARGUMENTS
ACIS_HANDLER void work(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  uint32_t a = mem[0], b = mem[1], c = mem[2], d = mem[3], e = mem[4], f = mem[5];
  uint32_t g = mem[6], h = COUNT > 7 ? mem[7] : 0;
  // ARGUMENTS: equipment.c:[[#@LINE+1]]:{{.*}} error: a loop with 9 launch arguments; an overlay has 8: split the loop
  for (uint32_t i = 0; i < *len / 4; i++) {
    a ^= in[i], b += a, c ^= b, d += c, e ^= d, f += e, g ^= f;
    if (COUNT > 7)
      h += g;
    out[i] = COUNT > 7 ? h : g;
  }
}
#elif WHAT == ARRAY
static uint32_t seen[32];
ACIS_HANDLER void work(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  for (uint32_t k = 0; k < 32; k++)
    seen[k] = 0;
  for (uint32_t i = 0; i < *len / 4; i++)
    seen[in[i] & 31]++;
  for (uint32_t k = 0; k < 32; k++)
    out[k] = seen[k];
  *len = sizeof seen;
}
#elif WHAT == GATHER
static uint32_t seen[16][ACIS_LANES];
ACIS_HANDLER void work(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4 / ACIS_LANES;
  for (uint32_t b = 0; b < n; b++)
    for (uint32_t l = 0; l < ACIS_LANES; l++)
      // GATHER: equipment.c:[[#@LINE+1]]:{{.*}} error: loop not mapped: {{.*}} needs a vector register file with an index for each lane; no PE of the overlay has one
      out[b * ACIS_LANES + l] = seen[in[b * ACIS_LANES + l] & 15][l]++;
}
#else
ACIS_HANDLER void work(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = in[i] / (in[i] % 7 + 1);
}
#endif
