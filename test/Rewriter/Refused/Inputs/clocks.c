// The clocks of timer-with-pointer.c.
#include <mpi.h>
static double begin[8], spent[8];
void timer_start(int which) { begin[which] = MPI_Wtime(); }
void timer_stop(int which) { spent[which] += MPI_Wtime() - begin[which]; }
