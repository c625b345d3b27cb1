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
/* Only named by other headers: a call is an error. */
void *memchr(const void *in, int byte, size_t bytes);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
#ifdef __cplusplus
}
#endif
#endif
