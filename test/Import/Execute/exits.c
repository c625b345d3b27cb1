// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Loops that end early, and output that some iterations do not write.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler find --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler until --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler returns --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler two_ways --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler in_condition --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler searched --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler chained --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler stored --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler counts_on --packet-bytes 3 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler counts_on --packet-bytes 63 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler compacted --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler pushed --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler continued --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler headed --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler first --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler looked_up --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler inserted --packet-bytes 100 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler certain --packet-bytes 12 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler triples --packet-bytes 160 --in %t.word.in %t.acis
// RUN: %compare --handler triples --packet-bytes 164 --in %t.word.in %t.acis
// RUN: %compare --handler triples --packet-bytes 168 --in %t.word.in %t.acis
// Both loops of it are one nest on the array: the inner one has two ways out, and none is a switch.
// RUN: acisc --config=%overlays/u280-full.json --remarks %s -o %t.acis 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=switch
// CHECK: exits.c:238:3: remark: loop mapped:
#include <acis.h>
#define ARGS                                                                                       \
  const uint32_t *restrict in, uint32_t *restrict out, uint32_t *restrict mem, uint32_t *len

ACIS_HANDLER void find(ARGS) {
  uint32_t n = *len / 4, found = n, sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (in[i] > 190) {
      found = i;
      break;
    }
    sum += in[i];
  }
  out[0] = found;
  out[1] = sum;
  *len = 8;
}

ACIS_HANDLER void until(ARGS) {
  uint32_t n = *len / 4, i = 0;
  while (i < n && in[i] < 180) {
    out[i] = in[i] * 3;
    i++;
  }
  *len = i * 4;
}

ACIS_HANDLER void returns(ARGS) {
  uint32_t n = *len / 4, k = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = in[i];
    if (v > 185) {
      *len = k * 4;
      return;
    }
    out[k] = v + k;
    k++;
  }
  out[k] = 12345;
  *len = k * 4 + 4;
}

ACIS_HANDLER void two_ways(ARGS) {
  uint32_t n = *len / 4, why = 0, last = 7, i;
  for (i = 0; i < n; i++) {
    uint32_t v = in[i];
    if (v > 190) {
      why = 1;
      break;
    }
    out[i] = v;
    last = v * v;
    if ((v ^ i) == 100) {
      why = 2;
      i++;
      break;
    }
  }
  out[i] = why;
  out[i + 1] = last;
  *len = i * 4 + 8;
}

ACIS_HANDLER void in_condition(ARGS) {
  uint32_t n = *len / 4, s = 0, i;
  for (i = 0; i < n; i++) {
    uint32_t v = in[i];
    if (v & 1) {
      s += v;
      if (s > 600)
        break;
    } else {
      s ^= v;
    }
    out[i] = s;
  }
  *len = i * 4;
}

static const uint32_t keys[8] = {3, 50, 77, 90, 120, 150, 170, 195};
ACIS_HANDLER void searched(ARGS) {
  uint32_t n = *len / 4, wanted = mem[0], at;
  for (at = 0; at < 8; at++)
    if (keys[at] >= wanted)
      break;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] + at;
}

// What the index is after the end is outside of the table.
static const int32_t chain[8] = {3, 7, -1, 5, 2, 1, -1, 1000000};
ACIS_HANDLER void chained(ARGS) {
  uint32_t n = *len / 4, count = 0;
  int32_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    count += in[i];
    at = chain[at];
    if (at == 7)
      break;
  }
  out[0] = count;
  out[1] = at;
  *len = 8;
}

ACIS_HANDLER void stored(ARGS) {
  static uint32_t kept[64];
  uint32_t n = *len / 4, i;
  for (i = 0; i < n; i++) {
    uint32_t v = in[i];
    mem[i] = v;
    kept[v & 63] += v;
    if (v > 180)
      break;
    mem[100 + i] = kept[i & 63];
  }
  for (uint32_t k = 0; k < 64; k++)
    out[k] = kept[k];
  *len = 256;
}

// The count is not the latch's: the loop has to be rotated, or packets without a word fail.
ACIS_HANDLER void counts_on(ARGS) {
  uint32_t n = *len / 4, i, why = 0;
  for (i = 0; i < n; i++) {
    uint32_t v = in[i];
    if (v > 150) {
      why = 1;
      i++;
      break;
    }
  }
  out[0] = i;
  out[1] = why;
  *len = 8;
}

