/* <string.h> as handlers may use it: copies, fills and comparisons become loops of the overlay. */
#ifndef ACIS_STRING_H
#define ACIS_STRING_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *__restrict to, const void *__restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
/* Less, equal or greater, as bytes. The first difference is the least pair of its place and what it
 * is, so that lanes can look for it. */
static inline int memcmp(const void *a, const void *b, size_t bytes) {
  const unsigned char *left = (const unsigned char *)a, *right = (const unsigned char *)b;
  unsigned first = ~0u;
  for (size_t i = 0; i < bytes; ++i) {
    const unsigned pair = i << 9 | (256u + left[i] - right[i]);
    const unsigned here = left[i] != right[i] ? pair : ~0u;
    first = here < first ? here : first;
  }
  return first == ~0u ? 0 : (int)(first & 511) - 256;
}
static inline void *memchr(const void *in, int byte, size_t bytes) {
  const unsigned char *at = (const unsigned char *)in;
  for (size_t i = 0; i < bytes; ++i)
    if (at[i] == (unsigned char)byte)
      return (void *)(at + i);
  return (void *)0;
}
static inline size_t strnlen(const char *text, size_t bytes) {
  size_t length = 0;
  while (length < bytes && text[length])
    ++length;
  return length;
}
static inline size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length])
    ++length;
  return length;
}
static inline int strncmp(const char *a, const char *b, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    const unsigned char left = (unsigned char)a[i], right = (unsigned char)b[i];
    if (left != right)
      return left - right;
    if (!left)
      break;
  }
  return 0;
}
static inline int strcmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && a[i] == b[i])
    ++i;
  return (unsigned char)a[i] - (unsigned char)b[i];
}
#ifdef __cplusplus
}
#endif
#endif
