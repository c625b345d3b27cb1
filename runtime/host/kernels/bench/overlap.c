/* overlap: how much of its communication a distributed kernel hides, as one line of JSON.
 *
 *   overlap gemm M N K PM PN TK REPEATS      ACIS_Igemm, small-memory mode, float
 *   overlap spmv fem2|fem3 SIDE REPEATS      ACIS_Ispmv, double
 *
 * Four times, each the largest of the ranks, the least of all repeats: computing alone, messages
 * alone, one after the other with blocking calls (what a plain program does), and the kernel.
 * hidden = 1 - (kernel - computing) / messages, ratio = computing / messages (R of the tuner).
 *
 * fem2: SIDE^2 rows, 7 entries each, as linear elements on triangles have (parabolic_fem). fem3:
 * SIDE^3 rows, 73 entries each in the mean, as elements in space have (sme3Dc). */
#include "runtime/host/kernels/Product.h"
#include "runtime/host/kernels/acis_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;

enum { Computing = 1, Messages = 2 };

static void *room(size_t elements, size_t bytes) {
  void *memory = calloc(elements + 1, bytes);
  if (!memory)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

/* The time of one call: when the last rank is through. */
static double timeOf(void (*call)(void *, int), void *state, int what, int repeats) {
  double least = 1e30;
  int i;
  for (i = 0; i < repeats; i++) {
    double time, longest;
    MPI_Barrier(MPI_COMM_WORLD);
    time = MPI_Wtime();
    call(state, what);
    time = MPI_Wtime() - time;
    MPI_Allreduce(&time, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    least = longest < least ? longest : least;
  }
  return least;
}

static void report(const char *name, const double times[4]) {
  if (rank == 0)
    printf("{\"kernel\": \"%s\", \"ranks\": %d, \"computing_us\": %.1f, \"messages_us\": %.1f, "
           "\"blocking_us\": %.1f, \"kernel_us\": %.1f, \"ratio\": %.3f, \"hidden\": %.3f, "
           "\"faster\": %.3f}\n",
           name, ranks, times[0] * 1e6, times[1] * 1e6, times[2] * 1e6, times[3] * 1e6,
           times[0] / times[1], 1 - (times[3] - times[0]) / times[1], times[2] / times[3]);
}

static void measure(const char *name, void (*plain)(void *, int), void (*kernel)(void *, int),
                    void *state, int repeats) {
  double times[4];
  times[0] = timeOf(plain, state, Computing, repeats);
  times[1] = timeOf(plain, state, Messages, repeats);
  times[2] = timeOf(plain, state, Computing | Messages, repeats);
  times[3] = timeOf(kernel, state, 0, repeats);
  report(name, times);
}

typedef struct {
  MPI_Comm commA, commB, commC;
  ACIS_Grid grid;
  ACIS_Gemm plan;
  ACIS_Part pa, pb, pc;
  long long inner, tk;
  float *a, *b, *c, *ownA, *ownB, *rowsA, *columnsB;
} Gemm;

/* Panel by panel, all of which have equal parts here. */
static void plainGemm(void *state, int what) {
  Gemm *g = state;
  long long at, i;
  int n, m;
  memset(g->c, 0, (size_t)(g->pc.rows * g->pc.columns) * sizeof(float));
  for (at = 0; at < g->inner; at += g->tk) {
    const long long width = g->inner - at < g->tk ? g->inner - at : g->tk;
    for (i = 0; i < g->pa.rows; i++)
      memcpy(g->ownA + i * width, g->a + i * g->inner + at, (size_t)width * sizeof(float));
    for (i = 0; i < width; i++)
      memcpy(g->ownB + i * g->pb.columns, g->b + (at + i) * g->pb.columns,
             (size_t)g->pb.columns * sizeof(float));
    if (what & Messages) {
      const int a = (int)(g->pa.rows * width), b = (int)(g->pb.columns * width);
      MPI_Allgather(g->ownA, a, MPI_FLOAT, g->rowsA, a, MPI_FLOAT, g->commA);
      MPI_Allgather(g->ownB, b, MPI_FLOAT, g->columnsB, b, MPI_FLOAT, g->commB);
    }
    for (n = 0; n < g->grid.pn && what & Computing; n++)
      for (m = 0; m < g->grid.pm; m++)
        productAdd(4, g->pa.rows, g->pb.columns, width, g->rowsA + n * g->pa.rows * width, width,
                   g->columnsB + m * g->pb.columns * width, g->pb.columns,
                   g->c + n * g->pa.rows * g->pc.columns + m * g->pb.columns, g->pc.columns);
  }
}

static void kernelGemm(void *state, int what) {
  Gemm *g = state;
  MPI_Request request;
  (void)what;
  ACIS_Igemm(g->plan, g->a, g->inner, g->b, g->pb.columns, g->c, g->pc.columns, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int gemm(char **argv) {
  const long long m = atoll(argv[0]), n = atoll(argv[1]), k = atoll(argv[2]);
  const ACIS_Gemm_schedule schedule = {atoi(argv[5]), 0};
  Gemm g = {.grid = {atoi(argv[3]), atoi(argv[4]), 1}, .inner = k, .tk = schedule.tk};
  float *kernelC;
  long long i;
  if (m % ranks || n % ranks || g.grid.pm * g.grid.pn != ranks || g.tk < 1)
    return fprintf(stderr, "overlap: m and n are multiples of the ranks, PM PN are all of them\n"),
           1;
  ACIS_Gemm_comms(&g.grid, MPI_COMM_WORLD, &g.commA, &g.commB, &g.commC);
  ACIS_Gemm_plan(m, n, k, MPI_FLOAT, ACIS_GEMM_SM, &schedule, g.commA, g.commB, g.commC, &g.plan);
  ACIS_Gemm_parts(g.plan, &g.pa, &g.pb, &g.pc);
  g.a = room((size_t)(g.pa.rows * k), sizeof(float));
  g.b = room((size_t)(g.pb.columns * k), sizeof(float));
  g.c = room((size_t)(g.pc.rows * g.pc.columns), sizeof(float));
  g.ownA = room((size_t)(g.pa.rows * g.tk), sizeof(float));
  g.ownB = room((size_t)(g.pb.columns * g.tk), sizeof(float));
  g.rowsA = room((size_t)(g.pc.rows * g.tk), sizeof(float));
  g.columnsB = room((size_t)(g.pc.columns * g.tk), sizeof(float));
  for (i = 0; i < g.pa.rows * k; i++)
    g.a[i] = (float)((i * 7 + rank) % 13);
  for (i = 0; i < g.pb.columns * k; i++)
    g.b[i] = (float)((i * 5 + rank) % 11);
  measure("gemm", plainGemm, kernelGemm, &g, atoi(argv[6]));
  kernelC = room((size_t)(g.pc.rows * g.pc.columns), sizeof(float));
  memcpy(kernelC, g.c, (size_t)(g.pc.rows * g.pc.columns) * sizeof(float));
  plainGemm(&g, Computing | Messages);
  return memcmp(kernelC, g.c, (size_t)(g.pc.rows * g.pc.columns) * sizeof(float)) != 0;
}

typedef struct {
  ACIS_Spmv plan;
  long long *starts, first;
  int rows, *sendCounts, *sendAt, *recvCounts, *recvAt;
  SparseRows matrix;
  double *x, *all, *y; /* x of this rank; from element `low` on, all that its rows need; y */
} Spmv;

/* All elements between the lowest and the highest column come by one call, then all rows. */
static void plainSpmv(void *state, int what) {
  Spmv *s = state;
  if (what & Messages)
    MPI_Alltoallv(s->x, s->sendCounts, s->sendAt, MPI_DOUBLE, s->all, s->recvCounts, s->recvAt,
                  MPI_DOUBLE, MPI_COMM_WORLD);
  if (what & Computing)
    sparseAdd(8, &s->matrix, 0, s->rows, s->all, 1LL << 62, NULL, s->y);
}

static void kernelSpmv(void *state, int what) {
  Spmv *s = state;
  MPI_Request request;
  (void)what;
  ACIS_Ispmv(s->plan, s->x, s->y, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Columns of a row, rising; at most 128. */
static int columnsOf(int dimensions, int side, long long row, long long *columns) {
  const int reach = dimensions == 2 ? 1 : 2;
  const int z = (int)(row / side / side), y = (int)(row / side % side), x = (int)(row % side);
  int count = 0, dx, dy, dz;
  for (dz = dimensions == 2 ? 0 : -reach; dz <= (dimensions == 2 ? 0 : reach); dz++)
    for (dy = -reach; dy <= reach; dy++)
      for (dx = -reach; dx <= reach; dx++) {
        const int isIn =
            dimensions == 2 ? dx + dy < 2 && dx + dy > -2 : dx * dx + dy * dy + dz * dz <= 6;
        if (isIn && x + dx >= 0 && x + dx < side && y + dy >= 0 && y + dy < side &&
            (dimensions == 2 || (z + dz >= 0 && z + dz < side)))
          columns[count++] = row + ((long long)dz * side + dy) * side + dx;
      }
  return count;
}

static long long clip(long long value, long long low, long long high) {
  return value < low ? low : value > high ? high : value;
}

/* Which elements go from where to where: each rank wants the range [low, high) of its columns. */
static void ranges(Spmv *s, long long low, long long high) {
  long long mine[2] = {low, high}, *all = room(2 * (size_t)ranks, sizeof *all);
  int r;
  MPI_Allgather(mine, 2, MPI_LONG_LONG, all, 2, MPI_LONG_LONG, MPI_COMM_WORLD);
  s->sendCounts = room((size_t)ranks, sizeof(int)), s->sendAt = room((size_t)ranks, sizeof(int));
  s->recvCounts = room((size_t)ranks, sizeof(int)), s->recvAt = room((size_t)ranks, sizeof(int));
  for (r = 0; r < ranks; r++) {
    const long long from = clip(all[2 * r], s->first, s->first + s->rows);
    const long long to = clip(all[2 * r + 1], s->first, s->first + s->rows);
    const long long begin = clip(s->starts[r], low, high), end = clip(s->starts[r + 1], low, high);
    s->sendCounts[r] = (int)(to - from), s->sendAt[r] = (int)(from - s->first);
    s->recvCounts[r] = (int)(end - begin), s->recvAt[r] = (int)(begin - low);
  }
  free(all);
}

static int spmv(char **argv) {
  const int dimensions = strcmp(argv[0], "fem3") ? 2 : 3, side = atoi(argv[1]);
  const long long all = (long long)side * side * (dimensions == 3 ? side : 1);
  long long columns[128], entries = 0, low = all, high = 0, i;
  Spmv s = {0};
  int *begin, r;
  double *kernelY;
  s.starts = room((size_t)ranks + 1, sizeof *s.starts);
  for (r = 0; r <= ranks; r++)
    s.starts[r] = all * r / ranks;
  s.first = s.starts[rank];
  s.rows = (int)(s.starts[rank + 1] - s.first);
  begin = room((size_t)s.rows + 1, sizeof *begin);
  s.matrix.begin = room((size_t)s.rows + 1, sizeof *s.matrix.begin);
  s.matrix.columns = room((size_t)s.rows * 128, sizeof(long long));
  s.matrix.values = room((size_t)s.rows * 128, sizeof(double));
  for (i = 0; i < s.rows; i++) {
    int count = columnsOf(dimensions, side, s.first + i, columns), e;
    for (e = 0; e < count; e++) {
      s.matrix.columns[entries] = columns[e];
      ((double *)s.matrix.values)[entries++] = 1.0 + (double)((columns[e] * 31 + i) % 17);
      low = columns[e] < low ? columns[e] : low;
      high = columns[e] >= high ? columns[e] + 1 : high;
    }
    begin[i + 1] = (int)entries;
    s.matrix.begin[i + 1] = entries;
  }
  s.x = room((size_t)s.rows, sizeof(double));
  s.y = room((size_t)s.rows, sizeof(double));
  s.all = room((size_t)(high - low), sizeof(double));
  for (i = 0; i < s.rows; i++)
    s.x[i] = (double)((s.first + i) % 23);
  ACIS_Spmv_plan(s.rows, begin, s.matrix.columns, s.matrix.values, MPI_DOUBLE, NULL, MPI_COMM_WORLD,
                 &s.plan);
  for (i = 0; i < entries; i++)
    s.matrix.columns[i] -= low;
  ranges(&s, low, high);
  measure(dimensions == 2 ? "spmv fem2" : "spmv fem3", plainSpmv, kernelSpmv, &s, atoi(argv[2]));
  kernelY = room((size_t)s.rows, sizeof(double));
  memcpy(kernelY, s.y, (size_t)s.rows * sizeof(double));
  plainSpmv(&s, Computing | Messages);
  return memcmp(kernelY, s.y, (size_t)s.rows * sizeof(double)) != 0;
}

int main(int argc, char **argv) {
  int isWrong = 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc == 9 && !strcmp(argv[1], "gemm"))
    isWrong = gemm(argv + 2);
  else if (argc == 5 && !strcmp(argv[1], "spmv"))
    isWrong = spmv(argv + 2);
  if (isWrong)
    fprintf(stderr, "overlap: rank %d: %s\n", rank,
            isWrong == 2 ? "see the head of overlap.c" : "the kernel's result is wrong");
  MPI_Finalize();
  return isWrong;
}
