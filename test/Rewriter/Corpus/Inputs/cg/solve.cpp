#include "solver.hpp"
#include <cmath>
#include <iostream>
#include <mpi.h>
using std::cout;
using std::endl;
#define TICK() t0 = timer()
#define TOCK(t) t += timer() - t0
int solve(Sparse *A, const double *const b, double *const x, const int most,
          const double tolerance, int &iterations, double &norm, double *times) {
  double begin = timer();
  double t0 = 0.0, t1 = 0.0, t2 = 0.0, t3 = 0.0, t4 = 0.0;
#ifdef USING_MPI
  double t5 = 0.0;
#endif
  int nrow = A->rows;
  int ncol = A->columns;
  double *r = new double[nrow];
  double *p = new double[ncol];
  double *Ap = new double[nrow];
  norm = 0.0;
  double now = 0.0;
  double old = 0.0;
#ifdef USING_MPI
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#else
  int rank = 0;
#endif
  int every = most / 10;
  if (every > 50)
    every = 50;
  TICK(); waxpby(nrow, 1.0, x, 0.0, x, p); TOCK(t2);
#ifdef USING_MPI
  TICK(); exchange(A, p); TOCK(t5); /*@halo0*/
#endif
  TICK(); product(A, p, Ap); TOCK(t3); /*@product0*/
  TICK(); waxpby(nrow, 1.0, b, -1.0, Ap, r); TOCK(t2);
  TICK(); dot(nrow, r, r, &now, t4); TOCK(t1); /*@start*/
  norm = sqrt(now);
  if (rank == 0) cout << "Initial Residual = " << norm << endl;
  for (int k = 1; k < most && norm > tolerance; k++) {
    if (k == 1) {
      TICK(); waxpby(nrow, 1.0, r, 0.0, r, p); TOCK(t2);
    } else {
      old = now;
      TICK(); dot(nrow, r, r, &now, t4); TOCK(t1); /*@beta*/
      double beta = now / old;
      TICK(); waxpby(nrow, 1.0, r, beta, p, p); TOCK(t2);
    }
    norm = sqrt(now);
    if (rank == 0 && (k % every == 0 || k + 1 == most))
      cout << "Iteration = " << k << "   Residual = " << norm << endl;
#ifdef USING_MPI
    TICK(); exchange(A, p); TOCK(t5); /*@halo*/
#endif
    TICK(); product(A, p, Ap); TOCK(t3); /*@product*/
    double alpha = 0.0;
    TICK(); dot(nrow, p, Ap, &alpha, t4); TOCK(t1); /*@alpha*/
    alpha = now / alpha;
    TICK(); waxpby(nrow, 1.0, x, alpha, p, x);
    waxpby(nrow, 1.0, r, -alpha, Ap, r); TOCK(t2);
    iterations = k;
  }
  times[1] = t1;
  times[4] = t4;
#ifdef USING_MPI
  times[5] = t5;
#endif
  delete[] p;
  delete[] Ap;
  delete[] r;
  times[0] = timer() - begin;
  return (0);
}
