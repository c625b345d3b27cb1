/* acis_ranges.h: which elements of its arrays an op can touch, found right before the call.
 *
 * What acisc --mpi writes before a fused call whose arrays have sizes of run time: the op's
 * integers as ranges, computed by the program itself from the values that they have there. A
 * range may be larger than what the op touches, never smaller. */
#ifndef ACIS_RANGES_H
#define ACIS_RANGES_H

#include <limits.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From lo to hi, both in it; none if hi < lo. The least and the largest number stand for ends
 * that are not known. */
typedef struct {
  long long lo, hi;
} ACIS_Range;

/* The numbers in elements `index` of an array of integers; what cannot be read is not among them.
 */
ACIS_Range acis_held(const void *base, int bytes, int is_signed, ACIS_Range index);

static inline ACIS_Range acis_range(long long lo, long long hi) {
  ACIS_Range range;
  range.lo = lo;
  range.hi = hi;
  return range;
}
static inline ACIS_Range acis_any(void) { return acis_range(LLONG_MIN, LLONG_MAX); }
static inline ACIS_Range acis_none(void) { return acis_range(0, -1); }
static inline ACIS_Range acis_at(long long value) { return acis_range(value, value); }
static inline int acis_is_none(ACIS_Range a) { return a.hi < a.lo; }
static inline int acis_has(ACIS_Range a, long long value) { return a.lo <= value && value <= a.hi; }
static inline int acis_is_end(long long value) { return value == LLONG_MIN || value == LLONG_MAX; }

static inline long long acis_sum(long long a, long long b) {
  long long sum = 0;
  if (acis_is_end(a))
    return a;
  if (acis_is_end(b))
    return b;
  return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? LLONG_MIN : LLONG_MAX) : sum;
}
static inline long long acis_opposite(long long a) {
  return a == LLONG_MIN ? LLONG_MAX : a == LLONG_MAX ? LLONG_MIN : -a;
}
static inline long long acis_product(long long a, long long b) {
  long long product = 0, end = (a < 0) == (b < 0) ? LLONG_MAX : LLONG_MIN;
  if (a == 0 || b == 0)
    return 0;
  if (acis_is_end(a) || acis_is_end(b))
    return end;
  return __builtin_mul_overflow(a, b, &product) ? end : product;
}
static inline long long acis_quotient(long long a, long long b) {
  if (acis_is_end(b))
    return 0;
  if (acis_is_end(a))
    return (a < 0) == (b < 0) ? LLONG_MAX : LLONG_MIN;
  return a / b;
}

/* The smallest range with both. */
static inline ACIS_Range acis_join(ACIS_Range a, ACIS_Range b) {
  if (acis_is_none(a))
    return b;
  if (acis_is_none(b))
    return a;
  return acis_range(a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi);
}
static inline ACIS_Range acis_meet(ACIS_Range a, ACIS_Range b) {
  return acis_range(a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi);
}
static inline ACIS_Range acis_add(ACIS_Range a, ACIS_Range b) {
  if (acis_is_none(a) || acis_is_none(b))
    return acis_none();
  return acis_range(a.lo == LLONG_MIN || b.lo == LLONG_MIN ? LLONG_MIN : acis_sum(a.lo, b.lo),
                    a.hi == LLONG_MAX || b.hi == LLONG_MAX ? LLONG_MAX : acis_sum(a.hi, b.hi));
}
static inline ACIS_Range acis_minus(ACIS_Range a) {
  if (acis_is_none(a))
    return a;
  return acis_range(acis_opposite(a.hi), acis_opposite(a.lo));
}
static inline ACIS_Range acis_sub(ACIS_Range a, ACIS_Range b) { return acis_add(a, acis_minus(b)); }
static inline ACIS_Range acis_mul(ACIS_Range a, ACIS_Range b) {
  if (acis_is_none(a) || acis_is_none(b))
    return acis_none();
  return acis_join(acis_join(acis_at(acis_product(a.lo, b.lo)), acis_at(acis_product(a.lo, b.hi))),
                   acis_join(acis_at(acis_product(a.hi, b.lo)), acis_at(acis_product(a.hi, b.hi))));
}
static inline ACIS_Range acis_div(ACIS_Range a, ACIS_Range b) {
  if (acis_is_none(a) || acis_is_none(b))
    return acis_none();
  if (acis_has(b, 0))
    return acis_any();
  return acis_join(
      acis_join(acis_at(acis_quotient(a.lo, b.lo)), acis_at(acis_quotient(a.lo, b.hi))),
      acis_join(acis_at(acis_quotient(a.hi, b.lo)), acis_at(acis_quotient(a.hi, b.hi))));
}
static inline ACIS_Range acis_rem(ACIS_Range a, ACIS_Range b) {
  long long most;
  if (acis_is_none(a) || acis_is_none(b))
    return acis_none();
  if (b.lo <= 0)
    return acis_any();
  most = b.hi == LLONG_MAX ? LLONG_MAX : b.hi - 1;
  if (a.lo >= 0)
    return acis_range(0, a.hi < most ? a.hi : most);
  return acis_range(-most, most);
}
/* Bits of one that is not negative are below it. */
static inline ACIS_Range acis_and(ACIS_Range a, ACIS_Range b) {
  if (acis_is_none(a) || acis_is_none(b))
    return acis_none();
  if (a.lo < 0 && b.lo < 0)
    return acis_any();
  if (a.lo < 0 || b.lo < 0)
    return acis_range(0, a.lo < 0 ? b.hi : a.hi);
  return acis_range(0, a.hi < b.hi ? a.hi : b.hi);
}

