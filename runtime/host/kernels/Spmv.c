/* ACIS_Spmv_plan: which elements of x are needed where, and the matrix cut accordingly. */
#define _GNU_SOURCE
#include "runtime/host/kernels/Spmv.h"

#include "runtime/host/kernels/Check.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DefaultBatch = 65536, MostCollective = 65536 };

/* What a plan is made of. */
typedef struct {
  int rows;
  const int *begin;
  const long long *columns;
  const char *values;
  long long *starts; /* first row of each rank, and the end */
  long long *wanted; /* columns of other ranks, rising, each once */
  long long numWanted;
} Matrix;

static long long allRows(const Matrix *matrix, int ranks) { return matrix->starts[ranks]; }

/* What of the arguments this rank can see alone. */
static void checkLocal(const Matrix *matrix, MPI_Datatype type, const ACIS_Spmv_options *options,
                       Problem *problem) {
  const int *begin = matrix->begin;
  int i;
  if (!kernelsBytes(type))
    problemSay(problem, "found another type, allowed are MPI_FLOAT and MPI_DOUBLE");
  if (options->order != ACIS_ORDER_SPLIT && options->order != ACIS_ORDER_ROW)
    problemSay(problem, "found order %d, allowed are ACIS_ORDER_SPLIT and ACIS_ORDER_ROW",
               (int)options->order);
  if ((int)options->fetch < ACIS_FETCH_AUTO || options->fetch > ACIS_FETCH_COLLECTIVE)
    problemSay(problem, "found fetch %d, which is none of ACIS_Fetch", (int)options->fetch);
  if (matrix->rows < 0)
    problemSay(problem, "found %d rows", matrix->rows);
  if (matrix->rows <= 0 || problem->text[0])
    return;
  if (!begin) {
    problemSay(problem, "row_begin is a null pointer");
    return;
  }
  if (begin[0] != 0)
    problemSay(problem, "row_begin begins with %d, allowed is 0", begin[0]);
  for (i = 0; i < matrix->rows && !problem->text[0]; i++)
    if (begin[i + 1] < begin[i])
      problemSay(problem, "row %d has its end %d before its begin %d", i, begin[i + 1], begin[i]);
  if (!problem->text[0] && begin[matrix->rows] > 0 && (!matrix->columns || !matrix->values))
    problemSay(problem, "columns or values are a null pointer");
}

static void checkColumns(const Matrix *matrix, int ranks, Problem *problem) {
  int i, e;
  if (problem->text[0])
    return;
  for (i = 0; i < matrix->rows; i++)
    for (e = matrix->begin[i]; e < matrix->begin[i + 1]; e++) {
      const long long column = matrix->columns[e];
      if (column < 0 || column >= allRows(matrix, ranks))
        problemSay(problem, "row %d has column %lld, allowed are 0 to %lld", i, column,
                   allRows(matrix, ranks) - 1);
      else if (e > matrix->begin[i] && matrix->columns[e - 1] >= column)
        problemSay(problem, "row %d has column %lld after %lld, columns have to rise", i, column,
                   matrix->columns[e - 1]);
    }
}

/* Whether all ranks say the same of what has to be equal. */
static void checkEqual(int bytes, const ACIS_Spmv_options *options, MPI_Comm comm,
                       Problem *problem) {
  long long mine[8] = {bytes, options->order, options->fetch, (long long)options->batch_bytes};
  long long most[8];
  int i;
  for (i = 0; i < 4; i++)
    mine[4 + i] = -mine[i];
  if (MPI_Allreduce(mine, most, 8, MPI_LONG_LONG, MPI_MAX, comm) != MPI_SUCCESS)
    return;
  for (i = 0; i < 4; i++)
    if (most[i] != -most[4 + i])
      problemSay(problem, "type or options differ between ranks");
}

static int isHere(const Matrix *matrix, int rank, long long column) {
  return matrix->starts[rank] <= column && column < matrix->starts[rank + 1];
}

static int compare(const void *a, const void *b) {
  const long long x = *(const long long *)a, y = *(const long long *)b;
  return (x > y) - (x < y);
}

