/* C = A B on a grid of all ranks by ACIS_Igemm, in both memory modes, with a check: C v = A (B v).
 *
 *   gemm [M N K [MEMORY]]      default 300 200 400; MEMORY in bytes of a rank for A and B, by which
 *                              the grid is chosen (default 300000) */
#include <acis_kernels.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;

/* Whole numbers: all sums are exact, so the check is too. */
static double elementA(long long i, long long l) { return (double)((i * 3 + l * 5) % 7 - 3); }
static double elementB(long long l, long long j) { return (double)((l * 2 + j * 11) % 5 - 2); }

static double *fill(ACIS_Part part, double (*element)(long long, long long)) {
  double *matrix = calloc((size_t)(part.rows * part.columns) + 1, sizeof *matrix);
  long long i, j;
  for (i = 0; matrix && element && i < part.rows; i++)
    for (j = 0; j < part.columns; j++)
      matrix[i * part.columns + j] = element(part.row + i, part.column + j);
  if (!matrix)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return matrix;
}

/* Row i of C times a vector, over the ranks that have parts of it, must be that of A (B v). */
static int isRight(const double *c, ACIS_Part part, long long m, long long n, long long k) {
  double *sums = calloc((size_t)m + 1, sizeof *sums), *all = calloc((size_t)m + 1, sizeof *all);
  double *bv = calloc((size_t)k + 1, sizeof *bv);
  long long i, j, wrong = 0;
  if (!sums || !all || !bv)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (i = 0; i < part.rows; i++)
    for (j = 0; j < part.columns; j++)
      sums[part.row + i] += c[i * part.columns + j] * (double)((part.column + j) % 3);
  MPI_Allreduce(sums, all, (int)m, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (i = 0; i < k; i++)
    for (j = 0; j < n; j++)
      bv[i] += elementB(i, j) * (double)(j % 3);
  for (i = 0; i < m; i++) {
    double expected = 0;
    for (j = 0; j < k; j++)
      expected += elementA(i, j) * bv[j];
    wrong += all[i] != expected;
  }
  free(sums);
  free(all);
  free(bv);
  return wrong == 0;
}

static void multiply(long long m, long long n, long long k, ACIS_Gemm_mode mode,
                     const MPI_Comm comms[3]) {
  ACIS_Gemm plan;
  ACIS_Part pa, pb, pc;
  MPI_Request request;
  double *a, *b, *c;
  int right;
  if (ACIS_Gemm_plan(m, n, k, MPI_DOUBLE, mode, NULL, comms[0], comms[1], comms[2], &plan))
    return;
  ACIS_Gemm_parts(plan, &pa, &pb, &pc);
  a = fill(pa, elementA);
  b = fill(pb, elementB);
  c = fill(pc, NULL);
  ACIS_Igemm(plan, a, pa.columns, b, pb.columns, c, pc.columns, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  right = isRight(c, pc, m, n, k);
  if (rank == 0)
    printf("%s: rank 0 has %lld x %lld of A and %lld x %lld of B; C is %s\n",
           mode == ACIS_GEMM_LM ? "large memory" : "small memory", pa.rows, pa.columns, pb.rows,
           pb.columns, right ? "right" : "wrong");
  ACIS_Gemm_free(&plan);
  free(a);
  free(b);
  free(c);
}

int main(int argc, char **argv) {
  const long long m = argc > 3 ? atoll(argv[1]) : 300, n = argc > 3 ? atoll(argv[2]) : 200;
  const long long k = argc > 3 ? atoll(argv[3]) : 400;
  ACIS_Grid grid;
  MPI_Comm comms[3];
  int ranks, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  grid = ACIS_Gemm_grid(ranks, m, n, k, sizeof(double), argc > 4 ? atof(argv[4]) : 3e5);
  ACIS_Gemm_comms(&grid, MPI_COMM_WORLD, &comms[0], &comms[1], &comms[2]);
  if (rank == 0)
    printf("%lld x %lld x %lld on a grid of %d x %d x %d\n", m, n, k, grid.pm, grid.pn, grid.pk);
  multiply(m, n, k, ACIS_GEMM_LM, comms);
  multiply(m, n, k, ACIS_GEMM_SM, comms);
  for (i = 0; i < 3; i++)
    MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  return 0;
}
