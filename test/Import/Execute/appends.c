// How often and where an iteration sends is proven for all ways to choose: comparisons of one value
// with several constants (a switch, a chain of ifs, ranges) exclude each other.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/edges.py %t.in
// RUN: %compare --handler cases --in %t.in %t.acis
// RUN: %compare --handler ranges --in %t.in %t.acis
// RUN: %compare --handler signs --in %t.in %t.acis
// RUN: %compare --handler narrow --in %t.in %t.acis
// RUN: %compare --handler continues --in %t.in %t.acis
// RUN: %compare --handler without --in %t.in %t.acis
// RUN: %compare --handler except --in %t.in %t.acis
// RUN: not acisc --config=%overlays/u280-full.json -DREFUSED %s -o %t.refused 2>&1 | FileCheck %s
#include <acis.h>

#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const int32_t *restrict in, int32_t *restrict out,                        \
                         const int32_t *restrict mem, uint32_t *len)
#define EACH uint32_t n = *len / 4, k = 0; for (uint32_t i = 0; i < n; i++)

HANDLER(cases) {
  EACH {
    int32_t x = in[i];
    switch (x & 3) {
    case 0:
      continue;
    case 1:
      out[k++] = x;
      break;
    case 2:
      out[k++] = x;
      out[k++] = ~x;
      break;
    default:
      out[k++] = 0;
    }
  }
  *len = k * 4;
}

HANDLER(ranges) {
  EACH {
    uint32_t x = (uint32_t)in[i] % 100u;
    if (x < 10)
      continue;
    if (x < 20) {
      out[k++] = 1;
      out[k++] = (int32_t)x;
    } else if (x == 25 || x == 26) {
      out[k++] = 2;
    } else if (x > 90) {
      out[k++] = 3;
      out[k++] = (int32_t)x;
      out[k++] = 4;
    }
  }
  *len = k * 4;
}

HANDLER(signs) {
  EACH {
    int32_t x = in[i];
    if (x < -1000000)
      out[k++] = -2;
    else if (x < 0)
      continue;
    else if (x <= 1000000)
      out[k++] = x;
    if (x == 0 || x > 1000000000)
      out[k++] = 7;
  }
  *len = k * 4;
}

HANDLER(narrow) {
  EACH {
    uint8_t kind = (uint8_t)in[i];
    if (kind == 0x7d || kind == 0x7e)
      out[k++] = 0x7d;
    if (kind >= 0x20 && kind < 0x80)
      out[k++] = kind;
    else if (kind == 0)
      out[k++] = -1;
  }
  *len = k * 4;
}

// InstCombine compares with a choice of constants: [x == (x < 101 ? 32 : 101)].
HANDLER(without) {
  EACH {
    int8_t x = (int8_t)in[i];
    if (x == ' ' || x == '\t' || x == 'e')
      continue;
    out[k++] = x;
  }
  *len = k * 4;
}

HANDLER(except) {
  EACH {
    uint8_t x = (uint8_t)in[i];
    if (x == 7 || (x >= 20 && x < 30) || x == 77 || x > 200 || x == 100 || x == 103)
      continue;
    out[k++] = x;
    switch (x) {
    case 1:
    case 9:
    case 12:
      break;
    case 5:
      out[k++] = 1;
      break;
    default:
      out[k++] = 0;
    }
  }
  *len = k * 4;
}

HANDLER(continues) {
  EACH {
    int32_t x = in[i];
    if (x & 1) {
      if (x < 0)
        continue;
      x >>= 1;
    } else {
      if (x > 5000) {
        out[k++] = -1;
        continue;
      }
      x >>= 2;
    }
    if (x > 1000) {
      out[k++] = 1000;
      out[k++] = x - 1000;
    } else {
      out[k++] = x;
    }
  }
  *len = k * 4;
}

#ifdef REFUSED
/* Sent twice, counted once. */
HANDLER(overwritten) {
  EACH {
    int32_t x = in[i];
    // CHECK: appends.c:[[#@LINE+2]]:{{.*}}error: stream 'out' is written under a condition
    if (x > 10)
      out[k] = x;
    if (x > 20)
      out[k] = 20;
    if (x > 10)
      k++;
  }
  *len = k * 4;
}
#endif
