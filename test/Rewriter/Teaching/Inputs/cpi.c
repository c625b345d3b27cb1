/* The integral of 4/(1+x*x): one interval count, then counts from a table until zero. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#define PI25DT 3.141592653589793238462643

double f(double);
double f(double a) { return (4.0 / (1.0 + a * a)); }

int main(int argc, char *argv[]) {
  int n, myid, numprocs, i, namelen, done = 0, round = 0;
  double mypi, pi, h, sum, x, startwtime = 0.0, endwtime;
  char processor_name[MPI_MAX_PROCESSOR_NAME];
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
  MPI_Comm_rank(MPI_COMM_WORLD, &myid);
  MPI_Get_processor_name(processor_name, &namelen);
  fprintf(stderr, "Process %d of %d is on %s\n", myid, numprocs, processor_name);
  n = 10000;
  if (myid == 0)
    startwtime = MPI_Wtime();
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); /*@n*/
  h = 1.0 / (double)n;
  sum = 0.0;
  for (i = myid + 1; i <= n; i += numprocs) {
    x = h * ((double)i - 0.5);
    sum += f(x);
  }
  mypi = h * sum;
  MPI_Reduce(&mypi, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /*@pi*/
  if (myid == 0) {
    endwtime = MPI_Wtime();
    printf("pi is approximately %.12f, Error is %.12f\n", pi, fabs(pi - PI25DT));
    fprintf(stderr, "wall clock time = %f\n", endwtime - startwtime);
  }

  while (!done) {
    if (myid == 0)
      n = round < 3 ? 100 << round : 0;
    round++;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); /*@round*/
    if (n == 0)
      break;
    h = 1.0 / (double)n;
    sum = 0.0;
    for (i = myid + 1; i <= n; i += numprocs)
      sum += f(h * ((double)i - 0.5));
    mypi = h * sum;
    MPI_Reduce(&mypi, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /*@roundpi*/
    if (myid == 0)
      printf("n = %d: %.12f\n", n, pi);
  }
  MPI_Finalize();
  return 0;
}
