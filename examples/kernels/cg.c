/* Conjugate gradients for a Poisson equation on a square, with rows spread over the ranks: the
 * product by ACIS_Ispmv, scalar products by ACIS_Idot. What does not need a sum is done while it is
 * under way.
 *
 *   cg [SIDE]        SIDE^2 unknowns (default 100) */
#include <acis_kernels.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks;

/* Entries of the row of a point: itself and its neighbours, by column. */
static int entries(int side, long long row, long long *columns, double *values) {
  const long long x = row % side, y = row / side;
  const long long step[5][2] = {{0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}};
  int count = 0, i;
  for (i = 0; i < 5; i++)
    if (x + step[i][0] >= 0 && x + step[i][0] < side && y + step[i][1] >= 0 &&
        y + step[i][1] < side) {
      columns[count] = row + step[i][1] * side + step[i][0];
      values[count++] = i == 2 ? 4 : -1;
    }
  return count;
}

static void *room(long long elements) {
  void *memory = calloc((size_t)elements + 1, sizeof(double));
  if (!memory)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

static ACIS_Spmv matrix(int side, long long first, int rows) {
  ACIS_Spmv plan;
  int *begin = room(rows), i;
  long long *columns = room(5LL * rows);
  double *values = room(5LL * rows);
  for (i = 0; i < rows; i++)
    begin[i + 1] = begin[i] + entries(side, first + i, columns + begin[i], values + begin[i]);
  ACIS_Spmv_plan(rows, begin, columns, values, MPI_DOUBLE, NULL, MPI_COMM_WORLD, &plan);
  free(begin);
  free(columns);
  free(values);
  return plan;
}

static void dot(const double *x, const double *y, int rows, double *result, MPI_Request *request) {
  ACIS_Idot(x, y, rows, MPI_DOUBLE, result, ACIS_SUM_EXACT, MPI_COMM_WORLD, request);
}

static void product(ACIS_Spmv plan, const double *x, double *y) {
  MPI_Request request;
  ACIS_Ispmv(plan, x, y, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Solves A x = r from x = 0; r is what is left. Returns the number of steps. */
static int solve(ACIS_Spmv plan, int rows, double *x, double *r) {
  double *p = room(rows), *q = room(rows), old, now, curvature;
  MPI_Request request;
  int step, i;
  dot(r, r, rows, &now, &request);
  for (i = 0; i < rows; i++)
    p[i] = r[i];
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (step = 0; step < 10000 && sqrt(now) > 1e-10; step++) {
    double alpha;
    product(plan, p, q);
    dot(p, q, rows, &curvature, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    alpha = now / curvature;
    for (i = 0; i < rows; i++)
      r[i] -= alpha * q[i];
    old = now;
    dot(r, r, rows, &now, &request);
    for (i = 0; i < rows; i++) /* needs no sum */
      x[i] += alpha * p[i];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (i = 0; i < rows; i++)
      p[i] = r[i] + now / old * p[i];
  }
  free(p);
  free(q);
  return step;
}

int main(int argc, char **argv) {
  const int side = argc > 1 ? atoi(argv[1]) : 100;
  const long long all = (long long)side * side;
  long long first;
  double *x, *b, worst = 0, error;
  int rows, steps, i;
  ACIS_Spmv plan;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  first = all * rank / ranks;
  rows = (int)(all * (rank + 1) / ranks - first);
  plan = matrix(side, first, rows);
  x = room(rows);
  b = room(rows);
  for (i = 0; i < rows; i++)
    x[i] = 1 + (double)((first + i) % 7);
  product(plan, x, b);
  for (i = 0; i < rows; i++)
    x[i] = 0;
  steps = solve(plan, rows, x, b);
  for (i = 0; i < rows; i++)
    worst = fmax(worst, fabs(x[i] - 1 - (double)((first + i) % 7)));
  MPI_Reduce(&worst, &error, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%lld unknowns: %d steps, error %s 1e-9\n", all, steps,
           error < 1e-9 ? "below" : "above");
  ACIS_Spmv_free(&plan);
  free(x);
  free(b);
  MPI_Finalize();
  return 0;
}
