#include "stats.h"

/* For programs without a distance of their own. */
__attribute__((weak)) double distance(double x, double mean) { return x + mean; }
