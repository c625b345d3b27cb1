/* <stdio.h>: what other headers name. A handler has no files. */
#ifndef ACIS_STDIO_H
#define ACIS_STDIO_H
#include <stddef.h>
#define EOF (-1)
#ifdef __cplusplus
extern "C" {
#endif
/* Beside which <algorithm> has templates of the same name. */
int remove(const char *path);
#ifdef __cplusplus
}
#endif
#endif
