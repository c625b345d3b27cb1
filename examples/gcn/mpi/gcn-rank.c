/* The layers of a rank: its own product, its neighbours' rows and its leaf at the same time. */
#include "gcn-rank.h"

#include "product.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma weak acis_handler_attach
#pragma weak acis_handler_address
#pragma weak acis_handler_close
#pragma weak acis_handler_unload
#pragma weak acis_switch_close

enum { ADDRESS_BYTES = 128, TRIES = 20 };

void rank_fail(const rank_state *s, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "gcn-mpi: error: rank %d: ", s->rank);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  /* mpiexec ends the ranks at once, and may then not have taken what they said. */
  nanosleep(&(struct timespec){.tv_nsec = 200 * 1000 * 1000}, NULL);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

void *rank_alloc(const rank_state *s, size_t bytes) {
  void *memory = calloc(bytes + 1, 1);
  if (!memory)
    rank_fail(s, "no memory for %zu bytes", bytes);
  return memory;
}

void rank_blocks(const plan *p, int64_t first, int64_t end, int64_t width, int *counts, int *at) {
  for (int64_t rank = first; rank < end; rank++) {
    counts[rank - first] = (int)((p->offsets[rank + 1] - p->offsets[rank]) * width);
    at[rank - first] = (int)((p->offsets[rank] - p->offsets[first]) * width);
  }
}

static double processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* What a layer works on. */
typedef struct {
  int64_t width;
  float *own, *sums; /* X W of this rank; its rows of the result */
  float *gathered, *whole,
      *remote; /* X W of the group, what the leaf takes (where it is loaded); its sums */
  MPI_Request gather;
  offload work;
  pthread_t thread;
} layer;

static int *blocks_of(rank_state *s, int64_t first, int64_t end, int64_t width, int **at) {
  int *counts = rank_alloc(s, sizeof *counts * (size_t)(end - first));
  *at = rank_alloc(s, sizeof **at * (size_t)(end - first));
  rank_blocks(&s->plan, first, end, width, counts, *at);
  return counts;
}

/* The group's rows begin to come; counts and places are freed by the caller after the request is
 * over. */
static void start_gather(rank_state *s, layer *l, int **counts, int **at) {
  const plan_head *head = &s->plan.head;
  int64_t rows = s->plan.offsets[head->group_end] - s->plan.offsets[head->group_first];
  *counts = blocks_of(s, head->group_first, head->group_end, l->width, at);
  l->gathered = rank_alloc(s, sizeof(float) * (size_t)(rows * l->width));
  MPI_Iallgatherv(l->own, (int)(s->plan.rows * l->width), MPI_FLOAT, l->gathered, *counts, *at,
                  MPI_FLOAT, s->group, &l->gather);
}

/* The rows of X W that leaf `leaf` wants of this rank, one after the other; *count of them. */
static float *wanted_rows(rank_state *s, const layer *l, int64_t leaf, int *count) {
  const plan *p = &s->plan;
  int64_t first = leaf ? p->wanted[leaf - 1] : 0, rows = p->wanted[leaf] - first;
  float *packed = rank_alloc(s, sizeof *packed * (size_t)(rows * l->width));
  for (int64_t i = 0; i < rows; i++)
    memcpy(packed + i * l->width, l->own + p->wanted_rows[first + i] * l->width,
           sizeof *packed * (size_t)l->width);
  *count = (int)(rows * l->width);
  return packed;
}

