// Functions of memory nodes in C++, with what a user of it writes.
#include <algorithm>
#include <cstdlib>
static int above(int a[], int n) {
  int c = 0;
  for (int i = 0; i < n; ++i)
    c += a[i] > 100 && a[i] % 3 == 0;
  return c;
}
static int biggest(int a[], int n) {
  int m = 0;
  for (int i = 0; i < n; ++i)
    m = std::max(m, std::abs(a[i]));
  return m;
}
static float poly(float x) { return ((x * 0.5f - 1.0f) * x + 2.0f) * x; }
#define MAX_SIZE 100000
#include "runtime/host/near/acis_local.h"
ACIS_LOCAL_REDUCE(above, int, int)
ACIS_LOCAL_REDUCE(biggest, int, int)
ACIS_LOCAL_MAP(poly, float, float)
