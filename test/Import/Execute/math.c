// Functions of <math.h> and builtins that no unit has, natively and on the engines: rounding,
// classes of numbers, arithmetic that tells of an overflow, hints.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so -lm
// RUN: %python %S/Inputs/numbers.py %t
// RUN: %compare --handler roundings --in %t.float %t.acis
// RUN: %compare --handler wide_roundings --in %t.double %t.acis
// RUN: %compare --handler classes --in %t.float %t.acis
// RUN: %compare --handler wide_classes --in %t.double %t.acis
// RUN: %compare --handler integers --in %t.float %t.acis
// RUN: %compare --handler extremes --in %t.float %t.acis
// RUN: %compare --handler overflows --in %t.word %t.acis
// RUN: %compare --handler wide_overflows --in %t.word %t.acis
// RUN: %compare --handler narrow_overflows --in %t.word %t.acis
// RUN: %compare --handler clamped --in %t.word %t.acis
// RUN: %compare --handler reversed --in %t.word %t.acis
// RUN: %compare --handler hints --in %t.word %t.acis
// RUN: %compare --handler from_network --in %t.word %t.acis
// RUN: %compare --handler divided --in %t.word %t.acis
// RUN: not acisc --config=%overlays/u280-full.json -DREFUSED %s -o %t.refused 2>&1 | FileCheck %s
#include <acis.h>
#include <arpa/inet.h>
#include <assert.h>
#include <endian.h>
#include <math.h>
#include <stdlib.h>

#define HANDLER(name, in_type, out_type)                                                           \
  ACIS_HANDLER void name(const in_type *restrict in, out_type *restrict out,                       \
                         const uint32_t *restrict mem, uint32_t *len)
#define EACH(type) for (uint32_t i = 0; i < *len / sizeof(type); i++)

HANDLER(roundings, float, float) {
  EACH(float) {
    float x = in[i];
    acis_push(out, floorf(x));
    acis_push(out, ceilf(x));
    acis_push(out, truncf(x));
    acis_push(out, roundf(x));
    acis_push(out, rintf(x));
    acis_push(out, nearbyintf(x));
    acis_push(out, isnan(x) ? 0 : fdimf(x, 2)); // the bits of a NaN differ
  }
  *len *= 7;
}
HANDLER(wide_roundings, double, double) {
  EACH(double) {
    double x = in[i];
    acis_push(out, floor(x));
    acis_push(out, ceil(x));
    acis_push(out, trunc(x));
    acis_push(out, round(x));
    acis_push(out, rint(x));
  }
  *len *= 5;
}
HANDLER(classes, float, uint32_t) {
  EACH(float) {
    float x = in[i];
    acis_push(out, !!isnan(x) | !!isinf(x) << 1 | !!isfinite(x) << 2 | !!isnormal(x) << 3 |
                       !!signbit(x) << 4 | isgreater(x, 2) << 5 | isunordered(x, 1) << 6);
  }
}
HANDLER(wide_classes, double, uint32_t) {
  EACH(double) {
    double x = in[i];
    acis_push(out, !!isnan(x) | !!isinf(x) << 1 | !!isfinite(x) << 2 | !!isnormal(x) << 3);
  }
  *len /= 2;
}
// Where C defines the conversion.
HANDLER(integers, float, int32_t) {
  EACH(float) {
    float x = fminf(fmaxf(in[i], -1e9f), 1e9f);
    acis_push(out, (int32_t)lrintf(x));
    acis_push(out, (int32_t)lroundf(x));
  }
  *len *= 2;
}
// Lanes, as the order of minima and maxima does not matter.
HANDLER(extremes, float, float) {
  float least = INFINITY, most = -INFINITY;
  EACH(float) {
    least = fminf(least, in[i]);
    most = fmaxf(most, in[i]);
  }
  out[0] = least;
  out[1] = most;
  *len = 8;
}