/* 0: no memory. */
static int findWanted(Matrix *matrix, int rank) {
  const int entries = matrix->rows ? matrix->begin[matrix->rows] : 0;
  long long i, last = 0;
  int e;
  matrix->wanted = malloc(((size_t)entries + 1) * sizeof *matrix->wanted);
  if (!matrix->wanted)
    return 0;
  for (e = 0; e < entries; e++)
    if (!isHere(matrix, rank, matrix->columns[e]))
      matrix->wanted[matrix->numWanted++] = matrix->columns[e];
  qsort(matrix->wanted, (size_t)matrix->numWanted, sizeof *matrix->wanted, compare);
  for (i = 0; i < matrix->numWanted; i++)
    if (i == 0 || matrix->wanted[i] != matrix->wanted[last - 1])
      matrix->wanted[last++] = matrix->wanted[i];
  matrix->numWanted = last;
  return 1;
}

static int ownerOf(const Matrix *matrix, long long column) {
  int owner = 0;
  while (column >= matrix->starts[owner + 1])
    owner++;
  return owner;
}

static int *displacements(const int *counts, int ranks) {
  int *at = malloc(((size_t)ranks + 1) * sizeof *at);
  int r;
  for (r = 0, at ? at[0] = 0 : 0; at && r < ranks; r++)
    at[r + 1] = at[r] + counts[r];
  return at;
}

/* Tells each rank which of its elements this one wants. An MPI error code, or MPI_ERR_NO_MEM. */
static int exchangeWanted(ACIS_Spmv plan, Matrix *matrix) {
  const size_t ranks = (size_t)plan->ranks;
  long long i, *asked = NULL;
  int *sendAt = NULL, *recvAt = NULL, code = MPI_ERR_NO_MEM, owner = 0;
  plan->sendCounts = calloc(ranks, sizeof(int));
  plan->recvCounts = calloc(ranks, sizeof(int));
  if (!plan->sendCounts || !plan->recvCounts)
    return code;
  for (i = 0; i < matrix->numWanted; i++) {
    while (matrix->wanted[i] >= matrix->starts[owner + 1])
      owner++;
    plan->recvCounts[owner]++;
  }
  code = MPI_Alltoall(plan->recvCounts, 1, MPI_INT, plan->sendCounts, 1, MPI_INT, plan->comm);
  if (code != MPI_SUCCESS)
    return code;
  sendAt = displacements(plan->sendCounts, plan->ranks);
  recvAt = displacements(plan->recvCounts, plan->ranks);
  code = MPI_ERR_NO_MEM;
  if (sendAt && recvAt) {
    plan->numSent = sendAt[plan->ranks];
    plan->numFetched = matrix->numWanted;
    asked = malloc(((size_t)plan->numSent + 1) * sizeof *asked);
    plan->sendRows = malloc(((size_t)plan->numSent + 1) * sizeof *plan->sendRows);
  }
  if (asked && plan->sendRows)
    code = MPI_Alltoallv(matrix->wanted, plan->recvCounts, recvAt, MPI_LONG_LONG, asked,
                         plan->sendCounts, sendAt, MPI_LONG_LONG, plan->comm);
  for (i = 0; code == MPI_SUCCESS && i < plan->numSent; i++)
    plan->sendRows[i] = (int)(asked[i] - matrix->starts[plan->rank]);
  free(asked);
  free(sendAt);
  free(recvAt);
  return code;
}

/* Whether a switch may serve collectives of this process. */
static int hasSwitch(void) { return dlsym(RTLD_DEFAULT, "ACIS_Switch_driver") != NULL; }

static int chooseFetch(ACIS_Spmv plan) {
  long long largest[3] = {0, !hasSwitch(), 0}, most[3], sent = plan->numSent, all = 0;
  int r, code;
  for (r = 0; r < plan->ranks; r++)
    if (plan->sendCounts[r] > largest[0])
      largest[0] = plan->sendCounts[r];
  code = MPI_Allreduce(largest, most, 3, MPI_LONG_LONG, MPI_MAX, plan->comm);
  if (code == MPI_SUCCESS)
    code = MPI_Allreduce(&sent, &all, 1, MPI_LONG_LONG, MPI_SUM, plan->comm);
  if (code != MPI_SUCCESS)
    return code;
  plan->block = (int)most[0];
  if (plan->options.fetch == ACIS_FETCH_AUTO) {
    const long long given = most[0] * plan->ranks;
    const int isShort = given * plan->bytes <= MostCollective;
    const int isFull = 2 * all >= given * plan->ranks;
    plan->options.fetch =
        !most[1] && isShort && isFull && all ? ACIS_FETCH_COLLECTIVE : ACIS_FETCH_MESSAGES;
  }
  return code;
}

