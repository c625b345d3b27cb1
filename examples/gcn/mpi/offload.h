/* What the switches do for a rank: its leaf has dense rows in memory and sums those that packets
 * name. */
#ifndef ACIS_GCN_OFFLOAD_H
#define ACIS_GCN_OFFLOAD_H

#include "packets.h"
#include "plan.h"

/* Passes of a layer whose dense rows are in a switch at the same time. */
int64_t passes_held(const plan *p, int64_t width);

/* A switch that this rank fills. */
typedef struct {
  acis_switch *device;
  void *binary; /* of the handler */
  size_t binary_bytes;
  acis_handler *handler; /* NULL until the first load */
  int64_t room;          /* bytes of its memory */
  uint32_t version;      /* of what is in it */
} leaf_switch;

/* Fills the switch with passes `first` to `end` - 1 of `dense` (the rows that the leaf takes x
 * width). The handler is loaded first where it is not there, or its memory is too small. Gives an
 * acis_result. */
int leaf_load(leaf_switch *leaf, const plan *p, const float *dense, int64_t width, int64_t first,
              int64_t end, patience *how, acis_failure *failure);

/* A rank's packets through its leaf. */
typedef struct {
  const plan *p;
  acis_handler *handler;
  uint32_t version;
  int64_t width, first_pass, end_pass; /* of those in the switch */
  float *sums;                         /* rows x width; the passes' columns are added to */
  patience how;
  int code; /* an acis_result, with its failure */
  acis_failure failure;
  double seconds;
  int64_t sent, received; /* bytes */
} offload;

/* Does it, in a thread or not: `work` is an offload. */
void *offload_stream(void *work);

#endif
