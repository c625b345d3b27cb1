/* Exact sums of floating-point numbers, as integers that may be added in any order.
 *
 * A number is words of 32 bits in 64: word i counts 2^(32 i - 1088), from below the least double to
 * above the largest. 2^31 of them may be added word by word without a carry. The last three words
 * count what is no number, plus and minus infinity. */
#ifndef ACIS_KERNELS_SUM_H
#define ACIS_KERNELS_SUM_H

#include <stdint.h>

enum { SumDigits = 68, SumNan = SumDigits, SumPlus, SumMinus, SumWords };

void sumSet(int64_t words[SumWords], double value);
/* Rounds to nearest, ties to even: to 53 bits, or to 24 bits with the exponents of a float. The
 * words are changed. */
double sumRound(int64_t words[SumWords], int isFloat);

#endif
