/* ACIS_Igemm: algorithm 1 of section 4.5.1. Panels of the ranks of a grid row and column go round
 * while those before them are multiplied (small-memory mode), and the products of parts of the
 * inner dimension go to the rank that adds them. */
#include "runtime/host/kernels/Check.h"
#include "runtime/host/kernels/Gemm.h"
#include "runtime/host/kernels/Product.h"
#include "runtime/host/kernels/Task.h"

#include <stdlib.h>
#include <string.h>

/* Products between two looks at messages: some hundreds of microseconds. */
enum { ProductsPerLook = 1 << 20 };

/* A panel of all ranks of the grid row, and one of all of the column, here or under way. */
typedef struct {
  char *ownA, *ownB, *rowsA, *columnsB;
  MPI_Request requests[2];
  int isUnderWay;
} Panel;

typedef struct {
  Task task;
  ACIS_Gemm plan;
  int number; /* of the plan's products */
  const char *a, *b;
  char *c, *block; /* the rank's part; what it computes: the same if Pk is 1 */
  long long lda, ldb, ldc, blockLd;
  Panel *panels; /* schedule.buffers of them, panel i in i % buffers */
  char *panelMemory;
  long long numPanels, nextPanel, panel; /* all; to be asked for; to be multiplied */
  int pair;                              /* of ranks, of that panel */
  char *received;                        /* parts of C of the ranks of comm_C */
  MPI_Request *messages;
  int numMessages, isSent;
} Multiply;

/* After an error of MPI messages may still write to the buffers: they stay. */
static void destroy(Task *task) {
  Multiply *multiply = (Multiply *)task;
  atomic_fetch_sub(&multiply->plan->underWay, 1);
  if (task->code != MPI_SUCCESS)
    return;
  if (multiply->block != multiply->c)
    free(multiply->block);
  free(multiply->panels);
  free(multiply->panelMemory);
  free(multiply->received);
  free(multiply->messages);
  free(multiply);
}

static long long widthOf(const ACIS_Gemm plan, long long panel) {
  const long long left = plan->inner - panel * plan->schedule.tk;
  return left < plan->schedule.tk ? left : plan->schedule.tk;
}

/* This rank's part of a panel, in rows without gaps: of B all columns that any rank has. */
static void pack(const Multiply *multiply, const Panel *panel, long long index) {
  const ACIS_Gemm plan = multiply->plan;
  const size_t bytes = (size_t)plan->bytes;
  const long long first = index * plan->schedule.tk, width = widthOf(plan, index);
  long long i;
  for (i = 0; i < plan->a.rows; i++)
    memcpy(panel->ownA + (size_t)(i * width) * bytes,
           multiply->a + (size_t)(i * multiply->lda + first) * bytes, (size_t)width * bytes);
  for (i = 0; i < width && plan->b.columns; i++)
    memcpy(panel->ownB + (size_t)(i * plan->panelColumns) * bytes,
           multiply->b + (size_t)((first + i) * multiply->ldb) * bytes,
           (size_t)plan->b.columns * bytes);
}

/* Begins the exchange of panels as far as there are buffers and it is this product's turn. */
static int ask(Multiply *multiply) {
  const ACIS_Gemm plan = multiply->plan;
  int code = MPI_SUCCESS;
  while (code == MPI_SUCCESS && plan->exchanged == multiply->number &&
         multiply->nextPanel < multiply->numPanels &&
         multiply->nextPanel < multiply->panel + plan->schedule.buffers) {
    Panel *panel = &multiply->panels[multiply->nextPanel % plan->schedule.buffers];
    const int width = (int)widthOf(plan, multiply->nextPanel);
    pack(multiply, panel, multiply->nextPanel);
    panel->isUnderWay = 1;
    code = MPI_Iallgather(panel->ownA, plan->panelRows * width, plan->type, panel->rowsA,
                          plan->panelRows * width, plan->type, plan->commA, &panel->requests[0]);
    if (code == MPI_SUCCESS)
      code =
          MPI_Iallgather(panel->ownB, plan->panelColumns * width, plan->type, panel->columnsB,
                         plan->panelColumns * width, plan->type, plan->commB, &panel->requests[1]);
    multiply->nextPanel++;
  }
  if (plan->exchanged == multiply->number && multiply->nextPanel == multiply->numPanels)
    plan->exchanged = multiply->number + 1;
  return code;
}