static int allocateRows(SparseRows *rows, int count, long long entries, int bytes) {
  rows->begin = calloc((size_t)count + 1, sizeof *rows->begin);
  rows->columns = malloc(((size_t)entries + 1) * sizeof *rows->columns);
  rows->values = malloc(((size_t)entries + 1) * (size_t)bytes);
  rows->rows = NULL;
  return rows->begin && rows->columns && rows->values;
}

static void freeRows(SparseRows *rows) {
  free(rows->begin);
  free(rows->columns);
  free(rows->values);
  free(rows->rows);
}

static void append(SparseRows *rows, long long *end, long long column, const char *value,
                   int bytes) {
  rows->columns[*end] = column;
  memcpy((char *)rows->values + *end * bytes, value, (size_t)bytes);
  ++*end;
}

/* Where a wanted column is in what was fetched: one after the other, or in equal blocks. */
static long long placeOf(ACIS_Spmv plan, const Matrix *matrix, const long long *firstOf,
                         long long column) {
  const long long *found =
      bsearch(&column, matrix->wanted, (size_t)matrix->numWanted, sizeof *matrix->wanted, compare);
  const long long index = found - matrix->wanted;
  int owner;
  if (plan->options.fetch != ACIS_FETCH_COLLECTIVE)
    return index;
  owner = ownerOf(matrix, column);
  return (long long)owner * plan->block + index - firstOf[owner];
}

static int hasFar(const Matrix *matrix, int rank, int row) {
  int e;
  for (e = matrix->begin[row]; e < matrix->begin[row + 1]; e++)
    if (!isHere(matrix, rank, matrix->columns[e]))
      return 1;
  return 0;
}

/* 0: no memory. */
static int cut(ACIS_Spmv plan, const Matrix *matrix) {
  const int entries = matrix->rows ? matrix->begin[matrix->rows] : 0;
  long long *firstOf = calloc((size_t)plan->ranks + 1, sizeof *firstOf), near = 0, far = 0;
  int i, e, r;
  if (!firstOf || !allocateRows(&plan->near, plan->rows, entries, plan->bytes) ||
      !allocateRows(&plan->far, plan->rows, entries, plan->bytes) ||
      !(plan->far.rows = malloc(((size_t)plan->rows + 1) * sizeof *plan->far.rows))) {
    free(firstOf);
    return 0;
  }
  for (r = 0; r < plan->ranks; r++)
    firstOf[r + 1] = firstOf[r] + plan->recvCounts[r];
  for (i = 0; i < plan->rows; i++) {
    const int waits = plan->options.order == ACIS_ORDER_ROW && hasFar(matrix, plan->rank, i);
    for (e = matrix->begin[i]; e < matrix->begin[i + 1]; e++) {
      const long long column = matrix->columns[e];
      const char *value = matrix->values + (long long)e * plan->bytes;
      if (!isHere(matrix, plan->rank, column))
        append(&plan->far, &far, plan->rows + placeOf(plan, matrix, firstOf, column), value,
               plan->bytes);
      else if (waits)
        append(&plan->far, &far, column - matrix->starts[plan->rank], value, plan->bytes);
      else
        append(&plan->near, &near, column - matrix->starts[plan->rank], value, plan->bytes);
    }
    plan->near.begin[i + 1] = near;
    if (far > plan->far.begin[plan->numFar]) {
      plan->far.rows[plan->numFar++] = i;
      plan->far.begin[plan->numFar] = far;
    }
  }
  free(firstOf);
  return 1;
}

static void release(ACIS_Spmv plan) {
  freeRows(&plan->near);
  freeRows(&plan->far);
  free(plan->sendCounts);
  free(plan->sendRows);
  free(plan->recvCounts);
  free(plan);
}

