#include "stats.h"

#include <time.h>

static struct timespec started;

void start_timer(void) { clock_gettime(CLOCK_MONOTONIC, &started); }
