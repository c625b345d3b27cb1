/* What a rank of gcn-mpi does: written by acis.gcn_cluster, read here. docs/gcn.md says what the
 * parts are. */
#ifndef ACIS_GCN_PLAN_H
#define ACIS_GCN_PLAN_H

#include <stddef.h>
#include <stdint.h>

enum { FEATURES = 16 }; /* columns of a pass */

/* A 0/1 matrix by rows. */
typedef struct {
  const int64_t *indptr;  /* rows + 1 */
  const int32_t *indices; /* column of each non-zero */
} csr;

/* As the file begins. */
typedef struct {
  int64_t magic, bytes; /* of the file */
  int64_t nodes, ranks, rank, layers;
  int64_t features;               /* of a node */
  int64_t group_first, group_end; /* ranks whose rows this one gathers, itself among them */
  int64_t leaf, leaf_first;       /* the switch, and the rank that loads it */
  int64_t leaves, offloaded;      /* non-zeros of all ranks that are the switches' */
  int64_t packets, packet_words;  /* of a pass, each packet as long as the longest */
  int64_t image_rows;             /* of a pass, 16 floats each */
  int64_t diagonal, gathered;     /* non-zeros */
  int64_t answer_rows;            /* of a pass, in all packets */
} plan_head;

typedef struct {
  plan_head head;
  int64_t rows;               /* of this rank */
  const int64_t *offsets;     /* first row of each rank, and the number of nodes: ranks + 1 */
  const int64_t *widths;      /* columns of each layer */
  csr diagonal, gathered;     /* columns count from this rank's first row; from the group's first */
  const int64_t *answers;     /* of each packet where its answer's rows end in answer_rows */
  const int64_t *answer_rows; /* this rank's row of each; one may come several times */
  const int64_t *bases;       /* of each packet where its words' bases end in base_words */
  const int64_t *base_words;
  const int64_t
      *wanted; /* of each leaf where the rows that it wants of this rank end in wanted_rows */
  const int64_t *wanted_rows; /* this rank's rows; a leaf's rise */
  const int64_t *taken;       /* rows that this rank's leaf wants of each rank */
  const int64_t *image;       /* which of the taken rows each row of the image is, -1: none */
  const uint32_t *words;      /* packets x packet_words */
  const float *x;             /* rows x features */
  const float *weights;       /* of all layers, one after the other */
  void *content;
} plan;

/* Reads a file; NULL, or what is wrong. plan_free() gives it back. */
const char *plan_read(const char *path, plan *out);
void plan_free(plan *p);

#endif