/* The plan's own communicator is there. An error code that was raised on all ranks. */
static int make(ACIS_Spmv plan, Matrix *matrix) {
  Problem problem = {""};
  long long rows, *starts;
  int r, code;
  checkLocal(matrix, plan->type, &plan->options, &problem);
  if ((code = problemAgree("ACIS_Spmv_plan", &problem, plan->given)) != MPI_SUCCESS)
    return code;
  checkEqual(plan->bytes, &plan->options, plan->comm, &problem);
  if ((code = problemAgree("ACIS_Spmv_plan", &problem, plan->given)) != MPI_SUCCESS)
    return code;
  starts = matrix->starts = calloc((size_t)plan->ranks + 1, sizeof *matrix->starts);
  if (!starts)
    problemSay(&problem, "no memory");
  if ((code = problemAgree("ACIS_Spmv_plan", &problem, plan->given)) != MPI_SUCCESS)
    return code;
  rows = plan->rows;
  code = MPI_Allgather(&rows, 1, MPI_LONG_LONG, starts + 1, 1, MPI_LONG_LONG, plan->comm);
  if (code != MPI_SUCCESS)
    return code;
  for (r = 0; r < plan->ranks; r++)
    starts[r + 1] += starts[r];
  checkColumns(matrix, plan->ranks, &problem);
  if (!problem.text[0] && !findWanted(matrix, plan->rank))
    problemSay(&problem, "no memory");
  if ((code = problemAgree("ACIS_Spmv_plan", &problem, plan->given)) != MPI_SUCCESS)
    return code;
  code = exchangeWanted(plan, matrix);
  if (code == MPI_SUCCESS)
    code = chooseFetch(plan);
  if (code != MPI_SUCCESS || !cut(plan, matrix))
    problemSay(&problem, "no memory, or MPI failed");
  return problemAgree("ACIS_Spmv_plan", &problem, plan->given);
}

int ACIS_Spmv_plan(int rows, const int *row_begin, const long long *columns, const void *values,
                   MPI_Datatype type, const ACIS_Spmv_options *options, MPI_Comm comm,
                   ACIS_Spmv *plan) {
  const ACIS_Spmv_options defaults = {ACIS_ORDER_SPLIT, ACIS_FETCH_AUTO, DefaultBatch};
  Matrix matrix = {rows, row_begin, columns, values, NULL, NULL, 0};
  Problem problem = {""};
  ACIS_Spmv made;
  int code = kernelsCheckComm("ACIS_Spmv_plan", comm);
  if (plan)
    *plan = NULL;
  if (code != MPI_SUCCESS)
    return code;
  made = calloc(1, sizeof *made);
  if (!made || !plan)
    problemSay(&problem, made ? "the plan is a null pointer" : "no memory");
  if ((code = problemAgree("ACIS_Spmv_plan", &problem, comm)) != MPI_SUCCESS) {
    free(made);
    return code;
  }
  made->given = comm;
  made->rows = rows;
  made->type = type;
  made->bytes = kernelsBytes(type);
  made->options = options ? *options : defaults;
  if (!made->options.order)
    made->options.order = defaults.order;
  if (!made->options.batch_bytes)
    made->options.batch_bytes = defaults.batch_bytes;
  MPI_Comm_rank(comm, &made->rank);
  MPI_Comm_size(comm, &made->ranks);
  code = MPI_Comm_dup(comm, &made->comm);
  if (code != MPI_SUCCESS) {
    free(made);
    return code;
  }
  code = make(made, &matrix);
  free(matrix.starts);
  free(matrix.wanted);
  if (code != MPI_SUCCESS) {
    MPI_Comm_free(&made->comm);
    release(made);
    return code;
  }
  liveAdd(made);
  *plan = made;
  return MPI_SUCCESS;
}

int ACIS_Spmv_fetched(ACIS_Spmv plan, ACIS_Fetch *fetch, long long *elements, int *ranks) {
  int r;
  if (!liveHas(plan) || !fetch || !elements || !ranks)
    return kernelsFail(MPI_COMM_WORLD, "ACIS_Spmv_fetched: no plan, or a null pointer");
  *fetch = plan->options.fetch;
  *elements = plan->numFetched;
  for (*ranks = 0, r = 0; r < plan->ranks; r++)
    *ranks += plan->recvCounts[r] > 0;
  return MPI_SUCCESS;
}

int ACIS_Spmv_free(ACIS_Spmv *plan) {
  ACIS_Spmv freed = plan ? *plan : NULL;
  int code;
  if (!liveHas(freed))
    return kernelsFail(MPI_COMM_WORLD, "ACIS_Spmv_free: no plan, or one that was freed");
  if (freed->underWay)
    return kernelsFail(freed->given, "ACIS_Spmv_free: %d products are under way",
                       (int)freed->underWay);
  *plan = NULL;
  liveRemove(freed);
  code = MPI_Comm_free(&freed->comm);
  release(freed);
  return code;
}
