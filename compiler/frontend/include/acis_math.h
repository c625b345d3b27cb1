/* Exponential functions, logarithms and powers of float, as operations that the overlay has.
 *
 * The same C on the switch and on the host, so that both have the same bits. Of all finite
 * arguments the result is less than 1.1 units in the last place from the exact one; infinities,
 * NaNs, zeros, subnormal numbers and what is too large or too small are as C's Annex F says,
 * without errno and exceptions. <math.h> of acisc has expf, exp2f, logf, log2f and powf by these; a
 * host's own differ from them in the last place now and then. acis_powf computes with double: it
 * needs an overlay with elements of 64 bits.
 *
 * Method: the argument is reduced to an interval round 0 by multiples of log 2 or powers of 2 (W.
 * Cody and W. Waite, Software Manual for the Elementary Functions, 1980), where a polynomial is
 * within 2^-28 of the function. Its coefficients are least-maximum fits; test/Frontend/math.test
 * computes how far all of it is from the exact values.
 */
#ifndef ACIS_MATH_FUNCTIONS_H
#define ACIS_MATH_FUNCTIONS_H
#include <stdint.h>
#include <string.h>

static inline float acis_float_of_(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t acis_bits_of_(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The nearest whole number of one below 2^22. */
static inline float acis_nearest_(float x) { return (x + 12582912.0f) - 12582912.0f; }

/* y * 2^n in two steps: for n from -252 to 254, rounded once. */
static inline float acis_scaled_(float y, int32_t n) {
  const int32_t half = n >> 1;
  return y * acis_float_of_((uint32_t)(half + 127) << 23) *
         acis_float_of_((uint32_t)(n - half + 127) << 23);
}

static inline float acis_within_(float x, float least, float most) {
  const float low = x > least ? x : least; /* also a NaN */
  return low < most ? low : most;
}

static inline float acis_expf(float x) {
  const float in = acis_within_(x, -104.0f, 89.0f);
  const float k = acis_nearest_(in * 1.44269502f);
  const float high = in - k * 0.693359375f; /* exact */
  const float low = k * -2.12194442e-4f;
  const float r = high - low;
  const float rest = (high - r) - low;
  float p = 1.39447046e-3f + r * 1.97903035e-4f;
  p = 8.33349768e-3f + r * p;
  p = 4.16662954e-2f + r * p;
  p = 0.166666657f + r * p;
  p = 0.5f + r * p;
  const float y = 1.0f + (r + (r * r * p + rest));
  return x != x ? x : acis_scaled_(y, (int32_t)k);
}

static inline float acis_exp2f(float x) {
  const float in = acis_within_(x, -151.0f, 129.0f);
  const float k = acis_nearest_(in);
  const float t = in - k; /* exact */
  float p = 1.54668829e-4f + t * 1.51960421e-5f;
  p = 1.33339362e-3f + t * p;
  p = 9.61803738e-3f + t * p;
  p = 5.55041023e-2f + t * p;
  p = 0.240226507f + t * p;
  const float y = 1.0f + (0.693147182f * t + t * t * p);
  return x != x ? x : acis_scaled_(y, (int32_t)k);
}

/* x = m * 2^e with m from sqrt(1/2) to sqrt(2); of zero, of infinities and of NaNs anything. */
static inline float acis_fraction_(float x, float *e) {
  const uint32_t given = acis_bits_of_(x);
  const int is_small = given < 0x00800000u;
  const uint32_t bits = is_small ? acis_bits_of_(x * 8388608.0f) : given;
  const int32_t power = (int32_t)(bits - 0x3f3504f3u) >> 23;
  *e = (float)(power - (is_small ? 23 : 0));
  return acis_float_of_(bits - ((uint32_t)power << 23));
}

/* The logarithm of 1 + f is f - f * f / 2 + the result. */
static inline float acis_log_rest_(float f) {
  float p = -0.116796434f + f * 6.74655959e-2f;
  p = 0.118903361f + f * p;
  p = -0.124051377f + f * p;
  p = 0.14219223f + f * p;
  p = -0.166680068f + f * p;
  p = 0.200021341f + f * p;
  p = -0.250000089f + f * p;
  p = 0.333333135f + f * p;
  return f * f * f * p;
}

static inline float acis_log_special_(float x, float y) {
  const float infinity = acis_float_of_(0x7f800000u);
  const float of_others = x == 0.0f ? -infinity : acis_float_of_(0x7fc00000u);
  const float of_large = x < infinity ? y : x;
  return x > 0.0f ? of_large : x != x ? x : of_others;
}

static inline float acis_logf(float x) {
  float e;
  const float f = acis_fraction_(x, &e) - 1.0f; /* exact */
  const float square = 0.5f * f * f;
  const float rest = acis_log_rest_(f);
  const float y = e * 0.693359375f + (f + ((rest - square) + e * -2.12194442e-4f));
  return acis_log_special_(x, y);
}

/* log2(1 + f) = f + (the logarithm - f) * log2(e) + f * (log2(e) - 1), of which the first is exact.
 */
static inline float acis_log2f(float x) {
  float e;
  const float f = acis_fraction_(x, &e) - 1.0f; /* exact */
  const float less = acis_log_rest_(f) - 0.5f * f * f;
  const float head = acis_float_of_(acis_bits_of_(f) & 0xfffff000u), tail = f - head;
  /* 0.4423828125 + 3.12227e-4 = log2(e) - 1; head times the first is exact */
  const float y =
      e + (head + (head * 0.4423828125f +
                   (tail * 1.44269502f + (head * 3.12225894e-4f + less * 1.44269502f))));
  return acis_log_special_(x, y);
}

/* log2 of the fraction by the series of (1 + s) / (1 - s), whose terms are odd powers of s. */
static inline double acis_log2_(float x) {
  float e;
  const double m = acis_fraction_(x, &e);
  const double s = (m - 1.0) / (m + 1.0), square = s * s;
  double p = 0.19235933878519512 + square * 0.16972882833987804;
  p = 0.22195308321368667 + square * p;
  p = 0.26230818925253879 + square * p;
  p = 0.3205988979753252 + square * p;
  p = 0.41219858311113239 + square * p;
  p = 0.57707801635558531 + square * p;
  p = 0.96179669392597555 + square * p;
  p = 2.8853900817779268 + square * p;
  return e + s * p;
}

/* 2^x, rounded once, of what is from -200 to 200. */
static inline float acis_exp2_(double x) {
  const double k = (x + 6755399441055744.0) - 6755399441055744.0, t = x - k;
  double p = 1.5309268559736758e-05 + t * 1.3178864025473105e-06;
  p = 0.00015403826629080235 + t * p;
  p = 0.0013333454449666084 + t * p;
  p = 0.0096181286131870741 + t * p;
  p = 0.055504109356757009 + t * p;
  p = 0.24022650698128165 + t * p;
  p = 0.69314718054812097 + t * p;
  const int32_t n = (int32_t)k, half = n >> 1;
  const double scale = (double)acis_float_of_((uint32_t)(half + 127) << 23) *
                       (double)acis_float_of_((uint32_t)(n - half + 127) << 23);
  return (float)((1.0 + t * p) * scale);
}

/* The power of a positive, finite x. */
static inline float acis_power_(float x, float y) {
  const double exponent = acis_log2_(x) * (double)y;
  const double low = exponent > -200.0 ? exponent : -200.0;
  return acis_exp2_(low < 200.0 ? low : 200.0);
}

static inline float acis_powf(float x, float y) {
  const float infinity = acis_float_of_(0x7f800000u);
  const float size = acis_float_of_(acis_bits_of_(x) & 0x7fffffffu);
  const float length = acis_float_of_(acis_bits_of_(y) & 0x7fffffffu);
  const int32_t whole = (int32_t)acis_within_(y, -16777216.0f, 16777216.0f);
  const int is_whole = length >= 16777216.0f || (float)whole == y;
  const int is_odd = length < 16777216.0f && is_whole && (whole & 1);
  const uint32_t sign = is_odd ? acis_bits_of_(x) & 0x80000000u : 0;
  /* Of 0 and infinity, and to the power of infinity: 0, 1 or infinity. */
  const int grows = (size > 1.0f) == (y > 0.0f);
  const float at_end = grows ? infinity : 0.0f;
  const int is_end = size == 0.0f || size == infinity || length == infinity;
  const float power = is_end ? (size == 1.0f ? 1.0f : at_end) : acis_power_(size, y);
  const float result = acis_float_of_(acis_bits_of_(power) | sign);
  const int is_undefined = (x < 0.0f && size != infinity && !is_whole) || x != x || y != y;
  const float defined = is_undefined ? acis_float_of_(0x7fc00000u) : result;
  return x == 1.0f || y == 0.0f ? 1.0f : defined;
}
#endif
