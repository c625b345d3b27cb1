/* <stdlib.h> as handlers may use it: absolute values, quotients with remainders. */
#ifndef ACIS_STDLIB_H
#define ACIS_STDLIB_H
#include <stddef.h>
typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;
typedef struct {
  long long quot, rem;
} lldiv_t;
#ifdef __cplusplus
extern "C" {
#endif
int abs(int x);
long labs(long x);
long long llabs(long long x);
static inline div_t div(int x, int y) {
  div_t result = {x / y, x % y};
  return result;
}
static inline ldiv_t ldiv(long x, long y) {
  ldiv_t result = {x / y, x % y};
  return result;
}
static inline lldiv_t lldiv(long long x, long long y) {
  lldiv_t result = {x / y, x % y};
  return result;
}
#ifdef __cplusplus
}
#endif
#endif