/* Lets messages advance; with `mayWait` until the panel that is to be multiplied is here. */
static int look(Multiply *multiply, int mayWait) {
  const ACIS_Gemm plan = multiply->plan;
  int i, isDone, code = MPI_SUCCESS;
  for (i = 0; i < plan->schedule.buffers && multiply->panels && code == MPI_SUCCESS; i++) {
    Panel *panel = &multiply->panels[i];
    if (!panel->isUnderWay)
      continue;
    isDone = 1;
    code = mayWait && i == multiply->panel % plan->schedule.buffers
               ? MPI_Waitall(2, panel->requests, MPI_STATUSES_IGNORE)
               : MPI_Testall(2, panel->requests, &isDone, MPI_STATUSES_IGNORE);
    panel->isUnderWay = !isDone;
  }
  if (code == MPI_SUCCESS && multiply->numMessages)
    code = MPI_Testall(multiply->numMessages, multiply->messages, &isDone, MPI_STATUSES_IGNORE);
  return code;
}

static char *at(const Multiply *multiply, char *base, long long ld, long long row,
                long long column) {
  return base + (size_t)(row * ld + column) * (size_t)multiply->plan->bytes;
}

/* The product of the parts of a panel that ranks `n` of the row and `m` of the column have. */
static void multiplyPair(Multiply *multiply, const Panel *panel, int n, int m) {
  const ACIS_Gemm plan = multiply->plan;
  const size_t bytes = (size_t)plan->bytes;
  const long long width = widthOf(plan, multiply->panel);
  const long long row = partBegin(plan->blockRows, plan->grid.pn, n);
  const long long column = partBegin(plan->blockColumns, plan->grid.pm, m);
  productAdd(plan->bytes, partSize(plan->blockRows, plan->grid.pn, n),
             partSize(plan->blockColumns, plan->grid.pm, m), width,
             panel->rowsA + (size_t)n * (size_t)(plan->panelRows * width) * bytes, width,
             panel->columnsB + (size_t)m * (size_t)(plan->panelColumns * width) * bytes,
             plan->panelColumns, at(multiply, multiply->block, multiply->blockLd, row, column),
             multiply->blockLd);
}

/* Rows of C that rank k of comm_C gets, from those that this rank computes. */
static int sendRows(Multiply *multiply, int k) {
  const ACIS_Gemm plan = multiply->plan;
  const long long first = partBegin(plan->blockRows, plan->grid.pk, k);
  const long long rows = partSize(plan->blockRows, plan->grid.pk, k);
  return MPI_Isend(at(multiply, multiply->block, multiply->blockLd, first, 0),
                   (int)(rows * plan->blockColumns), plan->type, k, multiply->number % 32768,
                   plan->commC, &multiply->messages[multiply->numMessages++]);
}

static int sendAll(Multiply *multiply) {
  const ACIS_Gemm plan = multiply->plan;
  int turn, code = MPI_SUCCESS;
  for (turn = 1; turn < plan->grid.pk && code == MPI_SUCCESS; turn++)
    code = sendRows(multiply, (plan->pk + turn) % plan->grid.pk);
  multiply->isSent = 1;
  return code;
}

/* C of this rank from the parts of the inner dimension, in their order. */
static void addParts(Multiply *multiply) {
  const ACIS_Gemm plan = multiply->plan;
  const size_t size = (size_t)(plan->c.rows * plan->c.columns) * (size_t)plan->bytes;
  const size_t rowBytes = (size_t)plan->c.columns * (size_t)plan->bytes;
  const long long own = partBegin(plan->blockRows, plan->grid.pk, plan->pk);
  long long i;
  int k;
  for (i = 0; i < plan->c.rows; i++) {
    char *row = at(multiply, multiply->c, multiply->ldc, i, 0);
    for (k = 0; k < plan->grid.pk; k++) {
      const char *part = k == plan->pk
                             ? at(multiply, multiply->block, multiply->blockLd, own + i, 0)
                             : multiply->received + (size_t)k * size + (size_t)i * rowBytes;
      if (k == 0)
        memcpy(row, part, rowBytes);
      else
        addTo(plan->bytes, plan->c.columns, row, part);
    }
  }
}

/* The next pair of the panel that is here; what this rank has of both is done since the call. */
static void computePair(Multiply *multiply) {
  const ACIS_Gemm plan = multiply->plan;
  const int pairs = plan->grid.pm * plan->grid.pn;
  const Panel *panel = &multiply->panels[multiply->panel % plan->schedule.buffers];
  if (multiply->pair < pairs) {
    const double begin = taskNow();
    multiplyPair(multiply, panel, (plan->pn + multiply->pair / plan->grid.pm) % plan->grid.pn,
                 (plan->pm + multiply->pair % plan->grid.pm) % plan->grid.pm);
    taskComputed(taskNow() - begin);
    multiply->pair++;
  }
  if (multiply->pair >= pairs) {
    multiply->panel++;
    multiply->pair = 1;
  }
}

