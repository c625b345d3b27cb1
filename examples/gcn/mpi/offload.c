/* Loads leaves, and streams a rank's packets through its leaf. */
#include "offload.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#pragma weak acis_handler_load
#pragma weak acis_handler_close
#pragma weak acis_handler_address

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

#ifndef SWITCH_BYTES
#define SWITCH_BYTES (1 << 30) /* that a switch gives a handler */
#endif

int64_t passes_held(const plan *p, int64_t width) {
  int64_t passes = (width + FEATURES - 1) / FEATURES, one = p->head.image_rows * FEATURES * 4;
  int64_t held = one ? SWITCH_BYTES / one : passes;
  return held < passes ? held : passes;
}

static int64_t columns(int64_t width, int64_t pass) {
  int64_t left = width - pass * FEATURES;
  return left < FEATURES ? left : FEATURES;
}

static float *image(const plan *p, const float *dense, int64_t width, int64_t first, int64_t end) {
  int64_t rows = p->head.image_rows;
  float *memory = calloc((size_t)((end - first) * rows * FEATURES) + 1, sizeof *memory);
  for (int64_t pass = first; memory && pass < end; pass++)
    for (int64_t row = 0; row < rows; row++)
      if (p->image[row] >= 0)
        memcpy(memory + ((pass - first) * rows + row) * FEATURES,
               dense + p->image[row] * width + pass * FEATURES,
               sizeof *memory * (size_t)columns(width, pass));
  return memory;
}

/* The handler with `bytes` of memory at least, at the port where it was. */
static int reserve(leaf_switch *leaf, int64_t bytes, acis_failure *failure) {
  if (leaf->handler && bytes <= leaf->room)
    return ACIS_OK;
  acis_load load = {.bytes = leaf->binary,
                    .bytes_size = leaf->binary_bytes,
                    .memory_size = (size_t)bytes,
                    .listen = leaf->handler ? acis_handler_address(leaf->handler) : ""};
  acis_handler *loaded = NULL;
  int code = acis_handler_load(leaf->device, &load, &loaded, failure);
  if (code != ACIS_OK)
    return code;
  if (leaf->handler)
    acis_handler_close(leaf->handler);
  leaf->handler = loaded;
  leaf->room = bytes;
  return ACIS_OK;
}

int leaf_load(leaf_switch *leaf, const plan *p, const float *dense, int64_t width, int64_t first,
              int64_t end, patience *how, acis_failure *failure) {
  int64_t floats = (end - first) * p->head.image_rows * FEATURES;
  int code = reserve(leaf, floats * (int64_t)sizeof(float), failure);
  if (code != ACIS_OK)
    return code;
  float *memory = image(p, dense, width, first, end);
  if (!memory) {
    strcpy(failure->text, "no memory for the image");
    return ACIS_NO_ROOM;
  }
  /* Not one that another job may have in its packets. */
  while (getrandom(&leaf->version, sizeof leaf->version, 0) < 0 || leaf->version == 0)
    ;
  code = packets_fill(leaf->handler, memory, floats, leaf->version, how, failure);
  free(memory);
  return code;
}

static void collect(offload *work, const float *answers, int64_t pass) {
  const plan *p = work->p;
  int64_t width = columns(work->width, pass), row = 0;
  for (int64_t i = 0; i < p->head.packets; i++) {
    answers += FEATURES; /* its tag */
    for (; row < p->answers[i]; row++, answers += FEATURES)
      for (int64_t f = 0; f < width; f++)
        work->sums[p->answer_rows[row] * work->width + pass * FEATURES + f] += answers[f];
  }
}

/* The plan's packets for a pass: with the version, and bases behind those of the passes before. */
static void words_of(const offload *work, int64_t pass, uint32_t *words) {
  const plan_head *head = &work->p->head;
  memcpy(words, work->p->words, sizeof *words * (size_t)(head->packets * head->packet_words));
  int64_t at = 0;
  for (int64_t i = 0; i < head->packets; i++) {
    uint32_t *packet = words + i * head->packet_words;
    packet[1] = work->version;
    for (; at < work->p->bases[i]; at++)
      packet[work->p->base_words[at]] +=
          (uint32_t)((pass - work->first_pass) * head->image_rows * FEATURES);
  }
}

void *offload_stream(void *data) {
  offload *work = data;
  const plan *p = work->p;
  double begun = now();
  size_t words_bytes = sizeof(uint32_t) * (size_t)(p->head.packets * p->head.packet_words);
  size_t answer_bytes = sizeof(float) * FEATURES * (size_t)(p->head.answer_rows + p->head.packets);
  uint32_t *words = malloc(words_bytes + 1);
  float *answers = malloc(answer_bytes + PACKETS_MORE);
  int64_t *ends = malloc(sizeof *ends * (size_t)p->head.packets + 1);
  work->code = words && answers && ends ? ACIS_OK : ACIS_NO_ROOM;
  for (int64_t i = 0; work->code == ACIS_OK && i < p->head.packets; i++)
    ends[i] = (p->answers[i] + i + 1) * FEATURES * (int64_t)sizeof(float);
  exchange e = {words, (size_t)p->head.packet_words, p->head.packets, ends, (uint32_t *)answers};
  for (int64_t pass = work->first_pass; work->code == ACIS_OK && pass < work->end_pass; pass++) {
    words_of(work, pass, words);
    work->code = packets_send(work->handler, &e, &work->how, &work->failure);
    if (work->code == ACIS_OK)
      collect(work, answers, pass);
    work->sent += (int64_t)words_bytes;
    work->received += (int64_t)answer_bytes;
  }
  free(words);
  free(answers);
  free(ends);
  work->seconds += now() - begun;
  return NULL;
}
