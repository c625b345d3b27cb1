/* <string.h> as handlers may use it: copies and fills become loops of the overlay. */
#ifndef ACIS_STRING_H
#define ACIS_STRING_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *__restrict to, const void *__restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
/* Only named by other headers: a call is an error. */
int memcmp(const void *a, const void *b, size_t bytes);
void *memchr(const void *in, int byte, size_t bytes);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
#ifdef __cplusplus
}
#endif
#endif