/* Panels; nonzero when all are multiplied. */
static int stepPanels(Multiply *multiply, int mayWait) {
  const ACIS_Gemm plan = multiply->plan;
  int *code = &multiply->task.code;
  if (*code == MPI_SUCCESS)
    *code = ask(multiply);
  if (*code == MPI_SUCCESS)
    *code = look(multiply, mayWait && multiply->panel < multiply->nextPanel);
  if (*code != MPI_SUCCESS) {
    int turn = multiply->number; /* those behind it go on */
    atomic_compare_exchange_strong(&plan->exchanged, &turn, turn + 1);
    return 1;
  }
  if (multiply->panel < multiply->nextPanel &&
      !multiply->panels[multiply->panel % plan->schedule.buffers].isUnderWay)
    computePair(multiply);
  return multiply->panel == multiply->numPanels;
}

static int step(Task *task, int mayWait) {
  Multiply *multiply = (Multiply *)task;
  const ACIS_Gemm plan = multiply->plan;
  int isDone = 1;
  if (!stepPanels(multiply, mayWait))
    return 0;
  if (task->code == MPI_SUCCESS && !multiply->isSent)
    task->code = sendAll(multiply);
  if (task->code == MPI_SUCCESS && plan->grid.pk > 1)
    task->code =
        mayWait
            ? MPI_Waitall(multiply->numMessages, multiply->messages, MPI_STATUSES_IGNORE)
            : MPI_Testall(multiply->numMessages, multiply->messages, &isDone, MPI_STATUSES_IGNORE);
  if (task->code == MPI_SUCCESS && !isDone)
    return 0;
  if (task->code == MPI_SUCCESS && plan->grid.pk > 1)
    addParts(multiply);
  return 1;
}

/* Rows of the block from what this rank has of A and B, a piece at a time. */
static int computeRows(Multiply *multiply, long long row, long long column, long long first,
                       long long end) {
  const ACIS_Gemm plan = multiply->plan;
  const long long each = plan->b.columns * plan->inner;
  const long long rows = each < ProductsPerLook / 4 ? ProductsPerLook / (each ? each : 1) : 4;
  int code = MPI_SUCCESS;
  for (; first < end && code == MPI_SUCCESS; first += rows) {
    const double begin = taskNow();
    productAdd(plan->bytes, end - first < rows ? end - first : rows, plan->b.columns, plan->inner,
               at(multiply, (char *)multiply->a, multiply->lda, first, 0), multiply->lda,
               multiply->b, multiply->ldb,
               at(multiply, multiply->block, multiply->blockLd, row + first, column),
               multiply->blockLd);
    taskComputed(taskNow() - begin);
    code = look(multiply, 0);
    taskProgress();
  }
  return code;
}

/* What needs nothing of others: in large-memory mode all, first for the others, who wait for it; in
 * small-memory mode what this rank has of both matrices. */
static int computeOwn(Multiply *multiply) {
  const ACIS_Gemm plan = multiply->plan;
  int turn, code = MPI_SUCCESS;
  if (plan->mode == ACIS_GEMM_SM)
    return computeRows(multiply, partBegin(plan->blockRows, plan->grid.pn, plan->pn),
                       partBegin(plan->blockColumns, plan->grid.pm, plan->pm), 0, plan->a.rows);
  for (turn = 1; turn <= plan->grid.pk && code == MPI_SUCCESS; turn++) {
    const int k = (plan->pk + turn) % plan->grid.pk;
    const long long first = partBegin(plan->blockRows, plan->grid.pk, k);
    code = computeRows(multiply, 0, 0, first, first + partSize(plan->blockRows, plan->grid.pk, k));
    if (code == MPI_SUCCESS && k != plan->pk)
      code = sendRows(multiply, k);
  }
  multiply->isSent = 1;
  return code;
}

static int receiveParts(Multiply *multiply) {
  const ACIS_Gemm plan = multiply->plan;
  const long long size = plan->c.rows * plan->c.columns;
  int k, code = MPI_SUCCESS;
  for (k = 0; k < plan->grid.pk && code == MPI_SUCCESS; k++)
    if (k != plan->pk)
      code = MPI_Irecv(multiply->received + (size_t)k * (size_t)size * (size_t)plan->bytes,
                       (int)size, plan->type, k, multiply->number % 32768, plan->commC,
                       &multiply->messages[multiply->numMessages++]);
  return code;
}

