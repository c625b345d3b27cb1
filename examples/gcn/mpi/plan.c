/* Reads plans. */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAGIC = 0x314e4347 }; /* "GCN1" */

/* The next array of the content, which has items of a size; arrays begin at multiples of 8 bytes.
 */
static const void *take(plan *p, size_t *at, int64_t items, size_t size) {
  const char *found = (const char *)p->content + *at;
  if (items < 0 || (uint64_t)items > ((uint64_t)p->head.bytes - *at) / size)
    return NULL;
  *at += ((size_t)items * size + 7) / 8 * 8;
  return *at > (size_t)p->head.bytes ? NULL : found;
}

static csr take_csr(plan *p, size_t *at, int64_t nonzeros) {
  csr matrix = {take(p, at, p->rows + 1, 8), NULL};
  matrix.indices = take(p, at, nonzeros, 4);
  return matrix;
}

static int arrays(plan *p) {
  plan_head *head = &p->head;
  size_t at = sizeof *head;
  if (head->rank < 0 || head->rank >= head->ranks)
    return 0;
  p->offsets = take(p, &at, head->ranks + 1, 8);
  p->widths = take(p, &at, head->layers, 8);
  if (!p->offsets || !p->widths)
    return 0;
  p->rows = p->offsets[head->rank + 1] - p->offsets[head->rank];
  p->diagonal = take_csr(p, &at, head->diagonal);
  p->gathered = take_csr(p, &at, head->gathered);
  p->answers = take(p, &at, head->packets, 8);
  p->answer_rows = take(p, &at, head->answer_rows, 8);
  p->bases = take(p, &at, head->packets, 8);
  if (!p->bases)
    return 0;
  p->base_words = take(p, &at, head->packets ? p->bases[head->packets - 1] : 0, 8);
  p->wanted = take(p, &at, head->leaves, 8);
  if (!p->wanted || head->leaves < 1)
    return 0;
  p->wanted_rows = take(p, &at, p->wanted[head->leaves - 1], 8);
  p->taken = take(p, &at, head->ranks, 8);
  p->image = take(p, &at, head->image_rows, 8);
  p->words = take(p, &at, head->packets * head->packet_words, 4);
  p->x = take(p, &at, p->rows * head->features, 4);
  int64_t rows = head->features, weights = 0;
  for (int64_t layer = 0; layer < head->layers; rows = p->widths[layer++])
    weights += rows * p->widths[layer];
  p->weights = take(p, &at, weights, 4);
  return p->diagonal.indices && p->gathered.indices && p->answers && p->answer_rows &&
         p->base_words && p->wanted_rows && p->taken && p->image && p->words && p->x &&
         p->weights && at == (size_t)head->bytes;
}

const char *plan_read(const char *path, plan *out) {
  *out = (plan){0};
  FILE *file = fopen(path, "rb");
  if (!file)
    return "cannot be read";
  int good = fread(&out->head, sizeof out->head, 1, file) == 1 && out->head.magic == MAGIC &&
             out->head.bytes >= (int64_t)sizeof out->head &&
             (out->content = malloc((size_t)out->head.bytes));
  if (good) {
    rewind(file);
    good = fread(out->content, 1, (size_t)out->head.bytes, file) == (size_t)out->head.bytes &&
           fgetc(file) == EOF;
  }
  fclose(file);
  if (good && arrays(out))
    return NULL;
  plan_free(out);
  return "is no whole plan of this version; write it again";
}

void plan_free(plan *p) {
  free(p->content);
  p->content = NULL;
}
