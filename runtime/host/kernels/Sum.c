/* See Sum.h. */
#include "runtime/host/kernels/Sum.h"

#include <math.h>
#include <string.h>

enum { DigitBits = 32, LowestExponent = -1088 };
static const int64_t DigitMask = 0xffffffff;

void sumSet(int64_t words[SumWords], double value) {
  int exponent, i;
  memset(words, 0, SumWords * sizeof *words);
  if (isnan(value)) {
    words[SumNan] = 1;
  } else if (isinf(value)) {
    words[value > 0 ? SumPlus : SumMinus] = 1;
  } else if (value != 0) {
    /* 53 bits as an integer; of a subnormal fewer, which are still whole. */
    const int64_t mantissa = (int64_t)ldexp(frexp(fabs(value), &exponent), 53);
    const int shift = exponent - 53 - LowestExponent;
    unsigned __int128 bits = (unsigned __int128)mantissa;
    int first = shift < 0 ? 0 : shift / DigitBits;
    bits = shift < 0 ? bits >> -shift : bits << shift % DigitBits;
    for (i = first; bits; i++, bits >>= DigitBits)
      words[i] = (value < 0 ? -1 : 1) * (int64_t)(bits & (unsigned __int128)DigitMask);
  }
}

/* Words to [0, 2^32), the last one signed. */
static void carry(int64_t *words) {
  int i;
  for (i = 0; i + 1 < SumDigits; i++) {
    const int64_t over = words[i] >> DigitBits; /* towards minus infinity */
    words[i] -= over * (DigitMask + 1);
    words[i + 1] += over;
  }
}

static int bitAt(const int64_t *words, int bit) {
  return bit < 0 ? 0 : (int)(words[bit / DigitBits] >> bit % DigitBits & 1);
}

/* Number of the highest bit that is set, -1: none. */
static int highestBit(const int64_t *words) {
  int bit = SumDigits * DigitBits - 1;
  while (bit >= 0 && !bitAt(words, bit))
    bit--;
  return bit;
}

static int anyBelow(const int64_t *words, int bit) {
  int i;
  for (i = 0; i < bit; i++)
    if (bitAt(words, i))
      return 1;
  return 0;
}

/* The words are carried and not negative. */
static double roundWords(const int64_t *words, int precision, int leastExponent) {
  const int top = highestBit(words);
  int low = top - precision + 1, bit;
  double mantissa = 0;
  if (top < 0)
    return 0;
  if (low < leastExponent - LowestExponent)
    low = leastExponent - LowestExponent;
  for (bit = top; bit >= low; bit--)
    mantissa = 2 * mantissa + bitAt(words, bit);
  if (bitAt(words, low - 1) && (bitAt(words, low) || anyBelow(words, low - 1)))
    mantissa += 1;
  return ldexp(mantissa, low + LowestExponent);
}

double sumRound(int64_t words[SumWords], int isFloat) {
  int isNegative, i;
  double result;
  if (words[SumNan] || (words[SumPlus] && words[SumMinus]))
    return NAN;
  if (words[SumPlus] || words[SumMinus])
    return words[SumPlus] ? INFINITY : -INFINITY;
  carry(words);
  isNegative = words[SumDigits - 1] < 0;
  if (isNegative) {
    for (i = 0; i < SumDigits; i++)
      words[i] = -words[i];
    carry(words);
  }
  result = isFloat ? (double)(float)roundWords(words, 24, -149) : roundWords(words, 53, -1074);
  return isNegative ? -result : result;
}
