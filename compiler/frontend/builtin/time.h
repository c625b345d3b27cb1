/* <time.h>: types that other headers name. A handler has no clock. */
#ifndef ACIS_TIME_H
#define ACIS_TIME_H
#include <stddef.h>
typedef long long time_t;
typedef long clock_t;
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
#endif
