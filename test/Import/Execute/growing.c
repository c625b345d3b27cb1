// Loops without a count that end when a value has become large: a way down a tree, a power of two
// that is looked for. What is tested may be a value with a bound.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: acisc --config=%overlays/u280.json -DHEAP %s -o %t.heap
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler powers --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler threes --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler descent --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler largest --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %python -c "import random; r = random.Random(3); open('%t.tcp', 'wb').write(b''.join(bytes([9] * 12 + [r.randrange(5, 16) << 4] + [7] * 7 + [r.choice((1, 1, 2, 2, 4, 4, 4, 3, 8, 10, 0, 6)) for k in range(40)]) for i in range(40)))"
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include -DHEAP %s -o %t.heap.so
// RUN: acis-compare --config %overlays/u280.json --native %t.heap.so --output-bytes 100000 --handler popped --packet-bytes 100 --in %t.word.in --mem %t.word.mem %t.heap
// RUN: %compare --handler options --packet-bytes 60 --in %t.tcp --mem %t.word.mem %t.acis
// RUN: %python -c "import random; open('%t.way', 'wb').write(random.Random(4).randbytes(3240))"
// RUN: %compare --handler traced --packet-bytes 324 --in %t.way %t.acis
// RUN: %compare --handler gaps --packet-bytes 108 --in %t.way %t.acis
// RUN: not acisc --config=%overlays/u280-full.json -DREFUSED %s -o %t.refused 2>&1 | FileCheck %s
#include <acis.h>
#define ARGS                                                                                       \
  const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict mem, uint32_t *len

ACIS_HANDLER void powers(ARGS) {
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t n = 0;
    for (uint32_t x = 1; x < (in[i] & 0xffff); x <<= 1)
      n++;
    out[i] = n;
  }
}

ACIS_HANDLER void threes(ARGS) {
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t x = in[i] % 7 + 1, n = 0;
    while (x < 5000) {
      x = in[i] & 1 << n ? 3 * x : 2 * x + 1;
      n++;
    }
    out[i] = x + n;
  }
}

static uint32_t tree[64];
ACIS_HANDLER void descent(ARGS) {
  for (uint32_t i = 0; i < 64; i++)
    tree[i] = mem[i];
  for (uint32_t i = 0; i < *len / 4; i++) {
    const uint32_t v = in[i];
    uint32_t at = 0;
    while (at < 31)
      at = 2 * at + (v > tree[at] ? 2 : 1);
    out[i] = at;
  }
}

// The largest sixteen: a heap, whose smallest is at the front, and a way down that ends in its middle.
enum { N = 16 };
static uint32_t heap[N];
ACIS_HANDLER void largest(ARGS) {
  for (uint32_t j = 0; j < 32; j++) {
    const uint32_t v = in[j];
    if (v > heap[0]) {
      uint32_t i = 0;
      for (;;) {
        uint32_t c = 2 * i + 1;
        if (c >= N)
          break;
        if (c + 1 < N && heap[c + 1] < heap[c])
          c++;
        if (heap[c] >= v)
          break;
        heap[i] = heap[c];
        i = c;
      }
      heap[i] = v;
    }
  }
  for (uint32_t i = 0; i < N; i++)
    out[i] = heap[i];
  *len = N * 4;
}

#ifdef HEAP
// The way down ends where the array does, whatever the heap's size, of which nothing is known.
ACIS_HANDLER void popped(ARGS) {
  uint32_t q[33], n = 0, m = *len / 4 < 32 ? *len / 4 : 32;
  for (uint32_t i = 0; i < m; i++) {
    uint32_t p = ++n;
    const uint32_t x = in[i];
    while (p > 1 && q[p / 2] > x) {
      q[p] = q[p / 2];
      p /= 2;
    }
    q[p] = x;
  }
  const uint32_t k = m < 8 ? m : 8;
  for (uint32_t t = 0; t < k; t++) {
    out[t] = q[1];
    const uint32_t x = q[n--];
    uint32_t p = 1;
    for (;;) {
      uint32_t c = 2 * p;
      if (c > n)
        break;
      if (c < n && q[c + 1] < q[c])
        c++;
      if (q[c] >= x)
        break;
      q[p] = q[c];
      p = c;
    }
    q[p] = x;
  }
  *len = k * 4;
}
#endif

// Options of TCP, a kind and a length each: the place grows by at least 1 up to an end that is small.
ACIS_HANDLER void options(const uint8_t *restrict in, uint8_t *restrict out,
                          const uint8_t *restrict mem, uint32_t *len) {
  uint8_t h[60];
  uint32_t n = *len < 60 ? *len : 60, found = 0;
  for (uint32_t i = 0; i < n; i++)
    h[i] = in[i];
  uint32_t end = (h[12] >> 4) * 4u, p = 20;
  if (end > n)
    end = n;
  while (p + 1 < end) {
    if (h[p] == 0)
      break;
    if (h[p] == 1) {
      p++;
      continue;
    }
    const uint8_t length = h[p + 1];
    if (length < 2)
      break;
    if (h[p] == 2 && length == 4 && p + 3 < end)
      h[p + 2] = 42;
    found++;
    p += length;
  }
  for (uint32_t i = 0; i < n; i++)
    out[i] = h[i];
  out[n] = (uint8_t)found;
  *len = n + 1;
}

// A way back through a table: each iteration writes one of two arrays, and neither is longer than 24.
ACIS_HANDLER void traced(ARGS) {
  uint8_t way[81], x[16], y[24];
  for (int k = 0; k < 81; k++) {
    uint8_t word = in[k] % 3;
    way[k] = k < 9 ? 1 : k % 9 == 0 ? 2 : word;
  }
  for (int k = 0; k < 16; k++)
    x[k] = y[k] = 0;
  int i = 8, j = 8, k = 0;
  while (i > 0 || j > 0) {
    if (way[9 * j + i] == 0) {
      x[k++] = i--;
      j--;
    } else if (way[9 * j + i] == 1) {
      y[k++] = i--;
    } else {
      x[k++] = j--;
    }
  }
  for (int k = 0; k < 16; k++)
    out[k] = x[k] << 8 | y[k];
  out[16] = k;
  *len = 68;
}

// Steps from a table of constants, none of which is 0.
ACIS_HANDLER void gaps(ARGS) {
  static const int steps[] = {10, 4, 1};
  int a[24];
  for (int i = 0; i < 24; i++)
    a[i] = (int)(in[i] >> 1);
  for (int g = 0; g < 3; g++) {
    const int gap = steps[g];
    for (int i = gap; i < 24; i++) {
      const int x = a[i];
      int j = i;
      for (; j >= gap && a[j - gap] > x; j -= gap)
        a[j] = a[j - gap];
      a[j] = x;
    }
  }
  for (int i = 0; i < 24; i++)
    out[i] = (uint32_t)a[i];
  *len = 96;
}

#ifdef REFUSED
// A step to an end that may be far: 2^31 iterations are no bound.
ACIS_HANDLER void far(ARGS) {
  uint32_t sum = 0, end = mem[0] >> 1;
  // CHECK: growing.c:[[#@LINE+1]]:{{.*}} error: loop not mapped:
  for (uint32_t p = 0; p < end; p += heap[p & 15] | 1)
    sum += p;
  out[0] = sum;
  *len = 4;
}
#endif
