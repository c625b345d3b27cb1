/* acis_kernels.h: distributed kernels as MPI programs call them (dissertation, sections 4.5.1,
 * 5.2 and 5.5.3; docs/kernels-distributed.md).
 *
 *   ACIS_Idot     scalar product of two vectors whose elements are spread over ranks
 *   ACIS_Ispmv    sparse matrix, in rows, times a vector
 *   ACIS_Igemm    dense matrix times matrix on a grid of ranks (MPI_Gemm of section 4.5.1)
 *
 * Each is a collective operation: all ranks of its communicator call it, in the same order as their
 * other collectives there. It returns a request that MPI_Wait, MPI_Test, MPI_Waitall and all calls
 * like these take. A call never waits for another rank. What needs nothing of others it computes
 * at once, while its messages are under way; the rest is computed inside of the calls that complete
 * requests (with Open MPI, inside of any call of MPI that waits or tests), whichever request they
 * are for. With an MPI that does not say when it waits (SMPI), ACIS_Ispmv, ACIS_Igemm and exact
 * sums are complete when the call returns, and the request is MPI_REQUEST_NULL. Until its request
 * is complete, what a call was given belongs to the library: arrays that are read may be read but
 * not changed, arrays that are written not touched. MPI_Cancel and MPI_Request_free are not for
 * these requests.
 *
 * Results have the same bits whichever MPI or switch serves a call, from run to run, unless it is
 * said otherwise: each function documents the order of its sums. Products are rounded before they
 * are added: there is no fused multiply-add. No other rounding mode than to nearest.
 *
 * With libacis-mpi in the process (acis-mpirun) the collectives of these calls are the switch's, as
 * far as it takes them: the sum of ACIS_Idot, the exchange of ACIS_Ispmv with
 * ACIS_FETCH_COLLECTIVE, the panels of ACIS_Igemm in small-memory mode. Without, all is done by the
 * MPI underneath.
 *
 * Types are MPI_FLOAT and MPI_DOUBLE. Matrices are in rows (element [i][j] at i * ld + j).
 *
 * Errors: a call returns MPI_SUCCESS or an error code, after the error handler of its communicator
 * was called with that code (of MPI_COMM_WORLD if the communicator is none). What the library finds
 * wrong itself is of a class that it adds to MPI's, with a text of its own (MPI_Error_string); the
 * others are MPI's. No request is made then; it is MPI_REQUEST_NULL. Errors under way are returned
 * by the call that completes the request. Plans are checked on all ranks together: if one rank's
 * arguments are wrong, all ranks get an error. Where a single rank gives ACIS_Idot, _Ispmv or
 * _Igemm what it may not, that rank gets the error and the others wait for it, as in any
 * collective.
 *
 * Threads may make calls at the same time as far as they may call MPI; calls with one plan are
 * in order on all ranks and not at the same time. */
#ifndef ACIS_KERNELS_H
#define ACIS_KERNELS_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scalar product ---- */

/* How the partial sums of the ranks are added. A rank's own is ((x0 y0) + x1 y1) + x2 y2 and so on,
 * from 0, each operation rounded to `type`. */
typedef enum {
  /* The sum of the partial sums as if in exact arithmetic, rounded once to `type`: it does not
   * depend on order, number of messages or who adds. As integers, 568 bytes for each rank, which
   * switches add too. A sum that is zero is +0. */
  ACIS_SUM_EXACT = 1,
  /* MPI_Allreduce of one element with MPI_SUM, in the order that whoever serves it chooses, so its
   * bits may differ: matches this very call on other ranks. A switch rounds each sum to `type` and
   * adds in rank order, several in the order of their tree. */
  ACIS_SUM_MPI
} ACIS_Sum;

/* The sum of x[i] * y[i] over all ranks, into `result` (one element) on all ranks. `n` elements on
 * this rank, maybe none; ranks may differ in it. x and y may be one array, and null for n = 0. */
int ACIS_Idot(const void *x, const void *y, long long n, MPI_Datatype type, void *result,
              ACIS_Sum sum, MPI_Comm comm, MPI_Request *request);

/* ---- sparse matrix times vector ---- */

/* The order in which a row's products are added, from 0. */
typedef enum {
  /* First those with elements of x that are on this rank, by column, then the others, by column:
   * the first part is computed while the others are fetched (section 5.5.3: computation and
   * communication engines). Depends on how rows are spread. */
  ACIS_ORDER_SPLIT = 1,
  /* By column, as a loop over the whole row adds them: the same bits for any number of ranks. Only
   * rows without a column of another rank are computed while elements are fetched. */
  ACIS_ORDER_ROW
} ACIS_Order;

/* How elements of x come from their ranks. The result has the same bits. */
typedef enum {
  ACIS_FETCH_AUTO = 0, /* COLLECTIVE if libacis-mpi is in all processes, blocks are short (64 KB of
                          a rank) and at least half full, else MESSAGES */
  ACIS_FETCH_MESSAGES, /* a message to each rank that needs elements, or several: see batch_bytes */
  ACIS_FETCH_COLLECTIVE /* MPI_Ialltoall with equal blocks, which a switch collects and serves */
} ACIS_Fetch;

typedef struct {
  ACIS_Order order; /* 0: ACIS_ORDER_SPLIT */
  ACIS_Fetch fetch;
  size_t batch_bytes; /* elements leave in messages of so many bytes, while later ones are gathered
                         (threshold of the overlap tuner, section 5.5.3); 0: 65,536 */
} ACIS_Spmv_options;

/* A matrix made ready: whose elements are needed where. */
typedef struct ACIS_Spmv_ *ACIS_Spmv;