/* What a leaf needs of X W on the rank that loads it; of all leaves at the same time. */
static void gather_for_leaves(rank_state *s, layer *l, rank_times *t) {
  const plan_head *head = &s->plan.head;
  int64_t per_leaf = head->ranks / head->leaves, rows = 0;
  int *counts = rank_alloc(s, sizeof *counts * (size_t)head->ranks);
  int *at = rank_alloc(s, sizeof *at * (size_t)head->ranks);
  MPI_Request *requests = rank_alloc(s, sizeof *requests * (size_t)head->leaves);
  float **packed = rank_alloc(s, sizeof *packed * (size_t)head->leaves);
  for (int64_t rank = 0; rank < head->ranks; rows += s->plan.taken[rank++]) {
    counts[rank] = (int)(s->plan.taken[rank] * l->width);
    at[rank] = (int)(rows * l->width);
  }
  int loads = s->rank == head->leaf_first;
  l->whole = loads ? rank_alloc(s, sizeof(float) * (size_t)(rows * l->width)) : NULL;
  for (int64_t leaf = 0; leaf < head->leaves; leaf++) {
    int count;
    packed[leaf] = wanted_rows(s, l, leaf, &count);
    MPI_Igatherv(packed[leaf], count, MPI_FLOAT, l->whole, counts, at, MPI_FLOAT,
                 (int)(leaf * per_leaf), MPI_COMM_WORLD, &requests[leaf]);
  }
  for (int64_t leaf = 0; leaf < head->leaves; leaf++) {
    MPI_Wait(&requests[leaf], MPI_STATUS_IGNORE);
    free(packed[leaf]);
  }
  if (loads)
    t->mpi_bytes += (double)sizeof(float) * (double)((rows - s->plan.taken[s->rank]) * l->width);
  free(packed);
  free(requests);
  free(counts);
  free(at);
}

/* What the leaf's first rank tells the others. */
typedef struct {
  char address[ADDRESS_BYTES];
  uint32_t version;
} leaf_news;

static void load(rank_state *s, layer *l, int64_t first, int64_t end, rank_times *t) {
  leaf_news news = {"", 0};
  acis_failure failure = {0};
  patience how = {s->deadline, TRIES, 0};
  long long leaf = s->plan.head.leaf;
  if (l->whole) {
    if (leaf_load(&s->filled, &s->plan, l->whole, l->width, first, end, &how, &failure) != ACIS_OK)
      rank_fail(s, "leaf %lld cannot be loaded: %s", leaf, failure.text);
    t->loaded += (double)((end - first) * s->plan.head.image_rows * FEATURES * 4);
    t->again += (double)how.again;
    snprintf(news.address, sizeof news.address, "%s", acis_handler_address(s->filled.handler));
    news.version = s->filled.version;
  }
  MPI_Bcast(&news, sizeof news, MPI_BYTE, 0, s->leaf);
  if (!l->whole && !s->handler &&
      acis_handler_attach(NULL, news.address, &s->handler, &failure) != ACIS_OK)
    rank_fail(s, "leaf %lld at %s: %s", leaf, news.address, failure.text);
  l->work.handler = l->whole ? s->filled.handler : s->handler;
  l->work.version = news.version;
}

static void start_offload(rank_state *s, layer *l, int64_t first, int64_t end) {
  l->work.first_pass = first;
  l->work.end_pass = end;
  if (s->threads && pthread_create(&l->thread, NULL, offload_stream, &l->work))
    rank_fail(s, "no thread for the switch");
}

static void end_offload(rank_state *s, layer *l) {
  if (s->threads)
    pthread_join(l->thread, NULL);
  else
    offload_stream(&l->work);
  if (l->work.code != ACIS_OK)
    rank_fail(s, "leaf %lld: %s", (long long)s->plan.head.leaf, l->work.failure.text);
}

static void own_products(rank_state *s, layer *l, rank_times *t) {
  const plan *p = &s->plan;
  double begun = MPI_Wtime();
  add_product(p->diagonal, l->own, l->sums, p->rows, l->width);
  t->local += MPI_Wtime() - begun;
  if (p->head.group_end - p->head.group_first < 2)
    return;
  begun = MPI_Wtime();
  MPI_Wait(&l->gather, MPI_STATUS_IGNORE);
  t->gather += MPI_Wtime() - begun;
  int64_t rows = p->offsets[p->head.group_end] - p->offsets[p->head.group_first];
  t->mpi_bytes += (double)(sizeof(float) * (size_t)((rows - p->rows) * l->width));
  begun = MPI_Wtime();
  add_product(p->gathered, l->gathered, l->sums, p->rows, l->width);
  t->local += MPI_Wtime() - begun;
}

