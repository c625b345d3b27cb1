/* OpenCL buffers as arguments of MPI calls: for programs that run with libacis-device
   (acis-mpirun --device). An address that clEnqueueMapBuffer gave needs nothing of this header.

   The functions are weak: without the library their addresses are null, and a program can tell:

     if (!acis_device_pointer) { ... the program stages by itself ... } */
#ifndef ACIS_DEVICE_H
#define ACIS_DEVICE_H

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An address that stands for the first byte of `buffer` in MPI calls; byte i is at the address plus
   i. It is not to be read or written: that ends the program. The same address at each call; it is
   the library's and is gone when the program has released the buffer. A sub-buffer's lies within
   its whole buffer's. NULL when `buffer` is no buffer that was made since the program began. */
__attribute__((weak)) void *acis_device_pointer(cl_mem buffer);

/* What errors call `buffer` from now on; copied. 0, or -1 when `buffer` is not known. */
__attribute__((weak)) int acis_device_name(cl_mem buffer, const char *name);

#ifdef __cplusplus
}
#endif

#endif
