/* Sends, and sends again; stores in parts. */
#include "packets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In a simulated cluster these are the simulator's, and without a switch nobody's. */
#pragma weak acis_handler_stream

enum { BEAT = 64, STORE_FLOATS = (ACIS_MAX_PACKET / BEAT - 1) * 16, STORES = 64 };

static int attempt(acis_handler *handler, const char *packets, size_t bytes, int64_t count,
                   char *answers, size_t room, patience *how, acis_failure *failure) {
  size_t written = 0;
  acis_stream stream = {.in = packets,
                        .in_bytes = (size_t)count * bytes,
                        .packet_bytes = bytes,
                        .out = answers,
                        .capacity = room,
                        .window = 16,
                        .deadline = how->deadline};
  int code = acis_handler_stream(handler, &stream, &written, failure);
  if (code != ACIS_OK || written == room)
    return code;
  snprintf(failure->text, sizeof failure->text,
           "%zu bytes of answers, not %zu; it has lost its dense rows (has its handler trapped, or "
           "has another host loaded it?), "
           "or another handler is there",
           written, room);
  return ACIS_REFUSED;
}

int packets_send(acis_handler *handler, const void *packets, size_t bytes, int64_t count,
                 const int64_t *ends, void *answers, patience *how, acis_failure *failure) {
  int64_t done = 0;
  for (int left = how->tries; done < count;) {
    int64_t before = done ? ends[done - 1] : 0;
    int code = attempt(handler, (const char *)packets + (size_t)done * bytes, bytes, count - done,
                       (char *)answers + before, (size_t)(ends[count - 1] - before), how, failure);
    if (code != ACIS_LOST || failure->packet == ACIS_NO_PACKET)
      return code;
    how->again++;
    done += (int64_t)failure->packet;
    left = failure->packet ? how->tries : left - 1;
    if (left == 0)
      return code;
  }
  return ACIS_OK;
}

/* Stores are answered with 16 times their place. */
static int confirm(const uint32_t *packets, size_t words, int64_t count, const uint32_t *answers,
                   acis_failure *failure) {
  for (int64_t i = 0; i < count * 16; i++)
    if (answers[i] != packets[(size_t)(i / 16) * words + 2]) {
      strcpy(failure->text, "a store was answered with something else; is another handler there?");
      return ACIS_REFUSED;
    }
  return ACIS_OK;
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
    packet[2] = (uint32_t)from->at;
    packet[3] = (uint32_t)part;
    memcpy(packet + 16, from->image + from->at, (size_t)part * sizeof *from->image);
    from->at += part;
  }
  return count;
}

int packets_fill(acis_handler *handler, const float *image, int64_t floats, uint32_t version,
                 patience *how, acis_failure *failure) {
  size_t words = 16 + STORE_FLOATS;
  uint32_t *packets = calloc(words * STORES, sizeof *packets), answers[16 * STORES];
  uint32_t begin[16] = {0, version};
  source from = {image, floats, 0, version};
  int64_t ends[STORES];
  for (int i = 0; i < STORES; i++)
    ends[i] = (i + 1) * BEAT;
  if (!packets) {
    strcpy(failure->text, "no memory for packets");
    return ACIS_NO_ROOM;
  }
  int code = packets_send(handler, begin, sizeof begin, 1, ends, answers, how, failure);
  while (code == ACIS_OK && from.at < floats) {
    int64_t count = make(&from, packets, words);
    code = packets_send(handler, packets, words * 4, count, ends, answers, how, failure);
    code = code == ACIS_OK ? confirm(packets, words, count, answers, failure) : code;
  }
  free(packets);
  return code;
}
