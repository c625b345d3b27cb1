/* What a product of complex numbers calls when both its parts are NaN: the infinity that Annex G of
 * C has then. Clang knows these functions by their names only, so nothing else uses them. */
#ifndef ACIS_COMPLEX_PRODUCTS_H
#define ACIS_COMPLEX_PRODUCTS_H
#ifdef __cplusplus
#define ACIS_USED_INLINE __attribute__((used)) inline
#else
#define ACIS_USED_INLINE __attribute__((used)) static inline
#endif
#define ACIS_COMPLEX_PRODUCT(name, type, copysign)                                                 \
  ACIS_USED_INLINE type _Complex name(type a, type b, type c, type d) {                            \
    type _Complex z;                                                                               \
    const type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                     \
    const int left = __builtin_isinf(a) | __builtin_isinf(b);                                      \
    const int right = __builtin_isinf(c) | __builtin_isinf(d);                                     \
    const int large =                                                                              \
        __builtin_isinf(ac) | __builtin_isinf(bd) | __builtin_isinf(ad) | __builtin_isinf(bc);     \
    __real__ z = ac - bd;                                                                          \
    __imag__ z = ad + bc;                                                                          \
    if (!(__builtin_isnan(ac - bd) & __builtin_isnan(ad + bc) & (left | right | large)))           \
      return z;                                                                                    \
    a = left ? copysign(__builtin_isinf(a) ? 1 : 0, a) : __builtin_isnan(a) ? copysign(0, a) : a;  \
    b = left ? copysign(__builtin_isinf(b) ? 1 : 0, b) : __builtin_isnan(b) ? copysign(0, b) : b;  \
    c = right ? copysign(__builtin_isinf(c) ? 1 : 0, c) : __builtin_isnan(c) ? copysign(0, c) : c; \
    d = right ? copysign(__builtin_isinf(d) ? 1 : 0, d) : __builtin_isnan(d) ? copysign(0, d) : d; \
    __real__ z = (type)__builtin_inff() * (a * c - b * d);                                         \
    __imag__ z = (type)__builtin_inff() * (a * d + b * c);                                         \
    return z;                                                                                      \
  }
#ifdef __cplusplus
extern "C" {
#endif
ACIS_COMPLEX_PRODUCT(__mulsc3, float, __builtin_copysignf)
ACIS_COMPLEX_PRODUCT(__muldc3, double, __builtin_copysign)
#ifdef __cplusplus
}
#endif
#undef ACIS_COMPLEX_PRODUCT
#undef ACIS_USED_INLINE
#endif
