// Loops without a count that would never end if they came to the same state again, and those that merge arrays.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 2048 %t.word > %t.in
// RUN: %compare --handler probe --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler probe --packet-bytes 512 --in %t.in %t.acis
// RUN: %compare --handler root --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler normalised --packet-bytes 512 --in %t.in %t.acis
// RUN: %compare --handler chain --packet-bytes 256 --in %t.in %t.acis
// RUN: %compare --handler merged --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler merged --packet-bytes 512 --in %t.in %t.acis
// RUN: %compare --handler common --packet-bytes 256 --in %t.in %t.acis
// RUN: not acisc --config=%overlays/u280-full.json -DREFUSED %s -o %t.refused 2>&1 | FileCheck %s
#include <acis.h>

#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem,  \
                         uint32_t *len)
#define EACH                                                                                       \
  uint32_t n = *len / 4;                                                                           \
  for (uint32_t i = 0; i < n; i++)

static uint32_t keys[32];

HANDLER(probe) {
  EACH {
    uint32_t k = 1 + in[i] % 24, h = k * 2654435761u >> 27;
    while (keys[h] != 0 && keys[h] != k)
      h = (h + 1) % 32;
    keys[h] = k;
    out[i] = h;
  }
}

static uint8_t up[64], isMade;

HANDLER(root) {
  if (!isMade)
    for (int i = 0; i < 64; i++)
      up[i] = i;
  isMade = 1;
  uint32_t n = *len / 8;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t a = in[2 * i] & 63, b = in[2 * i + 1] & 63;
    while (up[a] != a)
      a = up[a];
    while (up[b] != b)
      b = up[b];
    if (a != b)
      up[a > b ? a : b] = a > b ? b : a;
    out[i] = a << 8 | b;
  }
  *len = n * 4;
}

HANDLER(normalised) {
  EACH {
    uint32_t m = in[i] & 0x3ff, e = 9;
    if (m != 0)
      while (!(m & 0x400)) {
        m <<= 1;
        e--;
      }
    out[i] = m << 8 | e;
  }
}

static uint32_t next[64], value[64];

HANDLER(chain) {
  for (uint32_t i = 0; i < 64; i++) {
    next[i] = i ? i - 1 : 63;
    value[i] = i * 37 & 63;
  }
  EACH {
    uint32_t p = in[i] & 63, steps = 0;
    while (value[p] > in[i] % 50) {
      p = next[p];
      steps++;
    }
    out[i] = p << 8 | steps;
  }
}

// The halves of the packet as if they were sorted; equal neighbours are dropped.
HANDLER(merged) {
  uint32_t left[64], right[64], n = *len / 8;
  if (n > 64)
    n = 64;
  for (uint32_t i = 0; i < n; i++)
    left[i] = in[i];
  for (uint32_t i = 0; i < n; i++)
    right[i] = in[n + i];
  uint32_t i = 0, j = 0, k = 0, last = 0;
  while (i < n || j < n) {
    uint32_t key;
    if (j == n || (i < n && left[i] <= right[j]))
      key = left[i++];
    else
      key = right[j++];
    if (key != last || k == 0) {
      out[k++] = key;
      last = key;
    }
  }
  *len = k * 4;
}

// What is in both: either counter moves, or both do.
HANDLER(common) {
  uint16_t a[32], b[32];
  uint32_t n = *len / 8, i = 0, j = 0, k = 0;
  if (n > 32)
    n = 32;
  for (uint32_t t = 0; t < n; t++)
    a[t] = in[t] & 15;
  for (uint32_t t = 0; t < n; t++)
    b[t] = in[n + t] & 15;
  while (i < n && j < n) {
    if (a[i] < b[j]) {
      i++;
    } else if (a[i] > b[j]) {
      j++;
    } else {
      out[k++] = a[i];
      i++;
      j++;
    }
  }
  *len = k * 4;
}

#ifdef REFUSED
// It writes: the same state is another one.
HANDLER(refused) {
  EACH {
    uint32_t h = in[i] % 32;
    // CHECK: states.c:[[#@LINE+1]]:{{.*}} error: loop not mapped: the number of its iterations is not known when it starts
    while (keys[h] != 0) {
      keys[h] -= 1;
      h = (h + 1) % 32;
    }
    out[i] = h;
  }
}
#endif
