/* <math.h> as far as the overlay has units for it. */
#ifndef ACIS_MATH_H
#define ACIS_MATH_H
#ifdef __cplusplus
extern "C" {
#endif
float sqrtf(float x);
float fabsf(float x);
float fminf(float x, float y);
float fmaxf(float x, float y);
float fmaf(float x, float y, float z);
float copysignf(float x, float y);
double sqrt(double x);
double fabs(double x);
double fmin(double x, double y);
double fmax(double x, double y);
double fma(double x, double y, double z);
double copysign(double x, double y);
#ifdef __cplusplus
}
#endif
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#endif
