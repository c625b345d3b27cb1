/* A graph convolutional network's inference by MPI ranks and the switches above them (000 4.2.1).
 *
 * usage: gcn-mpi PLANS [--out FILE] [--repeat N] [--threads]
 *                [--switches CONTROL,CONTROL.. --handler FILE [--deadline SECONDS]]
 *
 * PLANS/part.N is what rank N does. Each layer: the rank's X W; then at the same time the diagonal
 * block, neighbours' rows by Allgather and the columns in them, and the rest by the leaf switch,
 * whose memory the leaf's first rank fills with X W of all. With everything gathered it is the
 * usual Allgather and local product. Rank 0 writes the result, rows of floats, and prints a line of
 * JSON for each rank and layer.
 * --threads: a thread streams to the switch; else that follows the rank's own work. */
#include "gcn-rank.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma weak acis_switch_open

static const char *const Usage =
    "usage: gcn-mpi PLANS [--out FILE] [--repeat N] [--threads]\n"
    "               [--switches CONTROL,CONTROL.. --handler FILE [--deadline SECONDS]]\n";

/* The I-th of a list with commas, in `text`. */
static int item(const char *list, int64_t index, char *text, size_t size) {
  for (; index > 0 && list; index--)
    list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL;
  snprintf(text, size, "%.*s", list ? (int)strcspn(list, ",") : 0, list ? list : "");
  return *text != 0;
}

static void read_handler(rank_state *s, const char *path) {
  FILE *file = path ? fopen(path, "rb") : NULL;
  if (!file || fseek(file, 0, SEEK_END) || !(s->filled.binary_bytes = (size_t)ftell(file)))
    rank_fail(s, "%s: cannot be read; --handler names what acisc has made",
              path ? path : "no handler");
  rewind(file);
  s->filled.binary = rank_alloc(s, s->filled.binary_bytes);
  if (fread(s->filled.binary, 1, s->filled.binary_bytes, file) != s->filled.binary_bytes)
    rank_fail(s, "%s: cannot be read", path);
  fclose(file);
}

/* The leaf's first rank controls the switch. */
static void open_switch(rank_state *s, const char *switches, const char *handler) {
  char control[1024];
  acis_failure failure;
  if (s->plan.head.rank != s->plan.head.leaf_first)
    return;
  read_handler(s, handler);
  if (!switches || !item(switches, s->plan.head.leaf, control, sizeof control))
    rank_fail(s, "the plan has a leaf %lld; name its switch with --switches",
              (long long)s->plan.head.leaf);
  if (!acis_switch_open)
    rank_fail(s, "it was linked without libacis-client, which a plan with packets needs");
  if (acis_switch_open(control, &s->filled.device, &failure) != ACIS_OK)
    rank_fail(s, "switch %s: %s", control, failure.text);
}

static void read_plan(rank_state *s, const char *folder) {
  char path[4096];
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(path, sizeof path, "%s/part.%d", folder, s->rank);
  const char *wrong = plan_read(path, &s->plan);
  if (wrong)
    rank_fail(s, "%s: %s", path, wrong);
  if (s->plan.head.ranks != ranks || s->plan.head.rank != s->rank)
    rank_fail(s, "%s: it is of rank %lld of %lld, and this one is %d of %d", path,
              (long long)s->plan.head.rank, (long long)s->plan.head.ranks, s->rank, ranks);
}

/* Under another name first, so that no half file is ever seen. */
static void write_result(rank_state *s, const char *path, const float *result, size_t count) {
  char part[4096];
  snprintf(part, sizeof part, "%s.part", path);
  FILE *file = fopen(part, "wb");
  int good = file && fwrite(result, sizeof *result, count, file) == count;
  good = file && fclose(file) == 0 && good && rename(part, path) == 0;
  if (good)
    return;
  remove(part);
  rank_fail(s, "%s: cannot be written", path);
}

static void give_result(rank_state *s, const float *rows, const char *path) {
  const plan *p = &s->plan;
  int64_t width = p->widths[p->head.layers - 1];
  int count = (int)(p->rows * width), root = s->rank == 0;
  float *all = root ? rank_alloc(s, sizeof *all * (size_t)(p->head.nodes * width)) : NULL;
  int *counts = rank_alloc(s, sizeof *counts * (size_t)p->head.ranks),
      *at = rank_alloc(s, sizeof *at * (size_t)p->head.ranks);
  rank_blocks(p, 0, p->head.ranks, width, counts, at);
  MPI_Gatherv(rows, count, MPI_FLOAT, all, counts, at, MPI_FLOAT, 0, MPI_COMM_WORLD);
  if (root)
    write_result(s, path, all, (size_t)(p->head.nodes * width));
  free(all);
  free(counts);
  free(at);
}

static void report(rank_state *s, int run) {
  int64_t layers = s->plan.head.layers, ranks = s->plan.head.ranks;
  size_t count = sizeof(rank_times) / sizeof(double);
  rank_times *all = s->rank == 0 ? rank_alloc(s, sizeof *all * (size_t)(layers * ranks)) : NULL;
  MPI_Gather(s->times, (int)(count * (size_t)layers), MPI_DOUBLE, all,
             (int)(count * (size_t)layers), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int64_t i = 0; all && i < layers * ranks; i++)
    printf("{\"run\": %d, \"rank\": %lld, \"layer\": %lld, \"total\": %.9f, \"combine\": %.9f, "
           "\"load\": %.9f, "
           "\"gather\": %.9f, \"local\": %.9f, \"wait\": %.9f, \"offload\": %.9f, \"processor\": "
           "%.9f, "
           "\"mpi_bytes\": %.0f, \"sent\": %.0f, \"received\": %.0f, \"loaded\": %.0f, \"again\": "
           "%.0f}\n",
           run, (long long)(i / layers), (long long)(i % layers + 1), all[i].total, all[i].combine,
           all[i].load, all[i].gather, all[i].local, all[i].wait, all[i].offload, all[i].processor,
           all[i].mpi_bytes, all[i].sent, all[i].received, all[i].loaded, all[i].again);
  free(all);
}

int main(int argc, char **argv) {
  const char *out = NULL, *switches = NULL, *handler = NULL;
  rank_state s = {.deadline = 2};
  int runs = 1, given;
  for (int i = 2; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (!strcmp(argv[i], "--threads")) {
      s.threads = 1;
      continue;
    }
    if (!strcmp(argv[i], "--out"))
      out = value;
    else if (!strcmp(argv[i], "--switches"))
      switches = value;
    else if (!strcmp(argv[i], "--handler"))
      handler = value;
    else if (!strcmp(argv[i], "--repeat"))
      runs = atoi(value);
    else if (!strcmp(argv[i], "--deadline"))
      s.deadline = atof(value);
    else
      argc = 1;
    i++;
  }
  if (argc < 2 || argv[1][0] == '-' || runs < 1 || !(s.deadline > 0))
    return fputs(Usage, stderr), 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
  read_plan(&s, argv[1]);
  rank_start(&s);
  if (s.plan.head.offloaded)
    open_switch(&s, switches, handler);
  for (int run = 0; run < runs; run++) {
    float *rows = rank_infer(&s);
    report(&s, run);
    if (out && run == runs - 1)
      give_result(&s, rows, out);
    free(rows);
  }
  rank_end(&s);
  MPI_Finalize();
  return 0;
}
