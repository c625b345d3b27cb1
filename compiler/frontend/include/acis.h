/* acis.h: what a packet handler may use besides plain C or C++.
 *
 * The same file is compiled twice: by acisc (which defines __ACISC__) for the
 * overlay, and by any C11 or C++11 compiler for the host, where it is the
 * reference. Both give the same results, bit for bit, if the host compiler does
 * not contract floating-point expressions (-ffp-contract=off).
 *
 *   ACIS_HANDLER void add(const int32_t *restrict in, int32_t *restrict out,
 *                         const int32_t *restrict mem, uint32_t *len);
 */
#ifndef ACIS_H
#define ACIS_H

#include <stddef.h>
#include <stdint.h>

/* VPEs of the overlay and 32-bit SIMD lanes of each. */
#ifndef ACIS_VPES
#define ACIS_VPES 16
#endif
#ifndef ACIS_LANES
#define ACIS_LANES 16
#endif

#ifdef __cplusplus
#define ACIS_C_LINKAGE_ extern "C"
#else
#define ACIS_C_LINKAGE_
#endif

/* ACIS_HANDLER marks a function as a handler. ACIS_PER_VPE before a static array
 * puts element [p] of its first dimension into the register file of VPE p. */
#ifdef __ACISC__
#define ACIS_HANDLER ACIS_C_LINKAGE_ __attribute__((annotate("acis.handler")))
#define ACIS_PER_VPE __attribute__((section("acis.vpe")))
#define ACIS_INLINE_ static inline __attribute__((always_inline, nodebug))
#else
#define ACIS_HANDLER ACIS_C_LINKAGE_
#define ACIS_PER_VPE
#define ACIS_INLINE_ static inline
#endif

/* The next element of the input stream; the next element of the output stream. */
#define acis_pop(in) (*(in)++)
#define acis_push(out, v) (*(out)++ = (v))

/* Sums of floating-point numbers in the order in which the overlay adds:
 *
 *   acis_sum_f32 s = {0};
 *   for (...) acis_sum_add(&s, x);
 *   ... acis_sum_get(&s) ...
 *
 * With vf elements in a beat, element e is added to lane e % vf of partial sum
 * (e / vf) % 8. Then the partial sums are added in pairs (0 and 1, 2 and 3, ...)
 * until one is left, and then its lanes in the same way. */
#ifdef __ACISC__

typedef struct {
  float value;
} acis_sum_f32;
typedef struct {
  double value;
} acis_sum_f64;

ACIS_INLINE_ void acis_sum_f32_add(acis_sum_f32 *s, float v) {
#pragma clang fp reassociate(on)
  s->value = s->value + v;
}
ACIS_INLINE_ void acis_sum_f64_add(acis_sum_f64 *s, double v) {
#pragma clang fp reassociate(on)
  s->value = s->value + v;
}
ACIS_INLINE_ float acis_sum_f32_get(const acis_sum_f32 *s) { return s->value; }
ACIS_INLINE_ double acis_sum_f64_get(const acis_sum_f64 *s) { return s->value; }

#else

#define ACIS_PARTIALS_ 8 /* = AccPartials */
#define ACIS_DEFINE_SUM_(name, type, vf)                                                           \
  typedef struct {                                                                                 \
    type part[ACIS_PARTIALS_][vf];                                                                 \
    uint64_t count;                                                                                \
  } name;                                                                                          \
  ACIS_INLINE_ void name##_add(name *s, type v) {                                                  \
    type *lane = &s->part[s->count / (vf) % ACIS_PARTIALS_][s->count % (vf)];                      \
    *lane = *lane + v;                                                                             \
    s->count++;                                                                                    \
  }                                                                                                \
  ACIS_INLINE_ type name##_get(const name *s) {                                                    \
    name t = *s;                                                                                   \
    unsigned n, k, l;                                                                              \
    for (n = ACIS_PARTIALS_ / 2; n > 0; n /= 2)                                                    \
      for (k = 0; k < n; k++)                                                                      \
        for (l = 0; l < (vf); l++)                                                                 \
          t.part[k][l] = t.part[2 * k][l] + t.part[2 * k + 1][l];                                  \
    for (n = (vf) / 2; n > 0; n /= 2)                                                              \
      for (l = 0; l < n; l++)                                                                      \
        t.part[0][l] = t.part[0][2 * l] + t.part[0][2 * l + 1];                                    \
    return t.part[0][0];                                                                           \
  }
ACIS_DEFINE_SUM_(acis_sum_f32, float, ACIS_LANES)
ACIS_DEFINE_SUM_(acis_sum_f64, double, ACIS_LANES / 2)
#undef ACIS_DEFINE_SUM_
#undef ACIS_PARTIALS_

#endif

#ifdef __cplusplus
ACIS_INLINE_ void acis_sum_add(acis_sum_f32 *s, float v) { acis_sum_f32_add(s, v); }
ACIS_INLINE_ void acis_sum_add(acis_sum_f64 *s, double v) { acis_sum_f64_add(s, v); }
ACIS_INLINE_ float acis_sum_get(const acis_sum_f32 *s) { return acis_sum_f32_get(s); }
ACIS_INLINE_ double acis_sum_get(const acis_sum_f64 *s) { return acis_sum_f64_get(s); }
#else
#define acis_sum_add(s, v)                                                                         \
  _Generic((s), acis_sum_f32 *: acis_sum_f32_add, acis_sum_f64 *: acis_sum_f64_add)(s, v)
#define acis_sum_get(s)                                                                            \
  _Generic((s),                                                                                    \
      acis_sum_f32 *: acis_sum_f32_get,                                                            \
      const acis_sum_f32 *: acis_sum_f32_get,                                                      \
      acis_sum_f64 *: acis_sum_f64_get,                                                            \
      const acis_sum_f64 *: acis_sum_f64_get)(s)
#endif

/* acis_next_tile(in, &pos, t): the 32-bit tile number at in[pos]; pos moves behind
 * it. The switch counts the tiles between t and the number as skipped. `in` is the
 * stream parameter as it came (not moved by acis_pop). */
#define acis_next_tile(in, pos, t) acis_next_tile_((in), (pos), (t), sizeof(*(in)))
#ifdef __ACISC__
ACIS_C_LINKAGE_ uint32_t __acis_tile(uint32_t pos_bytes, uint32_t t);
ACIS_INLINE_ uint32_t acis_next_tile_(const void *in, uint32_t *pos, uint32_t t, uint32_t size) {
  uint32_t tile = __acis_tile(*pos * size, t);
  (void)in;
  *pos += 4 / size;
  return tile;
}
#else
ACIS_INLINE_ uint32_t acis_next_tile_(const void *in, uint32_t *pos, uint32_t t, uint32_t size) {
  const unsigned char *bytes = (const unsigned char *)in + (size_t)*pos * size;
  (void)t;
  *pos += 4 / size;
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}
#endif

#endif /* ACIS_H */