/* The switch's passes, as many at a time as it holds; the rank's own products beside the first. */
static void with_switch(rank_state *s, layer *l, rank_times *t) {
  int64_t passes = (l->width + FEATURES - 1) / FEATURES, held = passes_held(&s->plan, l->width);
  if (held < 1)
    rank_fail(
        s,
        "a pass of %lld dense rows is more than leaf %lld takes; gather more, or take more leaves",
        (long long)s->plan.head.image_rows, (long long)s->plan.head.leaf);
  double begun = MPI_Wtime();
  gather_for_leaves(s, l, t);
  for (int64_t first = 0; first < passes; first += held) {
    int64_t end = first + held < passes ? first + held : passes;
    if (first) {
      MPI_Barrier(s->leaf);
      begun = MPI_Wtime();
    }
    load(s, l, first, end, t);
    t->load += MPI_Wtime() - begun;
    start_offload(s, l, first, end);
    if (!first)
      own_products(s, l, t);
    begun = MPI_Wtime();
    end_offload(s, l);
    t->wait += MPI_Wtime() - begun;
  }
  add(l->remote, l->sums, s->plan.rows * l->width);
  t->offload += l->work.seconds;
  t->sent += (double)l->work.sent;
  t->received += (double)l->work.received;
  t->again += (double)l->work.how.again;
}

static float *do_layer(rank_state *s, const float *x, int64_t features, const float *weights,
                       int64_t width, rank_times *t) {
  const plan *p = &s->plan;
  size_t bytes = sizeof(float) * (size_t)(p->rows * width);
  layer l = {.width = width,
             .own = rank_alloc(s, bytes),
             .sums = rank_alloc(s, bytes),
             .gather = MPI_REQUEST_NULL};
  int *counts = NULL, *at = NULL;
  double begun = MPI_Wtime();
  combine(x, weights, l.own, p->rows, features, width);
  t->combine = MPI_Wtime() - begun;
  if (p->head.group_end - p->head.group_first > 1)
    start_gather(s, &l, &counts, &at);
  if (p->head.offloaded) {
    l.remote = rank_alloc(s, bytes);
    l.work = (offload){.p = p, .width = width, .sums = l.remote, .how = {s->deadline, TRIES, 0}};
    with_switch(s, &l, t);
  } else {
    own_products(s, &l, t);
  }
  free(counts);
  free(at);
  free(l.own);
  free(l.gathered);
  free(l.whole);
  free(l.remote);
  return l.sums;
}

void rank_start(rank_state *s) {
  const plan_head *head = &s->plan.head;
  MPI_Comm_split(MPI_COMM_WORLD, (int)head->group_first, s->rank, &s->group);
  MPI_Comm_split(MPI_COMM_WORLD, (int)head->leaf, s->rank, &s->leaf);
  s->times = rank_alloc(s, sizeof *s->times * (size_t)head->layers);
}

float *rank_infer(rank_state *s) {
  const plan *p = &s->plan;
  const float *weights = p->weights;
  float *hidden = NULL;
  int64_t features = p->head.features;
  for (int64_t number = 0; number < p->head.layers; number++) {
    int64_t width = p->widths[number];
    rank_times *t = &s->times[number];
    *t = (rank_times){0};
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime(), processor = processor_time();
    float *sums = do_layer(s, hidden ? hidden : p->x, features, weights, width, t);
    if (number + 1 < p->head.layers)
      relu(sums, p->rows * width);
    t->total = MPI_Wtime() - begun;
    t->processor = processor_time() - processor;
    free(hidden);
    hidden = sums;
    weights += features * width;
    features = width;
  }
  return hidden;
}

void rank_end(rank_state *s) {
  acis_failure failure;
  MPI_Barrier(MPI_COMM_WORLD);
  if (s->filled.handler) {
    acis_handler_unload(s->filled.handler, &failure);
    acis_handler_close(s->filled.handler);
  }
  if (s->filled.device)
    acis_switch_close(s->filled.device);
  if (s->handler)
    acis_handler_close(s->handler);
  MPI_Comm_free(&s->group);
  MPI_Comm_free(&s->leaf);
  free(s->times);
  free(s->filled.binary);
  plan_free(&s->plan);
}
