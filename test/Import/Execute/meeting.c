// Loops that go on until two counters, or two pointers, have met.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis 2>&1 | count 0
// RUN: not acisc --config=%overlays/u280-full.json -DREFUSED %s -o %t.refused 2>&1 | FileCheck %s
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler reversed --packet-bytes 100 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler reversed --packet-bytes 4 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler pointers --packet-bytes 100 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler pointers --packet-bytes 96 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler palindrome --packet-bytes 52 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler at_most --packet-bytes 52 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler uneven --packet-bytes 100 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler sum_of_two --packet-bytes 100 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler widest --packet-bytes 100 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler starts --packet-bytes 100 --in %t.word.in --mem %t.word.mem %t.acis
#include <acis.h>
#define ARGS                                                                                       \
  const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict mem, uint32_t *len

static uint32_t a[32];

static uint32_t take(const uint32_t *restrict in, uint32_t n) {
  if (n > 32)
    n = 32;
  for (uint32_t i = 0; i < n; i++)
    a[i] = in[i];
  return n;
}

static void give(uint32_t *restrict out, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    out[i] = a[i];
}

ACIS_HANDLER void reversed(ARGS) {
  const uint32_t n = take(in, *len / 4);
  for (int i = 0, j = (int)n - 1; i < j; i++, j--) {
    const uint32_t x = a[i];
    a[i] = a[j];
    a[j] = x;
  }
  give(out, n);
  *len = n * 4;
}

ACIS_HANDLER void pointers(ARGS) {
  const uint32_t n = take(in, *len / 4);
  uint32_t *p = a, *q = a + n;
  while (p < q) {
    const uint32_t x = *p;
    *p++ = *--q;
    *q = x;
  }
  give(out, n);
  *len = n * 4;
}

// Two ways out, of which one is where they meet.
ACIS_HANDLER void palindrome(ARGS) {
  const uint32_t n = take(in, *len / 4);
  if (mem[0] & 1)
    for (uint32_t i = 0; i < n; i++)
      a[i] = a[i] & 1 ? a[n - 1 - i] : 7;
  uint32_t same = 1, steps = 0;
  for (uint32_t i = 0, j = n - 1; n && i < j; i++, j--, steps++)
    if ((a[i] & 1) != (a[j] & 1)) {
      same = 0;
      break;
    }
  out[0] = same;
  out[1] = steps;
  *len = 8;
}

ACIS_HANDLER void at_most(ARGS) {
  const uint32_t n = take(in, *len / 4);
  uint32_t sum = 0;
  for (int i = 0, j = (int)n - 1; i <= j; i++, j--)
    sum = sum * 3 + a[i] + a[j];
  out[0] = sum;
  *len = 4;
}

ACIS_HANDLER void uneven(ARGS) {
  const uint32_t n = take(in, *len / 4);
  uint32_t turns = 0, sum = 0;
  for (int i = -3, j = (int)n; j > i; i += 2, j -= 3) {
    turns++;
    sum += a[(uint32_t)(i + j) & 31];
  }
  out[0] = turns;
  out[1] = sum;
  *len = 8;
}

// Data says which of them moves.
ACIS_HANDLER void sum_of_two(ARGS) {
  const uint32_t n = take(in, *len / 4), wanted = (mem[0] & 63) + 100;
  for (uint32_t i = 1; i < n; i++)
    a[i] = a[i - 1] + (a[i] & 15);
  int low = 0, high = (int)n - 1;
  uint32_t steps = 0;
  while (low < high) {
    const uint32_t sum = a[low] + a[high];
    if (sum == wanted)
      break;
    if (sum < wanted)
      low++;
    else
      high--;
    steps++;
  }
  out[0] = (uint32_t)low;
  out[1] = (uint32_t)high;
  out[2] = steps;
  *len = 12;
}

ACIS_HANDLER void widest(ARGS) {
  take(in, *len / 4);
  uint32_t low = 0, high = 24, best = 0;
  while (low < high) {
    const uint32_t height = a[low] < a[high] ? a[low] : a[high];
    const uint32_t area = height * (high - low);
    best = area > best ? area : best;
    if (a[low] < a[high])
      low++;
    else
      high--;
  }
  out[0] = best;
  *len = 4;
}

// Data says where they start, also behind each other.
ACIS_HANDLER void starts(ARGS) {
  uint32_t turns = 0;
  int i = (int)in[0] - 100, j = (int)in[1] - 100;
  for (uint32_t k = 0; k < 32; k++)
    a[k] = mem[k];
  uint32_t sum = 0;
  while (i < j) {
    sum += a[i & 31] ^ a[j & 31];
    i++;
    j--;
    turns++;
  }
  out[0] = turns;
  out[1] = sum;
  *len = 8;
}

#ifdef REFUSED
// One that may stay where it is.
ACIS_HANDLER void stands(ARGS) {
  const uint32_t n = take(in, *len / 4);
  int low = 0, high = (int)n - 1;
  uint32_t sum = 0;
  // CHECK: meeting.c:[[#@LINE+1]]:{{.*}} error: loop not mapped:
  while (low < high) {
    sum += a[low];
    if (a[low] & 1)
      low++;
    else
      high -= (int)(a[high] & 1);
  }
  out[0] = sum;
  *len = 4;
}

// From 0 "at most" goes below 0, which is large.
ACIS_HANDLER void below(ARGS) {
  const uint32_t n = take(in, *len / 4);
  uint32_t sum = 0;
  // CHECK: meeting.c:[[#@LINE+1]]:{{.*}} error: loop not mapped: the number of its iterations is not known
  for (uint32_t i = 0, j = n; i <= j; i++, j--)
    sum += a[i & 31];
  out[0] = sum;
  *len = 4;
}

// They step over each other, and go on.
ACIS_HANDLER void never(ARGS) {
  const uint32_t n = take(in, *len / 4);
  uint32_t sum = 0;
  // CHECK: meeting.c:[[#@LINE+1]]:{{.*}} error: loop not mapped: the number of its iterations is not known
  for (uint32_t i = 0, j = n; i != j; i += 1, j -= 3)
    sum += a[i & 31];
  out[0] = sum;
  *len = 4;
}
#endif