#define CHECKED(type, op, a, b)                                                                    \
  {                                                                                                \
    type result;                                                                                   \
    uint32_t flag = __builtin_##op##_overflow((type)(a), (type)(b), &result);                      \
    acis_push(out, (uint32_t)result ^ (uint32_t)((uint64_t)result >> 32) ^ flag << 31);            \
    acis_push(out, flag);                                                                          \
  }
HANDLER(overflows, uint32_t, uint32_t) {
  EACH(uint32_t) {
    uint32_t x = in[i], y = x >> 7 ^ 0x8003;
    CHECKED(uint32_t, add, x, y << 15)
    CHECKED(uint32_t, sub, x, y)
    CHECKED(uint32_t, mul, x, y)
    CHECKED(int32_t, add, x, y << 15)
    CHECKED(int32_t, sub, x, y << 15)
    CHECKED(int32_t, mul, x, -y)
  }
  *len *= 12;
}
HANDLER(wide_overflows, uint32_t, uint32_t) {
  EACH(uint32_t) {
    uint64_t x = (uint64_t)in[i] << (in[i] & 31), y = in[i] ^ 0x80000003ull << (in[i] >> 27);
    CHECKED(uint64_t, add, x << 4, ~y)
    CHECKED(uint64_t, sub, x, y)
    CHECKED(uint64_t, mul, x, y)
    CHECKED(int64_t, add, x << 4, ~y)
    CHECKED(int64_t, sub, x << 4, y << 20)
    CHECKED(int64_t, mul, x, -y)
    CHECKED(int64_t, mul, -x, y << 1)
  }
  *len *= 14;
}
HANDLER(narrow_overflows, uint32_t, uint32_t) {
  EACH(uint32_t) {
    uint32_t x = in[i], y = x >> 9;
    CHECKED(uint8_t, add, x, y)
    CHECKED(int8_t, mul, x, y)
    CHECKED(uint16_t, mul, x, y)
    CHECKED(int16_t, sub, x, y)
  }
  *len *= 8;
}
// The compiler itself finds that this is a product that tells of an overflow.
HANDLER(clamped, uint32_t, uint32_t) {
  EACH(uint32_t) {
    uint64_t product = (uint64_t)in[i] * in[i];
    out[i] = product > UINT32_MAX ? UINT32_MAX : (uint32_t)product;
  }
}
HANDLER(reversed, uint32_t, uint32_t) {
  EACH(uint32_t) {
    uint32_t x = in[i], r = 0; // clang's __builtin_bitreverse32, by any compiler
    for (int k = 0; k < 32; k++)
      r |= (x >> k & 1) << (31 - k);
#ifdef __clang__
    r ^= __builtin_bitreverse32(x);
    r += __builtin_bitreverse16((uint16_t)x) + __builtin_bitreverse8((uint8_t)x);
#endif
    out[i] = r;
  }
}
HANDLER(hints, uint32_t, uint32_t) {
  EACH(uint32_t) {
    uint32_t x = in[i];
    assert(x + 1 > x || x == UINT32_MAX);
    if (__builtin_expect(x > 1000, 0))
      x = x % 1000;
    else if (__builtin_expect_with_probability(x > 100, 1, 0.9))
      x += 7;
    out[i] = __builtin_constant_p(x) ? 0 : (uint32_t)abs((int32_t)x);
  }
}
HANDLER(from_network, uint32_t, uint32_t) {
  EACH(uint32_t) {
    out[i] = ntohl(in[i]) + ntohs((uint16_t)in[i]) + htobe32(in[i] >> 1) + le32toh(in[i]) +
             (uint32_t)(be64toh((uint64_t)in[i] << 13) >> 24);
  }
}
HANDLER(divided, uint32_t, uint32_t) {
  EACH(uint32_t) {
    div_t parts = div((int)(in[i] >> 1), 77);
    acis_push(out, (uint32_t)parts.quot);
    acis_push(out, (uint32_t)parts.rem);
  }
  *len *= 2;
}
#ifdef REFUSED
// CHECK: math.c:[[#@LINE+1]]:{{.*}}error: operation 'llvm.sin.f32' is not offered by any unit
HANDLER(growth, float, float) { EACH(float) out[i] = sinf(in[i]); }
#endif
