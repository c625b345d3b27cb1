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
#ifdef __cplusplus
}
#endif
#endif
