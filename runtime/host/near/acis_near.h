/* Computing where the data is: memory nodes (docs/near-data.md), in C.
 *
 * The memory nodes are a communicator of their own. A block is memory on every one of them, of the
 * same size; a function runs on all of them at the same time, on what each has. All ranks of a job
 * share its blocks; handles go from one to the other with acis_near_handle and acis_near_attach.
 *
 *     acis_near *near = acis_near_open("10.0.0.1:9000,10.0.0.2:9000", 1, "", 0, 1, &error);
 *     void *numbers = MPI_Local_Alloc(n * sizeof(int));
 *     acis_near_scatter(near, local, numbers, n * sizeof(int));
 *     void *sums = MPI_Local_Reduce(sum, numbers, n);       on every node
 *     acis_near_reduce(near, sums, &total, 1, ACIS_INT32, ACIS_SUM);
 *
 * Functions that give a text give NULL, or what is wrong; it belongs to the communicator and is
 * valid until its next call, and acis_near_error says of which kind it was. After an error of one
 * node the others have what they had. A communicator may be used by one thread at a time. */
#ifndef ACIS_NEAR_H
#define ACIS_NEAR_H

#include "runtime/host/client/acis_client.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acis_near acis_near;
typedef struct acis_near_block acis_near_block;
typedef struct acis_near_function acis_near_function;
typedef uint64_t acis_near_request; /* 0: none, complete */

enum acis_near_class {
  ACIS_NEAR_OK,
  ACIS_NEAR_ARGUMENT, /* of this library: nothing was asked of a node */
  ACIS_NEAR_BLOCK,    /* freed, of another job or node, or out of bounds */
  ACIS_NEAR_FULL,     /* no room on a node */
  ACIS_NEAR_FUNCTION, /* refused: damaged, for another overlay, not loaded */
  ACIS_NEAR_TRAPPED,  /* stopped while it ran, or gave more or less than it should */
  ACIS_NEAR_NODE      /* a node is gone, was restarted, or does not answer */
};

/* `nodes`: addresses with commas between them. NULL after an error, with its text. */
acis_near *acis_near_open(const char *nodes, uint32_t job, const char *key, uint32_t rank,
                          uint32_t size, const char **error);
/* Blocks that were not freed go when the job ends, but for those of a region in a file. */
void acis_near_close(acis_near *near);
unsigned acis_near_nodes(const acis_near *near);
enum acis_near_class acis_near_error(const acis_near *near); /* of the last call */
/* Told of an error at the end of the call that it is of. What it gives is what MPI_Local_Dealloc
 * and MPI_Local_Map return in place of the class. It calls no function of the communicator. */
typedef int acis_near_handler(void *context, enum acis_near_class of, const char *text);
/* NULL for `near`: of MPI_Local_* calls in a thread that has no communicator. */
void acis_near_on_error(acis_near *near, acis_near_handler *handler, void *context);
/* Seconds that a call waits for a node; 60 at first. */
void acis_near_timeout(acis_near *near, double seconds);

const char *acis_near_alloc(acis_near *near, uint64_t bytes, acis_near_block **block);
const char *acis_near_free(acis_near *near, acis_near_block *block);
uint64_t acis_near_handle(const acis_near_block *block, unsigned node);
/* A block that another rank has allocated; `handles`: one for each node. */
const char *acis_near_attach(acis_near *near, const uint64_t *handles, uint64_t bytes,
                             acis_near_block **block);
/* Handles and bytes of the job's blocks on a node, at most `most`; `count` is how many there are.
 */
const char *acis_near_list(acis_near *near, unsigned node, uint64_t *handles, uint64_t *bytes,
                           size_t most, size_t *count);

/* One-sided access to one node: `rows` rows of `row` bytes, in the block `stride` bytes apart. */
const char *acis_near_put(acis_near *near, unsigned node, acis_near_block *block, uint64_t offset,
                          const void *data, uint64_t row, uint32_t rows, uint64_t stride);
const char *acis_near_get(acis_near *near, unsigned node, acis_near_block *block, uint64_t offset,
                          void *data, uint64_t row, uint32_t rows, uint64_t stride);