ACIS_HANDLER void compacted(ARGS) {
  uint32_t n = *len / 4, k = 0;
  for (uint32_t i = 0; i < n; i++)
    if (in[i] & 4)
      out[k++] = in[i] + i;
  *len = k * 4;
}

ACIS_HANDLER void pushed(ARGS) {
  uint32_t n = *len / 4, k = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = acis_pop(in);
    acis_push(out, v);
    k++;
    if (v > 100) {
      acis_push(out, i);
      k++;
      if (v & 1) {
        acis_push(out, v ^ i);
        k++;
      }
    }
  }
  *len = k * 4;
}

ACIS_HANDLER void continued(ARGS) {
  uint32_t n = *len / 4, k = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (in[i] % 3 == 0)
      continue;
    out[k] = in[i];
    k++;
  }
  for (uint32_t i = 0; i < 4; i++)
    out[k++] = i;
  *len = k * 4;
}

ACIS_HANDLER void headed(ARGS) {
  uint32_t n = *len / 4, k = 2;
  out[0] = n;
  out[1] = in[0];
  for (uint32_t i = 1; i < n; i++)
    if (in[i] > in[0])
      out[k++] = in[i];
  *len = k * 4;
}

// It always ends in its first iteration, which is only seen when both calls are one.
static inline uint32_t above(uint32_t v) { return v > 100 && v < 1u << 30 ? v - 100 : 7; }
ACIS_HANDLER void first(ARGS) {
  uint32_t i, why = 0, s = 5, n = *len / 4;
  for (i = 0; i < n; i++) {
    s = above(in[i]);
    if (above(in[i]) >= s) {
      why = 1;
      i++;
      break;
    }
  }
  out[0] = i + 10 * why;
  out[1] = s;
  *len = 8;
}

ACIS_HANDLER void looked_up(ARGS) {
  uint32_t table[16], n = *len / 4;
  for (uint32_t i = 0; i < 16; i++)
    table[i] = mem[i];
  for (uint32_t r = 0; r < n; r++) {
    uint32_t x = in[r], found = 0;
    for (uint32_t i = 0; i < 16; i++) {
      if (table[i] == x) {
        found = i;
        break;
      }
      if (table[i] > x + 100) {
        found = 1000 + i * 3;
        break;
      }
    }
    out[r] = found;
  }
}

// The condition has two parts, and its sides need the same address.
ACIS_HANDLER void inserted(ARGS) {
  uint32_t a[32], n = *len / 4;
  if (n > 32)
    n = 32;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = in[i];
    int j = (int)i;
    while (j > 0 && a[j - 1] > v) {
      a[j] = a[j - 1];
      j--;
    }
    a[j] = v;
  }
  for (uint32_t i = 0; i < n; i++)
    out[i] = a[i];
  *len = n * 4;
}

// LLVM finds that it always ends in its first iteration once it is one condition; the words of the
// others pass all the same.
ACIS_HANDLER void certain(ARGS) {
  uint32_t n = *len / 4, why = 0, i;
  int32_t s = 1;
  for (i = 0; i < n; i++) {
    const int32_t x = (int32_t)in[i] * ((int32_t)i - 1);
    s = (int32_t)(0 - (uint32_t)x);
    if (s != x) {
      why = 1;
      break;
    }
    if (!x) {
      out[0] = 3;
      *len = 4;
      return;
    }
    if (x != 100) {
      why = 3;
      break;
    }
  }
  out[0] = i;
  out[1] = why;
  out[2] = (uint32_t)s;
  *len = 12;
}

// Three ends, of which the step from one to the same again need not divide the length: ScalarEvolution's
// count for one of them is no count if the loop ends at another.
ACIS_HANDLER void triples(const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict mem,
                          uint32_t *len) {
  uint32_t x[64], n = *len / 4 < 64 ? *len / 4 : 64, i = 0, s = 1;
  for (uint32_t k = 0; k < n; k++)
    x[k] = in[k];
  for (;;) {
    if (i == n)
      break;
    s += x[i++];
    if (i == n)
      break;
    s ^= x[i++] << 3;
    if (i == n)
      break;
    s = s * 3 + x[i++];
  }
  out[0] = s;
  out[1] = i;
  *len = 8;
}
