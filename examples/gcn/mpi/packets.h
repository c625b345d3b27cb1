/* Packets through a handler of gcn_split, sent again where they are lost. Each may be: a sum leaves
 * nothing behind, and a store writes the same again. */
#ifndef ACIS_GCN_PACKETS_H
#define ACIS_GCN_PACKETS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/host/client/acis_handler.h"

/* How long an answer is waited for, in seconds, and how often without a new one. */
typedef struct {
  double deadline;
  int tries;
  int64_t again; /* counts */
} patience;

enum { PACKETS_MORE = 65536 }; /* bytes behind the last answer, for what is not expected */

/* Packets of `words` words each. Their third words become tags, with which answers begin. */
typedef struct {
  uint32_t *packets;
  size_t words;
  int64_t count;
  const int64_t *ends; /* the answer to packet i ends at byte ends[i] of `answers`, the beat with
                          the tag before it counted */
  uint32_t *answers;   /* and PACKETS_MORE bytes */
} exchange;

/* Sends them, and again what got no answer, or that of another packet. Gives an acis_result. By one
 * thread at a time. */
int packets_send(acis_handler *handler, const exchange *e, patience *how, acis_failure *failure);

/* Fills the handler's memory from its beginning, with the version that sums have to name; not 0. */
int packets_fill(acis_handler *handler, const float *image, int64_t floats, uint32_t version,
                 patience *how, acis_failure *failure);

#endif
