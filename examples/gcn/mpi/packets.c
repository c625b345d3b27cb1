/* Sends, and sends again; stores in parts. */
#include "packets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In a simulated cluster these are the simulator's, and without a switch nobody's. */
#pragma weak acis_handler_stream

enum { BEAT = 64, STORE_FLOATS = (ACIS_MAX_PACKET / BEAT - 1) * 16, STORES = 64 };

static uint32_t last_tag;

/* Not one that another packet of this process has had lately; not 0. */
static uint32_t next_tag(void) {
  last_tag = last_tag == UINT32_MAX ? 1 : last_tag + 1;
  return last_tag;
}

static int has_tag(const uint32_t *words, int count, uint32_t tag) {
  for (int i = 0; i < count; i++)
    if (words[i] != tag)
      return 0;
  return 1;
}

/* Sends packets from `done` on; gives how many answers are there then, and are of their packets. */
static int64_t attempt(acis_handler *handler, const exchange *e, int64_t done, const patience *how,
                       int *code, acis_failure *failure) {
  size_t written = 0, before = done ? (size_t)e->ends[done - 1] : 0;
  acis_stream stream = {.in = e->packets + (size_t)done * e->words,
                        .in_bytes = (size_t)(e->count - done) * e->words * 4,
                        .packet_bytes = e->words * 4,
                        .out = e->answers + before / 4,
                        .capacity = (size_t)e->ends[e->count - 1] + PACKETS_MORE - before,
                        .window = 16,
                        .deadline = how->deadline};
  *code = acis_handler_stream(handler, &stream, &written, failure);
  if (*code != ACIS_OK && *code != ACIS_LOST && *code != ACIS_NO_ROOM)
    return done;
  for (; done < e->count; done++) {
    size_t at = done ? (size_t)e->ends[done - 1] : 0, there = before + written;
    const uint32_t *answer = e->answers + at / 4, tag = e->packets[(size_t)done * e->words + 2];
    int is_half = there >= at + 32 && has_tag(answer, 8, tag) &&
                  (there < at + 64 || !has_tag(answer, 16, tag));
    if (is_half) {
      strcpy(failure->text, "the switch has lost its dense rows (has its handler trapped, or has "
                            "another host loaded it?)");
      *code = ACIS_REFUSED;
    }
    if (is_half || there < (size_t)e->ends[done] || !has_tag(answer, 16, tag))
      return done;
  }
  *code = ACIS_OK;
  return done;
}

int packets_send(acis_handler *handler, const exchange *e, patience *how, acis_failure *failure) {
  int64_t done = 0;
  int code = ACIS_OK;
  for (int64_t i = 0; i < e->count; i++)
    e->packets[(size_t)i * e->words + 2] = next_tag();
  for (int left = how->tries; done < e->count;) {
    int64_t before = done;
    done = attempt(handler, e, done, how, &code, failure);
    if (done == e->count)
      return ACIS_OK;
    if (code != ACIS_OK && code != ACIS_LOST && code != ACIS_NO_ROOM)
      return code;
    how->again++;
    left = done > before ? how->tries : left - 1;
    if (left > 0)
      continue;
    if (code == ACIS_OK)
      strcpy(failure->text, "answers are something else; is another handler there?");
    return code == ACIS_OK ? ACIS_REFUSED : code;
  }
  return code;
}

/* What is being stored. */
typedef struct {
  const float *image;
  int64_t floats, at; /* those before `at` are in packets */
  uint32_t version;
} source;

/* Up to STORES packets of `words` words each, with what comes next. */
static int64_t make(source *from, uint32_t *packets, size_t words) {
  int64_t count = 0;
  for (; count < STORES && from->at < from->floats; count++) {
    uint32_t *packet = packets + (size_t)count * words;
    int64_t left = from->floats - from->at, part = left < STORE_FLOATS ? left : STORE_FLOATS;
    memset(packet, 0, BEAT);
    packet[1] = from->version;
    packet[3] = (uint32_t)from->at;
    packet[4] = (uint32_t)part;
    memcpy(packet + 16, from->image + from->at, (size_t)part * sizeof *from->image);
    from->at += part;
  }
  return count;
}

int packets_fill(acis_handler *handler, const float *image, int64_t floats, uint32_t version,
                 patience *how, acis_failure *failure) {
  size_t words = 16 + STORE_FLOATS;
  uint32_t *packets = calloc(words * STORES, sizeof *packets), begin[16] = {0, version};
  uint32_t answers[(BEAT * STORES + PACKETS_MORE) / 4];
  source from = {image, floats, 0, version};
  int64_t ends[STORES];
  for (int i = 0; i < STORES; i++)
    ends[i] = (i + 1) * BEAT;
  if (!packets) {
    strcpy(failure->text, "no memory for packets");
    return ACIS_NO_ROOM;
  }
  exchange first = {begin, 16, 1, ends, answers}, stores = {packets, words, 0, ends, answers};
  int code = packets_send(handler, &first, how, failure);
  while (code == ACIS_OK && from.at < floats) {
    stores.count = make(&from, packets, words);
    code = packets_send(handler, &stores, how, failure);
  }
  free(packets);
  return code;
}
