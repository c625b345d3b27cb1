/* The functions that every memory node's program may want: sum, min, max, average and
 * multiply-accumulate, whose other operand is behind the memory pointer. */
#include "acis_local.h"

#define REDUCE(name, type, init, step, end)                                                        \
  ACIS_HANDLER void name##_##type(const TYPE_##type *restrict in, TYPE_##type *restrict out,       \
                                  const TYPE_##type *restrict mem, uint32_t *len) {                \
    const uint32_t length = *len / sizeof(TYPE_##type);                                            \
    init;                                                                                          \
    for (uint32_t i = 0; i < length; ++i)                                                          \
      step;                                                                                        \
    out[0] = end;                                                                                  \
    *len = sizeof(TYPE_##type);                                                                    \
  }

#define TYPE_i32 int32_t
#define TYPE_i64 int64_t
#define TYPE_f32 float
#define TYPE_f64 double

#define INTEGERS(type)                                                                             \
  REDUCE(sum, type, TYPE_##type s = 0, s += in[i], s)                                              \
  REDUCE(average, type, TYPE_##type s = 0, s += in[i], s / (TYPE_##type)length)                    \
  REDUCE(mac, type, TYPE_##type s = 0, s += in[i] * mem[i], s)
#define REALS(type)                                                                                \
  REDUCE(sum, type, acis_sum_##type s = {0}, acis_sum_add(&s, in[i]), acis_sum_get(&s))            \
  REDUCE(average, type, acis_sum_##type s = {0}, acis_sum_add(&s, in[i]),                          \
         acis_sum_get(&s) / (TYPE_##type)length)                                                   \
  REDUCE(mac, type, acis_sum_##type s = {0}, acis_sum_add(&s, in[i] * mem[i]), acis_sum_get(&s))
/* Of floating-point numbers, that of fmin and fmax: what is no number counts for nothing. */
#define EXTREMES(type, lowest, highest, least, most)                                               \
  REDUCE(min, type, TYPE_##type s = highest, s = least, s)                                         \
  REDUCE(max, type, TYPE_##type s = lowest, s = most, s)

INTEGERS(i32)
INTEGERS(i64)
REALS(f32)
REALS(f64)
EXTREMES(i32, INT32_MIN, INT32_MAX, in[i]<s ? in[i] : s, in[i]> s ? in[i] : s)
EXTREMES(i64, INT64_MIN, INT64_MAX, in[i]<s ? in[i] : s, in[i]> s ? in[i] : s)
EXTREMES(f32, -__builtin_inff(), __builtin_inff(), __builtin_fminf(in[i], s),
         __builtin_fmaxf(in[i], s))
EXTREMES(f64, -__builtin_inf(), __builtin_inf(), __builtin_fmin(in[i], s), __builtin_fmax(in[i], s))
