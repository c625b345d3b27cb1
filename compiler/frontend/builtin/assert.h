/* <assert.h>: nothing is checked in the switch, as with NDEBUG. Can be included again. */
#undef assert
#define assert(expression) ((void)0)
#ifndef __cplusplus
#undef static_assert
#define static_assert _Static_assert
#endif
