/* Loads leaves, and streams packets through them. */
#include "offload.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* In a simulated cluster these are the simulator's, and without a switch nobody's. */
#pragma weak acis_handler_load
#pragma weak acis_handler_stream
#pragma weak acis_handler_close
#pragma weak acis_handler_address

enum { LOAD_BYTES = 1 << 26 }; /* that a switch's control takes at once */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int64_t passes_held(const plan *p, int64_t width, size_t binary_bytes) {
  int64_t passes = (width + FEATURES - 1) / FEATURES, one = p->head.image_rows * FEATURES * 4;
  int64_t room = (LOAD_BYTES - (int64_t)binary_bytes) / (one ? one : 1);
  return room < passes ? room : passes;
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

int offload_load(acis_switch *device, const void *binary, size_t binary_bytes, const plan *p,
                 const float *dense, int64_t width, int64_t first, int64_t end,
                 acis_handler **handler, acis_failure *failure) {
  float *memory = image(p, dense, width, first, end);
  acis_load load = {.bytes = binary,
                    .bytes_size = binary_bytes,
                    .memory = memory,
                    .memory_size =
                        (size_t)((end - first) * p->head.image_rows * FEATURES) * sizeof *memory,
                    .listen = *handler ? acis_handler_address(*handler) : ""};
  acis_handler *loaded = NULL;
  int code = memory ? acis_handler_load(device, &load, &loaded, failure) : ACIS_NO_ROOM;
  if (!memory)
    *failure = (acis_failure){ACIS_NO_ROOM, ACIS_NO_PACKET, "no memory for the image"};
  if (*handler && code == ACIS_OK)
    acis_handler_close(*handler);
  if (code == ACIS_OK)
    *handler = loaded;
  free(memory);
  return code;
}

/* Packets from `first` on; gives how many were answered. */
static int64_t attempt(offload *work, const uint32_t *words, float *answers, size_t answer_bytes,
                       int64_t first, size_t done_bytes) {
  const plan_head *head = &work->p->head;
  size_t packet = (size_t)head->packet_words * 4, written = 0;
  acis_stream stream = {.in = words + first * head->packet_words,
                        .in_bytes = (size_t)(head->packets - first) * packet,
                        .packet_bytes = packet,
                        .out = (char *)answers + done_bytes,
                        .capacity = answer_bytes - done_bytes,
                        .window = 16,
                        .deadline = work->deadline};
  work->code = acis_handler_stream(work->handler, &stream, &written, &work->failure);
  if (work->code == ACIS_OK && written != answer_bytes - done_bytes) {
    work->code = ACIS_REFUSED;
    strcpy(work->failure.text, "answers have another length; is another handler there?");
  }
  if (work->code == ACIS_OK)
    return head->packets;
  return work->code == ACIS_LOST && work->failure.packet != ACIS_NO_PACKET
             ? first + (int64_t)work->failure.packet
             : first;
}

static void pass_through(offload *work, const uint32_t *words, float *answers,
                         size_t answer_bytes) {
  const plan *p = work->p;
  int64_t done = 0;
  for (int tries = 0; done < p->head.packets && tries < work->tries; tries++) {
    size_t done_bytes = done ? (size_t)p->answers[done - 1] * FEATURES * sizeof *answers : 0;
    int64_t before = done;
    done = attempt(work, words, answers, answer_bytes, done, done_bytes);
    if (work->code != ACIS_OK && work->code != ACIS_LOST)
      return;
    work->again += work->code == ACIS_LOST;
    tries = done > before ? 0 : tries;
  }
}

static void collect(offload *work, const float *answers, int64_t pass) {
  const plan *p = work->p;
  int64_t width = columns(work->width, pass);
  for (int64_t i = 0; i < p->head.answer_rows; i++, answers += FEATURES)
    for (int64_t f = 0; f < width; f++)
      work->sums[p->answer_rows[i] * work->width + pass * FEATURES + f] += answers[f];
}

void *offload_stream(void *data) {
  offload *work = data;
  const plan *p = work->p;
  double begun = now();
  size_t count = (size_t)(p->head.packets * p->head.packet_words);
  size_t answer_bytes = (size_t)p->head.answer_rows * FEATURES * sizeof(float);
  uint32_t *words = malloc(count * sizeof *words + 1);
  float *answers = malloc(answer_bytes + 1);
  work->code = words && answers ? ACIS_OK : ACIS_NO_ROOM;
  for (int64_t pass = work->first_pass; work->code == ACIS_OK && pass < work->end_pass; pass++) {
    memcpy(words, p->words, count * sizeof *words);
    int64_t at = 0;
    for (int64_t i = 0; i < p->head.packets; i++)
      for (; at < p->bases[i]; at++)
        words[i * p->head.packet_words + p->base_words[at]] +=
            (uint32_t)((pass - work->first_pass) * p->head.image_rows * FEATURES);
    pass_through(work, words, answers, answer_bytes);
    if (work->code != ACIS_OK)
      break;
    collect(work, answers, pass);
    work->sent += (int64_t)(count * sizeof *words);
    work->received += (int64_t)answer_bytes;
  }
  free(words);
  free(answers);
  work->seconds += now() - begun;
  return NULL;
}