static inline ACIS_Range acis_shl(ACIS_Range a, ACIS_Range by) {
  if (acis_is_none(a) || acis_is_none(by) || by.lo < 0 || by.hi > 62)
    return acis_is_none(a) ? a : acis_any();
  return acis_mul(a, acis_range(1LL << by.lo, 1LL << by.hi));
}
static inline ACIS_Range acis_shr(ACIS_Range a, ACIS_Range by) {
  if (acis_is_none(a) || acis_is_none(by) || by.lo < 0 || by.hi > 62)
    return acis_is_none(a) ? a : acis_any();
  return acis_range(a.lo == LLONG_MIN ? a.lo : a.lo >> (a.lo < 0 ? by.lo : by.hi),
                    a.hi == LLONG_MAX ? a.hi : a.hi >> (a.hi < 0 ? by.hi : by.lo));
}
/* The elements of so many bytes. */
static inline ACIS_Range acis_span(ACIS_Range bytes, long long size) {
  if (acis_is_none(bytes) || bytes.hi <= 0)
    return acis_none();
  return acis_range(0, bytes.hi == LLONG_MAX ? LLONG_MAX : (bytes.hi + size - 1) / size - 1);
}

/* What is left of `a` where it is less than, or at most, a value of `b`; more, at least. */
static inline ACIS_Range acis_lt(ACIS_Range a, ACIS_Range b) {
  if (acis_is_none(b) || b.hi == LLONG_MIN)
    return acis_none();
  return acis_meet(a, acis_range(LLONG_MIN, b.hi == LLONG_MAX ? LLONG_MAX : b.hi - 1));
}
static inline ACIS_Range acis_le(ACIS_Range a, ACIS_Range b) {
  return acis_is_none(b) ? acis_none() : acis_meet(a, acis_range(LLONG_MIN, b.hi));
}
static inline ACIS_Range acis_gt(ACIS_Range a, ACIS_Range b) {
  if (acis_is_none(b) || b.lo == LLONG_MAX)
    return acis_none();
  return acis_meet(a, acis_range(b.lo == LLONG_MIN ? LLONG_MIN : b.lo + 1, LLONG_MAX));
}
static inline ACIS_Range acis_ge(ACIS_Range a, ACIS_Range b) {
  return acis_is_none(b) ? acis_none() : acis_meet(a, acis_range(b.lo, LLONG_MAX));
}

/* As a value of a type with these ends: all of them if it does not fit. */
static inline ACIS_Range acis_fit(ACIS_Range a, long long lo, long long hi) {
  return acis_is_none(a) || (lo <= a.lo && a.hi <= hi) ? a : acis_range(lo, hi);
}

static inline void acis_clear(ACIS_Range *ranges, int count) {
  int i;
  for (i = 0; i < count; i++)
    ranges[i] = acis_none();
}

/* Turns over the statements: as long as ranges grow, from the fifth on to the end of the numbers;
 * then some more, each of which computes anew from the ranges before it what those had to be. */
typedef struct {
  ACIS_Range *ranges, *next;
  int count, turn, grown, again;
} ACIS_Turns;
static inline ACIS_Turns acis_turns(ACIS_Range *ranges, ACIS_Range *next, int count) {
  ACIS_Turns turns = {ranges, next, count, 0, 1, 0};
  acis_clear(ranges, count);
  return turns;
}
static inline int acis_next_turn(ACIS_Turns *turns, ACIS_Range *used, int count) {
  enum { Again = 5 };
  int i;
  for (i = 0; i < turns->count && turns->again; i++)
    if (!acis_is_none(turns->next[i]))
      turns->ranges[i] = acis_meet(turns->ranges[i], turns->next[i]);
  if (turns->again ? turns->again == Again : turns->turn > 0 && !turns->grown && turns->turn <= 5)
    return 0;
  turns->again += turns->again || !turns->grown;
  turns->turn++;
  turns->grown = 0;
  acis_clear(turns->next, turns->count);
  acis_clear(used, count);
  return 1;
}
static inline void acis_grow(ACIS_Range *place, ACIS_Range range, ACIS_Turns *turns) {
  const ACIS_Range all = acis_join(*place, range);
  const int isNew = acis_is_none(*place) != acis_is_none(all);
  const int down = isNew || all.lo < place->lo, up = isNew || all.hi > place->hi;
  if (turns->again) {
    ACIS_Range *next = &turns->next[place - turns->ranges];
    *next = acis_join(*next, range);
    return;
  }
  if (acis_is_none(all) || (!down && !up))
    return;
  *place = all;
  if (down && turns->turn >= 5)
    place->lo = LLONG_MIN;
  if (up && turns->turn >= 5)
    place->hi = LLONG_MAX;
  turns->grown = 1;
}
/* Elements that are used; they do not grow by themselves. */
static inline void acis_use(ACIS_Range *place, ACIS_Range range) {
  *place = acis_join(*place, range);
}

/* Bytes up to the end of the last element; -1: elements before the first, or too many. */
static inline long long acis_bytes(ACIS_Range index, long long size) {
  if (acis_is_none(index))
    return 0;
  return index.lo < 0 || index.hi > INT_MAX ? -1 : (index.hi + 1) * size;
}
/* -1 if a buffer of a collective has no room in the op. */
static inline long long acis_room(long long buffer, long long room, long long used) {
  return buffer < 0 || buffer > room ? -1 : used;
}

#ifdef __cplusplus
}
#endif

#endif /* ACIS_RANGES_H */
