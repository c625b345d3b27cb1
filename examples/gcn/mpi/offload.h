/* What the switches do for a rank: its leaf has all dense rows in memory and sums those that
 * packets name. */
#ifndef ACIS_GCN_OFFLOAD_H
#define ACIS_GCN_OFFLOAD_H

#include "plan.h"

#include "runtime/host/client/acis_handler.h"

/* Passes of a layer whose dense rows are in a switch at the same time. */
int64_t passes_held(const plan *p, int64_t width, size_t binary_bytes);

/* Loads the handler with passes `first` to `end` - 1 of `dense` (nodes x width) in its memory; in
 * place of
 * `*handler`, if there is one. Gives an acis_result. */
int offload_load(acis_switch *device, const void *binary, size_t binary_bytes, const plan *p,
                 const float *dense, int64_t width, int64_t first, int64_t end,
                 acis_handler **handler, acis_failure *failure);

/* A rank's packets through its leaf. */
typedef struct {
  const plan *p;
  acis_handler *handler;
  int64_t width, first_pass, end_pass; /* of those in the switch */
  float *sums;                         /* rows x width; the passes' columns are written */
  double deadline;                     /* for an answer, in seconds; then it is asked for again, */
  int tries;                           /* so often without a new one */
  int code;                            /* an acis_result, with its failure */
  acis_failure failure;
  double seconds;
  int64_t sent, received, again; /* bytes, and packets that were sent again */
} offload;

/* Does it, in a thread or not: `work` is an offload. */
void *offload_stream(void *work);

#endif
