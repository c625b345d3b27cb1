/* <math.h> as far as the overlay has units for it, or a few operations do it. */
#ifndef ACIS_MATH_H
#define ACIS_MATH_H
#include <acis_math.h>
#ifdef __cplusplus /* <complex> includes this header only */
#include <bits/complex_products.h>
#endif
#ifdef __cplusplus
extern "C" {
#endif
typedef float float_t;
typedef double double_t;

float sqrtf(float x);
float fabsf(float x);
float fminf(float x, float y);
float fmaxf(float x, float y);
float fmaf(float x, float y, float z);
float copysignf(float x, float y);
float floorf(float x);
float ceilf(float x);
float truncf(float x);
float roundf(float x);
float rintf(float x);
float nearbyintf(float x);
long lrintf(float x);
long lroundf(float x);
long long llrintf(float x);
long long llroundf(float x);

double sqrt(double x);
double fabs(double x);
double fmin(double x, double y);
double fmax(double x, double y);
double fma(double x, double y, double z);
double copysign(double x, double y);
double floor(double x);
double ceil(double x);
double trunc(double x);
double round(double x);
double rint(double x);
double nearbyint(double x);
long lrint(double x);
long lround(double x);
long long llrint(double x);
long long llround(double x);

/* The functions of <acis_math.h>, which says how far they are from the exact values. */
static inline float expf(float x) { return acis_expf(x); }
static inline float exp2f(float x) { return acis_exp2f(x); }
static inline float logf(float x) { return acis_logf(x); }
static inline float log2f(float x) { return acis_log2f(x); }
static inline float powf(float x, float y) { return acis_powf(x, y); }
/* As <cmath> names them: std::exp(float) is __builtin_expf. */
#define __builtin_expf acis_expf
#define __builtin_exp2f acis_exp2f
#define __builtin_logf acis_logf
#define __builtin_log2f acis_log2f
#define __builtin_powf acis_powf

/* No unit has these: a call is an error at its line. Other headers name them. */
float expm1f(float x);
float log10f(float x);
float log1pf(float x);
float sinf(float x);
float cosf(float x);
float tanf(float x);
float asinf(float x);
float acosf(float x);
float atanf(float x);
float sinhf(float x);
float coshf(float x);
float tanhf(float x);
float asinhf(float x);
float acoshf(float x);
float atanhf(float x);
float cbrtf(float x);
float erff(float x);
float erfcf(float x);
float tgammaf(float x);
float lgammaf(float x);
float logbf(float x);
float atan2f(float x, float y);
float hypotf(float x, float y);
float fmodf(float x, float y);
float remainderf(float x, float y);
float nextafterf(float x, float y);
double exp(double x);
double exp2(double x);
double expm1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double cbrt(double x);
double erf(double x);
double erfc(double x);
double tgamma(double x);
double lgamma(double x);
double logb(double x);
double pow(double x, double y);
double atan2(double x, double y);
double hypot(double x, double y);
double fmod(double x, double y);
double remainder(double x, double y);
double nextafter(double x, double y);
long double atan2l(long double x, long double y); /* named by <complex> */

/* No difference is less than 0; one with a NaN is a NaN. */
static inline float fdimf(float x, float y) { return x <= y ? 0 : x - y; }
static inline double fdim(double x, double y) { return x <= y ? 0 : x - y; }
#ifdef __cplusplus
}
#endif

#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VAL (__builtin_huge_val())

#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
