// Loops without a count that end when a value has become small: the digits of a number, its bits, how
// many bytes it takes. The value is divided, shifted or loses a bit, so there is a bound.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/edges.py %t.in
// RUN: %compare --handler decimal --in %t.in %t.acis
// RUN: %compare --handler with_signs --in %t.in %t.acis
// RUN: %compare --handler bits --in %t.in %t.acis
// RUN: %compare --handler length --in %t.in %t.acis
// RUN: %compare --handler bytes --in %t.in %t.acis
// RUN: %compare --handler sum_of_digits --in %t.in %t.acis
// RUN: not acisc --config=%overlays/u280-full.json -DREFUSED %s -o %t.refused 2>&1 | FileCheck %s
#include <acis.h>

#define HANDLER(name, type)                                                                        \
  ACIS_HANDLER void name(const type *restrict in, type *restrict out, const type *restrict mem,    \
                         uint32_t *len)
#define EACH(type)                                                                                 \
  uint32_t n = *len / sizeof(type);                                                                \
  for (uint32_t i = 0; i < n; i++)

HANDLER(decimal, uint32_t) {
  EACH(uint32_t) {
    uint32_t x = in[i], d = 0;
    do {
      x /= 10;
      d++;
    } while (x);
    out[i] = d;
  }
}

HANDLER(with_signs, int32_t) {
  EACH(int32_t) {
    int32_t x = in[i], d = 0;
    while (x) {
      d = d * 3 + x % 7;
      x /= 7;
    }
    out[i] = d;
  }
}

HANDLER(bits, uint16_t) {
  EACH(uint16_t) {
    uint16_t count = 0;
    for (uint32_t x = in[i]; x != 0; x &= x - 1)
      count++;
    out[i] = count;
  }
}

HANDLER(length, uint16_t) {
  EACH(uint16_t) {
    uint16_t log = 0;
    for (uint32_t x = in[i]; x > 1; x >>= 1)
      log++;
    out[i] = log;
  }
}

HANDLER(bytes, uint32_t) {
  EACH(uint32_t) {
    uint32_t x = in[i], size = 1;
    while (x >= 128) {
      x >>= 7;
      size++;
    }
    out[i] = size;
  }
}

HANDLER(sum_of_digits, uint8_t) {
  EACH(uint8_t) {
    uint32_t x = in[i] * 251u, s = 0;
    for (; x > 9; x /= 10)
      s += x % 10;
    out[i] = (uint8_t)(s + x);
  }
}

#ifdef REFUSED
/* It does not get smaller than -1. */
HANDLER(for_ever, int32_t) {
  EACH(int32_t) {
    int32_t x = in[i], d = 0;
    // CHECK: digits.c:[[#@LINE+1]]:{{.*}}error: loop not mapped: the number of its iterations is not known
    while (x) {
      x >>= 1;
      d++;
    }
    out[i] = d;
  }
}
#endif
