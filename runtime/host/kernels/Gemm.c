/* ACIS_Gemm_plan: the grid checked, and who has what. */
#include "runtime/host/kernels/Gemm.h"

#include "runtime/host/kernels/Check.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DefaultPanel = 64, DefaultBuffers = 2 };

ACIS_Grid ACIS_Gemm_grid(int ranks, long long m, long long n, long long k, size_t element_bytes,
                         double memory_bytes) {
  ACIS_Grid grid = {1, 1, 1};
  const double bytes = (double)element_bytes;
  int factor = 2;
  while (ranks > 1) {
    if (ranks % factor) {
      factor = (long long)factor * factor > ranks ? ranks : factor + 1;
      continue;
    }
    ranks /= factor;
    if (((double)m * (double)k / grid.pm + (double)k * (double)n / grid.pn) * bytes <= memory_bytes)
      grid.pk *= factor;
    else if (grid.pm <= grid.pn)
      grid.pm *= factor;
    else
      grid.pn *= factor;
  }
  return grid;
}

int ACIS_Gemm_comms(const ACIS_Grid *grid, MPI_Comm comm, MPI_Comm *comm_A, MPI_Comm *comm_B,
                    MPI_Comm *comm_C) {
  Problem problem = {""};
  int rank, ranks, m, n, k, code = kernelsCheckComm("ACIS_Gemm_comms", comm);
  if (code != MPI_SUCCESS)
    return code;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (!grid || !comm_A || !comm_B || !comm_C)
    problemSay(&problem, "found a null pointer");
  else if (grid->pm < 1 || grid->pn < 1 || grid->pk < 1 ||
           (double)grid->pm * grid->pn * grid->pk != ranks)
    problemSay(&problem, "found a grid of %d x %d x %d for %d ranks", grid->pm, grid->pn, grid->pk,
               ranks);
  code = problemAgree("ACIS_Gemm_comms", &problem, comm);
  if (code != MPI_SUCCESS)
    return code;
  n = rank % grid->pn;
  m = rank / grid->pn % grid->pm;
  k = rank / grid->pn / grid->pm;
  code = MPI_Comm_split(comm, k * grid->pm + m, rank, comm_A);
  if (code == MPI_SUCCESS)
    code = MPI_Comm_split(comm, k * grid->pn + n, rank, comm_B);
  if (code == MPI_SUCCESS)
    code = MPI_Comm_split(comm, m * grid->pn + n, rank, comm_C);
  return code;
}

/* What of the arguments this rank can see alone. */
static void checkLocal(ACIS_Gemm plan, Problem *problem) {
  const long long panel = (long long)plan->schedule.tk;
  if (!plan->bytes)
    problemSay(problem, "found another type, allowed are MPI_FLOAT and MPI_DOUBLE");
  if (plan->m < 0 || plan->n < 0 || plan->k < 0)
    problemSay(problem, "found m %lld, n %lld, k %lld", plan->m, plan->n, plan->k);
  if (plan->mode != ACIS_GEMM_LM && plan->mode != ACIS_GEMM_SM)
    problemSay(problem, "found mode %d, allowed are ACIS_GEMM_LM and ACIS_GEMM_SM",
               (int)plan->mode);
  if (plan->schedule.tk < 1 || plan->schedule.buffers < 1)
    problemSay(problem, "found panels of %d and %d buffers, allowed is from 1 on",
               plan->schedule.tk, plan->schedule.buffers);
  if (problem->text[0])
    return;
  if ((plan->m / plan->grid.pm / plan->grid.pn + 1) * panel > INT_MAX / 8 ||
      (plan->n / plan->grid.pm / plan->grid.pn + 1) * panel > INT_MAX / 8 ||
      (plan->m / plan->grid.pm / plan->grid.pk + 1) * (plan->n / plan->grid.pn + 1) > INT_MAX)
    problemSay(problem,
               "parts of %lld x %lld on %d x %d x %d ranks, panels of %lld: messages of "
               "more than 2^31 - 1 elements; more ranks or narrower panels are needed",
               plan->m, plan->n, plan->grid.pm, plan->grid.pn, plan->grid.pk, panel);
}

enum { NumPlaces = 6, NumFacts = 13 };

/* What rank 0 of one communicator says, and what this rank says: all is equal but one coordinate.
 */