/* Handler `name` ("" if there is one) of a binary of acisc, on all nodes. Of each element of
 * `in_bytes` a map makes one of `out_bytes`, and a reduction one of all. */
const char *acis_near_load(acis_near *near, const void *elf, size_t bytes, const char *name,
                           uint32_t in_bytes, uint32_t out_bytes, acis_near_function **function);
/* `second` after `first` in one launch: its elements are what `first` gives. */
const char *acis_near_compose(acis_near *near, const acis_near_function *first,
                              const acis_near_function *second, acis_near_function **function);

/* Starts a function on all nodes, on `length` elements of `in`; `operand`: what its memory pointer
 * sees, or NULL. What it gives goes to the begin of `out`, which has to take `length` elements
 * (a map), or one (a reduction). Does not wait. */
const char *acis_near_map(acis_near *near, const acis_near_function *function, acis_near_block *in,
                          acis_near_block *operand, acis_near_block *out, uint64_t length,
                          acis_near_request *request);
const char *acis_near_local_reduce(acis_near *near, const acis_near_function *function,
                                   acis_near_block *in, acis_near_block *operand,
                                   acis_near_block *out, uint64_t length,
                                   acis_near_request *request);
/* By notification: waits until the nodes say that it is done. `cycles`: the most of a node, or
 * NULL. */
const char *acis_near_wait(acis_near *near, acis_near_request request, uint64_t *cycles);
const char *acis_near_test(acis_near *near, acis_near_request request, int *complete);

/* Collectives with this rank at the root; `bytes` of each node, from the begin of the block. */
const char *acis_near_bcast(acis_near *near, const void *data, acis_near_block *block,
                            uint64_t bytes);
const char *acis_near_scatter(acis_near *near, const void *data, acis_near_block *block,
                              uint64_t bytes);
const char *acis_near_gather(acis_near *near, acis_near_block *block, void *data, uint64_t bytes);
/* One node after the other, as the publication's prototype did: to compare. */
const char *acis_near_gather_in_turn(acis_near *near, acis_near_block *block, void *data,
                                     uint64_t bytes);
/* Every node's `bytes` one behind the other, in `to` on every node. */
const char *acis_near_allgather(acis_near *near, acis_near_block *block, acis_near_block *to,
                                uint64_t bytes);
/* The fold of the nodes' `count` elements, in the order of nodes: here; and at the begin of the
 * block on every node. SUM, PROD, MIN, MAX and bitwise operations; integers and floating-point
 * numbers. */
const char *acis_near_reduce(acis_near *near, acis_near_block *block, void *result, uint64_t count,
                             enum acis_type type, enum acis_op op);
const char *acis_near_allreduce(acis_near *near, acis_near_block *block, uint64_t count,
                                enum acis_type type, enum acis_op op);
/* Where all nodes have a switch that folds (acisd --fold-at), a reduction of several nodes is
 * folded there and one result comes here; in its order, in which floating-point sums may round
 * differently. Where that fails, and from then on, it is folded here. 0 for `wanted`: always here;
 * else: try it again. */
void acis_near_fold_in_switch(acis_near *near, int wanted);
int acis_near_folds_in_switch(const acis_near *near); /* whether the last reduction was */
/* Datagrams and their bytes, sent and received, since the communicator was opened. */
void acis_near_traffic(const acis_near *near, uint64_t *packets, uint64_t *bytes);
/* All that this rank has started has ended on all nodes. */
const char *acis_near_barrier(acis_near *near);

/* The interface of the publication (Heinz and Koch), on the communicator that was opened last and
 * not closed. NULL, or a class of error other than 0, after an error, whose text is
 * MPI_Local_Error(). MPI_Local_Reduce gives the result, an element on every node, as a block that
 * the caller frees. In an MPI program acis_near_mpi.h makes errors those of MPI. */
void *MPI_Local_Alloc(size_t bytes);
int MPI_Local_Dealloc(void *block);
int MPI_Local_Map(const acis_near_function *function, void *input, void *output, size_t length);
void *MPI_Local_Reduce(const acis_near_function *function, void *input, size_t length);
const char *MPI_Local_Error(void);

#ifdef __cplusplus
}
#endif

#endif
