/* <stddef.h> as handlers need it. */
#ifndef ACIS_STDDEF_H
#define ACIS_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifndef __cplusplus
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
#else
#define NULL __null
#endif
typedef struct {
  long long i;
  long double f;
} max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
