/* <complex.h> without functions that need more than a few operations. */
#ifndef ACIS_COMPLEX_H
#define ACIS_COMPLEX_H
#ifdef __cplusplus
#include <complex>
#else
#include <bits/complex_products.h>
#define complex _Complex
#define _Complex_I (__extension__ 1.0if)
#define I _Complex_I
static inline float crealf(float complex z) { return __real__ z; }
static inline float cimagf(float complex z) { return __imag__ z; }
static inline float complex conjf(float complex z) { return ~z; }
static inline double creal(double complex z) { return __real__ z; }
static inline double cimag(double complex z) { return __imag__ z; }
static inline double complex conj(double complex z) { return ~z; }
#endif
#endif