/* 0: no memory. */
static int allocatePanels(Multiply *multiply) {
  const ACIS_Gemm plan = multiply->plan;
  const size_t each = (size_t)plan->schedule.tk * (size_t)plan->bytes;
  const size_t a = (size_t)plan->panelRows * each, b = (size_t)plan->panelColumns * each;
  const size_t all = a * (size_t)(1 + plan->grid.pn) + b * (size_t)(1 + plan->grid.pm);
  const size_t buffers = (size_t)plan->schedule.buffers;
  char *next;
  size_t i;
  multiply->panels = calloc(buffers, sizeof *multiply->panels);
  multiply->panelMemory = next = calloc(buffers, all + 1);
  if (!multiply->panels || !next)
    return 0;
  for (i = 0; i < buffers; i++, next += all) {
    Panel *panel = &multiply->panels[i];
    panel->requests[0] = panel->requests[1] = MPI_REQUEST_NULL;
    panel->ownA = next;
    panel->rowsA = panel->ownA + a;
    panel->ownB = panel->rowsA + a * (size_t)plan->grid.pn;
    panel->columnsB = panel->ownB + b;
  }
  return 1;
}

/* 0: no memory. */
static int allocate(Multiply *multiply) {
  const ACIS_Gemm plan = multiply->plan;
  const size_t bytes = (size_t)plan->bytes, pk = (size_t)plan->grid.pk;
  if (plan->mode == ACIS_GEMM_SM && plan->grid.pm * plan->grid.pn > 1) {
    multiply->numPanels = (plan->inner + plan->schedule.tk - 1) / plan->schedule.tk;
    if (!allocatePanels(multiply))
      return 0;
  }
  multiply->pair = 1; /* not this rank's own */
  if (pk == 1)
    return 1;
  multiply->blockLd = plan->blockColumns;
  multiply->block = calloc((size_t)(plan->blockRows * plan->blockColumns) + 1, bytes);
  multiply->received = malloc(pk * (size_t)(plan->c.rows * plan->c.columns) * bytes + 1);
  multiply->messages = malloc(2 * pk * sizeof *multiply->messages);
  return multiply->block && multiply->received && multiply->messages;
}

static int isWrong(const ACIS_Part *part, const void *base, long long ld) {
  return part->rows && part->columns && (!base || ld < part->columns);
}

static int check(ACIS_Gemm plan, const void *a, long long lda, const void *b, long long ldb,
                 const void *c, long long ldc, const MPI_Request *request) {
  if (!request)
    return kernelsFail(MPI_COMM_WORLD, "ACIS_Igemm: the request is a null pointer");
  if (!liveHas(plan))
    return kernelsFail(MPI_COMM_WORLD, "ACIS_Igemm: no plan, or one that was freed");
  if (isWrong(&plan->a, a, lda) || isWrong(&plan->b, b, ldb) || isWrong(&plan->c, c, ldc))
    return kernelsFail(plan->given,
                       "ACIS_Igemm: found A at %p, B at %p, C at %p with leading dimensions %lld, "
                       "%lld, %lld for parts of %lld, %lld, %lld columns",
                       a, b, c, lda, ldb, ldc, plan->a.columns, plan->b.columns, plan->c.columns);
  return MPI_SUCCESS;
}

int ACIS_Igemm(ACIS_Gemm plan, const void *a, long long lda, const void *b, long long ldb, void *c,
               long long ldc, MPI_Request *request) {
  Multiply *multiply;
  long long i;
  int code;
  if (request)
    *request = MPI_REQUEST_NULL;
  code = check(plan, a, lda, b, ldb, c, ldc, request);
  if (code != MPI_SUCCESS)
    return code;
  multiply = calloc(1, sizeof *multiply);
  if (!multiply)
    return kernelsFail(plan->given, "ACIS_Igemm: no memory");
  atomic_fetch_add(&plan->underWay, 1);
  multiply->task.step = step;
  multiply->task.destroy = destroy;
  multiply->plan = plan;
  multiply->a = a, multiply->lda = lda;
  multiply->b = b, multiply->ldb = ldb;
  multiply->c = multiply->block = c, multiply->ldc = multiply->blockLd = ldc;
  if (!allocate(multiply)) {
    destroy(&multiply->task);
    return kernelsFail(plan->given, "ACIS_Igemm: no memory");
  }
  multiply->number = plan->started++;
  for (i = 0; i < plan->blockRows && multiply->block == multiply->c; i++)
    memset(at(multiply, multiply->c, ldc, i, 0), 0,
           (size_t)plan->blockColumns * (size_t)plan->bytes);
  code = receiveParts(multiply);
  if (code == MPI_SUCCESS)
    code = ask(multiply);
  if (code == MPI_SUCCESS)
    code = computeOwn(multiply);
  multiply->task.code = code;
  return taskStart(&multiply->task, request);
}
