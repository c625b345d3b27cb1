// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Searches in a sorted table: their interval is halved, which bounds the iterations.
// RUN: acisc --config=%overlays/u280-full.json --remarks %s -o %t.acis 2>&1 | FileCheck %s
// CHECK-COUNT-7: halving.c:[[#]]:3: remark: loop mapped:
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler first_not_less --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler first_above --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler equal --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler ahead --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler emptied --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler upper --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler counted --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// What is not known to begin as an interval, or has no largest size, has no such bound.
// RUN: not acisc --config=u280.json -DUNKNOWN %s -o %t.none.acis 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: halving.c:[[#]]:5: error: loop not mapped: the number of its iterations is not known
#include <acis.h>
#define ARGS                                                                                       \
  const uint32_t *restrict in, uint32_t *restrict out, uint32_t *restrict mem, uint32_t *len
enum { Size = 50 };

ACIS_HANDLER void first_not_less(ARGS) {
  uint32_t table[Size];
  for (uint32_t i = 0; i < Size; i++)
    table[i] = 4 * i + (mem[i] & 3);
  for (uint32_t i = 0; i < *len / 4; i++) {
    int low = 0, high = Size;
#ifdef UNKNOWN
    low = (int)mem[100], high = (int)mem[101];
#endif
    while (low < high) {
      int middle = (low + high) / 2;
      if (table[middle] < in[i])
        low = middle + 1;
      else
        high = middle;
    }
    out[i] = (uint32_t)low;
  }
}

ACIS_HANDLER void first_above(ARGS) {
  uint32_t table[Size];
  for (uint32_t i = 0; i < Size; i++)
    table[i] = 4 * i + (mem[i] & 3);
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t low = 0, high = Size;
    while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (table[middle] <= in[i])
        low = middle + 1;
      else
        high = middle;
    }
    out[i] = low;
  }
}

// The interval has its end in it, and the search ends where it finds the element.
ACIS_HANDLER void equal(ARGS) {
  uint32_t table[Size];
  for (uint32_t i = 0; i < Size; i++)
    table[i] = 4 * i + (mem[i] & 3);
  for (uint32_t i = 0; i < *len / 4; i++) {
    int low = 0, high = Size - 1, found = -1;
    while (low <= high) {
      int middle = (low + high) / 2;
      if (table[middle] == in[i]) {
        found = middle;
        break;
      }
      if (table[middle] < in[i])
        low = middle + 1;
      else
        high = middle - 1;
    }
    out[i] = (uint32_t)found;
  }
}

// The middle is computed at the end of an iteration, for the next one; two conditions end the loop.
ACIS_HANDLER void ahead(ARGS) {
  uint32_t table[Size];
  for (uint32_t i = 0; i < Size; i++)
    table[i] = 4 * i + (mem[i] & 3);
  for (uint32_t i = 0; i < *len / 4; i++) {
    int low = 0, high = Size - 1, middle = low + (high - low) / 2;
    while (table[middle] != (in[i] & 255)) {
      if (high <= low || high < 0) {
        middle = -1;
        break;
      }
      if (table[middle] > (in[i] & 255))
        high = middle - 1;
      else
        low = middle + 1;
      middle = low + (high - low) / 2;
    }
    out[i] = (uint32_t)middle;
  }
}

// A search that has found makes the interval empty.
ACIS_HANDLER void emptied(ARGS) {
  uint32_t table[Size];
  for (uint32_t i = 0; i < Size; i++)
    table[i] = 4 * i + (mem[i] & 3);
  for (uint32_t i = 0; i < *len / 4; i++) {
    int low = 0, high = Size - 1, found = -1;
    while (low <= high) {
      int middle = (low + high) >> 1;
      if (table[middle] == in[i]) {
        high = low - 1;
        found = middle;
      } else if (table[middle] > in[i])
        high = middle - 1;
      else
        low = middle + 1;
    }
    out[i] = (uint32_t)found;
  }
}

// Of two elements in the middle the second one.
ACIS_HANDLER void upper(ARGS) {
  uint32_t table[Size];
  for (uint32_t i = 0; i < Size; i++)
    table[i] = 4 * i + (mem[i] & 3);
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t low = 0, high = Size - 1;
    while (low < high) {
      uint32_t middle = (low + high + 1) / 2;
      if (table[middle] <= in[i])
        low = middle;
      else
        high = middle - 1;
    }
    out[i] = low;
  }
}

// A counter that moves in the second condition.
ACIS_HANDLER void counted(ARGS) {
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t x = in[i] * 77777, steps = 0;
    while (x > 1 && steps++ < 60)
      x = x & 1 ? 3 * x + 1 : x >> 1;
    out[i] = steps + x;
  }
}
