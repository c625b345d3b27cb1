/* The layers of a rank. */
#ifndef ACIS_GCN_RANK_H
#define ACIS_GCN_RANK_H

#include "offload.h"
#include "plan.h"

#include <mpi.h>

/* Of a layer: seconds, bytes, packets. All are doubles, for MPI_Gather. */
typedef struct {
  double total, combine, load,
      gather;                /* load: until the switch has X W; gather: waiting for the Allgather */
  double local, wait;        /* products here; waiting for the switch behind them */
  double offload, processor; /* streaming; processor time of the whole process */
  double mpi_bytes;          /* received by collectives */
  double sent, received, loaded, again;
} rank_times;

typedef struct {
  plan plan;
  int rank, threads;
  double deadline;
  MPI_Comm group, leaf;  /* whose rows are gathered; who shares a switch */
  leaf_switch filled;    /* of the leaf's first rank */
  acis_handler *handler; /* of others */
  rank_times *times;     /* of each layer of the last run */
} rank_state;

/* Says which rank, and ends all. */
_Noreturn void rank_fail(const rank_state *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void *rank_alloc(const rank_state *s, size_t bytes);
/* Rows of ranks `first` to `end` - 1 as counts and places of floats. */
void rank_blocks(const plan *p, int64_t first, int64_t end, int64_t width, int *counts, int *at);

void rank_start(rank_state *s);
/* All layers. The result, rows x the last width, is freed by the caller. */
float *rank_infer(rank_state *s);
void rank_end(rank_state *s);

#endif
