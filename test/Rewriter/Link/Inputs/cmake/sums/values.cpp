#include "project.h"

double weight(double value, double sum) { return value / (STEP + sum * sum); }