static void compare(const char *name, const ACIS_Gemm plan, int coordinate, const long long *mine,
                    const long long *first, Problem *problem) {
  int i;
  for (i = 0; i < NumFacts; i++)
    if (i != coordinate && first[i] != mine[i]) {
      if (i < NumPlaces)
        problemSay(problem,
                   "communicators are none of a grid: (%d, %d, %d) of %d x %d x %d is in %s of "
                   "(%lld, %lld, %lld) of %lld x %lld x %lld",
                   plan->pm, plan->pn, plan->pk, plan->grid.pm, plan->grid.pn, plan->grid.pk, name,
                   first[0], first[1], first[2], first[3], first[4], first[5]);
      else
        problemSay(problem, "sizes, type, mode or schedule differ between ranks of %s", name);
    }
}

/* Who takes one communicator for another would wait for ever in blocking collectives, whose order
 * is that of the communicators: so these are all begun before one is waited for. */
static void checkGrid(const ACIS_Gemm plan, const MPI_Comm comms[3], Problem *problem) {
  static const char *const names[3] = {"comm_A", "comm_B", "comm_C"};
  static const int coordinates[3] = {1, 0, 2};
  const long long mine[NumFacts] = {plan->pm,
                                    plan->pn,
                                    plan->pk,
                                    plan->grid.pm,
                                    plan->grid.pn,
                                    plan->grid.pk,
                                    plan->m,
                                    plan->n,
                                    plan->k,
                                    plan->bytes,
                                    plan->mode,
                                    plan->schedule.tk,
                                    plan->schedule.buffers};
  long long first[3][NumFacts];
  MPI_Request requests[3];
  int i;
  for (i = 0; i < 3; i++) {
    memcpy(first[i], mine, sizeof mine);
    MPI_Ibcast(first[i], NumFacts, MPI_LONG_LONG, 0, comms[i], &requests[i]);
  }
  if (MPI_Waitall(3, requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
    problemSay(problem, "MPI_Ibcast failed");
  for (i = 0; i < 3; i++)
    compare(names[i], plan, coordinates[i], mine, first[i], problem);
}

/* The first problem of each communicator to its ranks. */
static void spread(const MPI_Comm comms[3], Problem *problem) {
  MPI_Request requests[3];
  Problem texts[3];
  int mine[3], first[3], ranks, i;
  for (i = 0; i < 3; i++) {
    MPI_Comm_rank(comms[i], &mine[i]);
    MPI_Comm_size(comms[i], &ranks);
    mine[i] = problem->text[0] ? mine[i] : ranks;
    first[i] = ranks;
    MPI_Iallreduce(&mine[i], &first[i], 1, MPI_INT, MPI_MIN, comms[i], &requests[i]);
  }
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  for (i = 0; i < 3; i++) {
    MPI_Comm_size(comms[i], &ranks);
    texts[i] = *problem;
    requests[i] = MPI_REQUEST_NULL;
    if (first[i] < ranks)
      MPI_Ibcast(texts[i].text, sizeof texts[i].text, MPI_CHAR, first[i], comms[i], &requests[i]);
  }
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  for (i = 0; i < 3; i++) {
    texts[i].text[sizeof texts[i].text - 1] = 0;
    problemSay(problem, "%s", texts[i].text);
  }
}

/* On all ranks of the grid: any two are at most three communicators apart. */
static int agree(const MPI_Comm comms[3], Problem *problem) {
  int turn;
  for (turn = 0; turn < 3; turn++)
    spread(comms, problem);
  return problem->text[0] ? kernelsFail(comms[0], "ACIS_Gemm_plan: %s", problem->text)
                          : MPI_SUCCESS;
}

static void findParts(ACIS_Gemm plan) {
  const ACIS_Grid g = plan->grid;
  const long long row = partBegin(plan->m, g.pm, plan->pm);
  const long long rows = partSize(plan->m, g.pm, plan->pm);
  const long long column = partBegin(plan->n, g.pn, plan->pn);
  const long long columns = partSize(plan->n, g.pn, plan->pn);
  const long long first = partBegin(plan->k, g.pk, plan->pk);
  const int isSmall = plan->mode == ACIS_GEMM_SM;
  plan->blockRows = rows;
  plan->blockColumns = columns;
  plan->inner = partSize(plan->k, g.pk, plan->pk);
  plan->a = (ACIS_Part){row, first, rows, plan->inner};
  plan->b = (ACIS_Part){first, column, plan->inner, columns};
  plan->c = (ACIS_Part){row + partBegin(rows, g.pk, plan->pk), column,
                        partSize(rows, g.pk, plan->pk), columns};
  if (isSmall) {
    plan->a.row += partBegin(rows, g.pn, plan->pn);
    plan->a.rows = partSize(rows, g.pn, plan->pn);
    plan->b.column += partBegin(columns, g.pm, plan->pm);
    plan->b.columns = partSize(columns, g.pm, plan->pm);
  }
  plan->panelRows = (int)partSize(rows, g.pn, 0);
  plan->panelColumns = (int)partSize(columns, g.pm, 0);
}

static void release(ACIS_Gemm plan) {
  MPI_Comm *comms[3] = {&plan->commA, &plan->commB, &plan->commC};
  int i;
  for (i = 0; i < 3; i++)
    if (*comms[i] != MPI_COMM_NULL)
      MPI_Comm_free(comms[i]);
  free(plan);
}

static int duplicate(ACIS_Gemm plan, const MPI_Comm given[3]) {
  MPI_Comm *comms[3] = {&plan->commA, &plan->commB, &plan->commC};
  int i, code = MPI_SUCCESS;
  for (i = 0; i < 3 && code == MPI_SUCCESS; i++)
    code = MPI_Comm_dup(given[i], comms[i]);
  return code;
}

int ACIS_Gemm_plan(long long m, long long n, long long k, MPI_Datatype type, ACIS_Gemm_mode mode,
                   const ACIS_Gemm_schedule *schedule, MPI_Comm comm_A, MPI_Comm comm_B,
                   MPI_Comm comm_C, ACIS_Gemm *plan) {
  const MPI_Comm given[3] = {comm_A, comm_B, comm_C};
  Problem problem = {""};
  ACIS_Gemm made;
  int i, code = MPI_SUCCESS;
  if (plan)
    *plan = NULL;
  for (i = 0; i < 3 && code == MPI_SUCCESS; i++)
    code = kernelsCheckComm("ACIS_Gemm_plan", given[i]);
  if (code != MPI_SUCCESS)
    return code;
  made = calloc(1, sizeof *made);
  if (!made)
    return kernelsFail(comm_A, "ACIS_Gemm_plan: no memory");
  made->given = comm_A;
  made->commA = made->commB = made->commC = MPI_COMM_NULL;
  made->m = m, made->n = n, made->k = k;
  made->type = type, made->bytes = kernelsBytes(type), made->mode = mode;
  made->schedule.tk = schedule && schedule->tk ? schedule->tk : DefaultPanel;
  made->schedule.buffers = schedule && schedule->buffers ? schedule->buffers : DefaultBuffers;
  MPI_Comm_size(comm_A, &made->grid.pn);
  MPI_Comm_rank(comm_A, &made->pn);
  MPI_Comm_size(comm_B, &made->grid.pm);
  MPI_Comm_rank(comm_B, &made->pm);
  MPI_Comm_size(comm_C, &made->grid.pk);
  MPI_Comm_rank(comm_C, &made->pk);
  if (!plan)
    problemSay(&problem, "the plan is a null pointer");
  checkLocal(made, &problem);
  checkGrid(made, given, &problem);
  code = agree(given, &problem);
  if (code == MPI_SUCCESS)
    code = duplicate(made, given);
  if (code != MPI_SUCCESS) {
    release(made);
    return code;
  }
  findParts(made);
  liveAdd(made);
  *plan = made;
  return MPI_SUCCESS;
}

int ACIS_Gemm_parts(ACIS_Gemm plan, ACIS_Part *a, ACIS_Part *b, ACIS_Part *c) {
  if (!liveHas(plan) || !a || !b || !c)
    return kernelsFail(MPI_COMM_WORLD, "ACIS_Gemm_parts: no plan, or a null pointer");
  *a = plan->a;
  *b = plan->b;
  *c = plan->c;
  return MPI_SUCCESS;
}

int ACIS_Gemm_free(ACIS_Gemm *plan) {
  ACIS_Gemm freed = plan ? *plan : NULL;
  if (!liveHas(freed))
    return kernelsFail(MPI_COMM_WORLD, "ACIS_Gemm_free: no plan, or one that was freed");
  if (freed->underWay)
    return kernelsFail(freed->given, "ACIS_Gemm_free: %d products are under way",
                       (int)freed->underWay);
  *plan = NULL;
  liveRemove(freed);
  release(freed);
  return MPI_SUCCESS;
}
