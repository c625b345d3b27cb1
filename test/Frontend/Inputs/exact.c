/* How far the functions of acis_math.h are from the exact values, over every STEP-th float.
 * usage: exact STEP; fails where one is 1.1 units in the last place or more away. */
#include <acis_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* In units of the last place of the exact value; 1e9 where one is special and the other is not. */
static double distance(float got, double exact) {
  int power;
  if (got == exact)
    return 0;
  if (isnan(exact) || isnan(got))
    return isnan(exact) && isnan(got) ? 0 : 1e9;
  if (isinf(exact) || isinf(got)) { /* what is rounded to infinity is too large by half a unit */
    const int is_large = fabs(exact) >= 0x1.ffffffp127 && !signbit(exact) == !signbit(got);
    return is_large && isinf(got) ? 0 : 1e9;
  }
  frexp(exact, &power);
  if (exact == 0 || power < -125)
    power = -125;
  return fabs(got - exact) / ldexp(1, power - 24);
}

static const struct {
  const char *name;
  float (*ours)(float);
  double (*exact)(double);
} functions[] = {{"expf", acis_expf, exp},
                 {"exp2f", acis_exp2f, exp2},
                 {"logf", acis_logf, log},
                 {"log2f", acis_log2f, log2}};

/* Pairs of bits, many of them of one size, and all pairs of special values. */
static double farthestPower(uint64_t step, float *x, float *y) {
  static const float some[] = {0.0f,     -0.0f, 1.0f,      -1.0f,        2.0f,  -2.0f, 3.0f,
                               -3.0f,    0.5f,  -0.5f,     2.5f,         1e-45f, -1e-45f, 3e38f,
                               -3e38f,   1e38f, 16777216.0f, 16777215.0f, -16777217.0f,
                               INFINITY, -INFINITY, NAN};
  const int count = sizeof some / sizeof *some;
  double worst = 0;
  uint64_t state = 1;
  for (uint64_t i = 0; i < 0x20000000 / step; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    float a = acis_float_of_((uint32_t)(state >> 32)), b = ldexpf((int32_t)(uint32_t)state, -24);
    if (i % 2)
      a = 1 + (a == a ? fmodf(a, 1) : 0), b *= 8;
    if (i < (uint64_t)(count * count))
      a = some[i / count], b = some[i % count];
    const float got = acis_powf(a, b);
    const double exact = pow(a, b), far = distance(got, exact);
    if (far > worst || (got == 0 && exact == 0 && !signbit(got) != !signbit(exact)))
      worst = far > worst ? far : 1e9, *x = a, *y = b;
  }
  return worst;
}

int main(int argc, char **argv) {
  const uint64_t step = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
  int bad = 0;
  for (int f = 0; f < 4; f++) {
    double worst = 0;
    float at = 0;
    for (uint64_t bits = 0; bits <= 0xffffffff; bits += step) {
      const float x = acis_float_of_((uint32_t)bits);
      const double far = distance(functions[f].ours(x), functions[f].exact(x));
      if (far > worst)
        worst = far, at = x;
    }
    printf("%s: at most %.3f units, at %a\n", functions[f].name, worst, at);
    bad |= worst >= 1.1;
  }
  float x = 0, y = 0;
  const double worst = farthestPower(step, &x, &y);
  printf("powf: at most %.3f units, at %a, %a\n", worst, x, y);
  return bad || worst >= 1.1;
}
