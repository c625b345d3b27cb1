/* The library searches by vectors of the host's width; loops over elements become the array's
 * lanes. */
#ifndef ACIS_LIBCXX_SIMD_UTILS
#define ACIS_LIBCXX_SIMD_UTILS
#include_next <__algorithm/simd_utils.h>
#undef _LIBCPP_VECTORIZE_ALGORITHMS
#define _LIBCPP_VECTORIZE_ALGORITHMS 0
#endif