/* Collective, and waits for the other ranks. The matrix is square; its rows are spread over the
 * ranks in rank order, `rows` of them here (maybe 0), and so are the elements of x and y. Row i of
 * this rank has entries row_begin[i] to row_begin[i + 1] - 1 (row_begin[0] is 0), with columns of
 * the whole matrix, rising within a row, and values of `type`. All arrays are copied. `options` may
 * be null and is equal on all ranks, as `type` is. Duplicates `comm`. */
int ACIS_Spmv_plan(int rows, const int *row_begin, const long long *columns, const void *values,
                   MPI_Datatype type, const ACIS_Spmv_options *options, MPI_Comm comm,
                   ACIS_Spmv *plan);

/* y = A x: `rows` elements of both on this rank, not overlapping. `comm` is the one of the plan.
 * Several products of a plan may be under way. */
int ACIS_Ispmv(ACIS_Spmv plan, const void *x, void *y, MPI_Comm comm, MPI_Request *request);

/* Which fetch was chosen, and what this rank gets in one product. */
int ACIS_Spmv_fetched(ACIS_Spmv plan, ACIS_Fetch *fetch, long long *elements, int *ranks);

/* Collective. Nothing of the plan may be under way. Sets the plan to null. */
int ACIS_Spmv_free(ACIS_Spmv *plan);

/* ---- dense matrix times matrix ---- */

/* The ranks as Pm x Pn x Pk (section 4.5.1): C's rows in Pm parts, its columns in Pn, and the inner
 * dimension in Pk. */
typedef struct {
  int pm, pn, pk;
} ACIS_Grid;

/* The grid by the rule of section 4.6.1: m and n are halved in turn until a rank's part of A and B
 * (m k / Pm + k n / Pn elements of `element_bytes`, the copies of large-memory mode) takes at most
 * `memory_bytes`, then k. Other numbers of ranks by their prime factors, rising. */
ACIS_Grid ACIS_Gemm_grid(int ranks, long long m, long long n, long long k, size_t element_bytes,
                         double memory_bytes);

/* The operand communicators of a grid: rank (k Pm + m) Pn + n of `comm` is at (m, n, k).
 * Collective. comm_A has the ranks that differ in n only, comm_B in m, comm_C in k, each in this
 * order. To be freed by the caller, plans do not need them. */
int ACIS_Gemm_comms(const ACIS_Grid *grid, MPI_Comm comm, MPI_Comm *comm_A, MPI_Comm *comm_B,
                    MPI_Comm *comm_C);

typedef enum {
  /* Large memory: each rank has copies of A of its grid row and of B of its grid column. Only
   * products are sent, for the sum over k. */
  ACIS_GEMM_LM = 1,
  /* Small memory: each rank has its own part of both. Panels of A go along comm_A and panels of B
   * along comm_B while panels before them are multiplied (algorithm 1). */
  ACIS_GEMM_SM
} ACIS_Gemm_mode;

/* When panels are exchanged (sch_A and sch_B of MPI_Gemm), in small-memory mode. */
typedef struct {
  int tk; /* columns of A and rows of B in a panel; 0: 64 (section 4.6.1). `acis-model gemm` finds
             one for a network */
  int buffers; /* panels that are here or under way; 0: 2 (double buffering) */
} ACIS_Gemm_schedule;

/* This rank's part of a matrix: element [0][0] is [row][column] of the whole one. */
typedef struct {
  long long row, column, rows, columns;
} ACIS_Part;

typedef struct ACIS_Gemm_ *ACIS_Gemm;

/* Collective over the three communicators, and waits for their ranks. A is m x k, B k x n, C m x n.
 * A dimension of d elements in p parts: the first d % p parts have one more. C is a matrix of
 * Pm x Pn blocks. Rank (m, n, k) has
 *
 *        large memory                        small memory
 *   A    rows of block row m, part k         part n of these rows
 *   B    columns of block column n, part k   part m of these columns
 *   C    block (m, n): part k of its rows    the same
 *
 * where "part k" of A and B is that of the inner dimension. `schedule` may be null. Duplicates the
 * communicators. */
int ACIS_Gemm_plan(long long m, long long n, long long k, MPI_Datatype type, ACIS_Gemm_mode mode,
                   const ACIS_Gemm_schedule *schedule, MPI_Comm comm_A, MPI_Comm comm_B,
                   MPI_Comm comm_C, ACIS_Gemm *plan);

int ACIS_Gemm_parts(ACIS_Gemm plan, ACIS_Part *a, ACIS_Part *b, ACIS_Part *c);

/* C = A B. Leading dimensions are in elements and at least the columns of the part. A part without
 * elements may be null. C shares no memory with A and B.
 *
 * Order of sums: an element of C is s0 + s1 + ... in this order over the parts of the inner
 * dimension; each of these adds its products by rising index, from 0. It depends on Pk and on no
 * other part of the grid, mode or schedule; with Pk = 1 it is that of three loops.
 *
 * Progress: in large-memory mode the call computes the products; nothing later depends on what
 * other ranks do between their calls of MPI. In small-memory mode a rank computes, and asks for the
 * next panels, in calls that complete requests; others wait for it. With MPICH a rank must
 * therefore not block in another call (MPI_Recv, MPI_Barrier) for what a rank does after its
 * product is complete, unless Pk is 1 and k at most `buffers` panels. */
int ACIS_Igemm(ACIS_Gemm plan, const void *a, long long lda, const void *b, long long ldb, void *c,
               long long ldc, MPI_Request *request);

/* Collective over the plan's communicators. Nothing of it may be under way. Sets it to null. */
int ACIS_Gemm_free(ACIS_Gemm *plan);

/* Seconds of computing in Ispmv and Igemm in this process since it began. What a product takes
 * beyond it is communication that is not hidden. */
double ACIS_Kernel_computing(void);

#ifdef __cplusplus
}
#endif

#endif /* ACIS_KERNELS_H */
