/* What libc++ asks of a C library even where it has no characters of several bytes. */
#ifndef ACIS_MBSTATE_T_H
#define ACIS_MBSTATE_T_H
typedef struct {
  int state;
} mbstate_t;
#endif
