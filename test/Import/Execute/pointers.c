// Pointers that data chooses: between arrays, which become one array, between elements of one, and
// between elements and none.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: %compare --handler phases --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler read_phases --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler distance --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler largest --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler found --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler entries --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler scalars --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler spare --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler constants --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler wide --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler lanes --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler three --packet-bytes 512 --in %t.word --mem %t.float %t.acis
// RUN: %compare --handler protocols --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler read_udp --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler measured --packet-bytes 512 --in %t.word %t.acis
#include <acis.h>

#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint32_t *restrict in, uint32_t *restrict out,                      \
                         const uint32_t *restrict mem, uint32_t *len)
#define EACH for (uint32_t i = 0; i < *len / 4; i++)

// Two arrays that change places from packet to packet; another handler has only one of them.
static uint32_t ping[64], pong[64] = {[3] = 5, [9] = 7}, phase;
HANDLER(phases) {
  uint32_t *current = phase ? ping : pong, *previous = phase ? pong : ping;
  phase = !phase;
  EACH {
    uint32_t k = in[i] & 63;
    current[k] += in[i] >> 6;
    out[i] = previous[k] ^ current[k];
  }
}
HANDLER(read_phases) {
  EACH out[i] = pong[in[i] & 63] + 1;
}

// Two rows that change places in a loop: the edit distance of a word, and how it grows.
#define WORD 20
HANDLER(distance) {
  uint32_t above[WORD + 1], here[WORD + 1], *prev = above, *cur = here;
  for (uint32_t j = 0; j <= WORD; j++)
    prev[j] = j;
  EACH {
    uint32_t c = in[i] & 3;
    cur[0] = i + 1;
    for (uint32_t j = 1; j <= WORD; j++) {
      uint32_t change = prev[j - 1] + (c != (j * j & 3));
      uint32_t skip = (prev[j] < cur[j - 1] ? prev[j] : cur[j - 1]) + 1;
      cur[j] = change < skip ? change : skip;
    }
    uint32_t *swap = prev;
    prev = cur;
    cur = swap;
    out[i] = prev[WORD];
  }
}

// The place of the largest element so far, from an array that ends behind it.
HANDLER(largest) {
  static int32_t table[96];
  EACH table[in[i] % 96] = (int32_t)in[i];
  const int32_t *best = table;
  for (const int32_t *p = table + 1; p < table + 96; p++)
    if (*p > *best)
      best = p;
  out[0] = (uint32_t)*best;
  out[1] = (uint32_t)(best - table);
  out[2] = best > table + 40;
  *len = 12;
}

// An element, or none.
HANDLER(found) {
  static uint32_t keys[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  EACH {
    uint32_t *hit = 0, v = in[i];
    for (int k = 0; k < 8; k++)
      if (keys[k] % 16 == v % 16)
        hit = &keys[k];
    if (hit)
      *hit += v >> 4 & 15;
    out[i] = hit == 0 ? v : *hit;
  }
}

// A record, or none.
struct entry {
  uint32_t key, count;
};
HANDLER(entries) {
  static struct entry entries[6];
  EACH {
    struct entry *hit = 0, *free = 0;
    for (int k = 0; k < 6; k++) {
      if (entries[k].count && entries[k].key == in[i] % 8)
        hit = &entries[k];
      if (!entries[k].count)
        free = &entries[k];
    }
    if (!hit && free) {
      hit = free;
      hit->key = in[i] % 8;
    }
    if (hit)
      hit->count++;
    out[i] = hit ? hit->count : 1000;
  }
}

// Variables that are no arrays.
HANDLER(scalars) {
  uint32_t odd = 0, even = 1, third = 2;
  EACH {
    uint32_t v = in[i], *which = &third;
    *(v & 1 ? &odd : &even) += v;
    if (v % 5 < 2)
      which = v % 5 ? &odd : &even;
    out[i] = (*which)++;
  }
  out[*len / 4] = odd + even * 3;
  *len += 4;
}

// An element of a static array, or a local variable that is there for the rest.
HANDLER(spare) {
  static uint32_t counts[10], more[3];
  uint32_t other[2] = {0, 0};
  EACH {
    uint32_t v = in[i] & 15, *count = v < 10 ? &counts[v] : v < 13 ? &more[v - 10] : &other[v & 1];
    out[i] = ++*count;
  }
}

// Tables of different lengths, whose elements are smaller than words.
static const uint8_t codes[40] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233},
                     bytes[] = {250, 130, 70, 40, 25, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
HANDLER(constants) {
  EACH {
    const uint8_t *table = in[i] & 16 ? codes : bytes;
    out[i] = table[in[i] & 15] + (uint32_t)table[1];
  }
}

HANDLER(wide) {
  static uint64_t low[3] = {7}, high[8];
  EACH {
    uint64_t *sum = in[i] >> 31 ? high + 4 : low;
    sum[in[i] % 3] += (uint64_t)in[i] << 20;
    out[i] = (uint32_t)(sum[1] >> 16);
  }
}

// Chosen once, and then gone through in lanes.
HANDLER(lanes) {
  static uint32_t first[50], second[64];
  uint32_t *sums = in[0] & 1 ? first : second;
  for (uint32_t i = 1; i < *len / 4 && i < 50; i++) {
    sums[i] += in[i];
    out[i - 1] = sums[i];
  }
  *len = *len / 4 > 50 ? 196 : *len - 4;
}

// Of three local arrays, the first or the last for a packet.
HANDLER(three) {
  uint32_t low[16], none[17], high[48];
  for (uint32_t i = 0; i < 16; i++)
    low[i] = i;
  for (uint32_t i = 0; i < 17; i++)
    none[i] = 2 * i;
  for (uint32_t i = 0; i < 48; i++)
    high[i] = 3 * i;
  uint32_t *p = mem[1] > 7 ? low : high;
  EACH {
    if (low[2] > in[i])
      low[2] += in[i] * low[2];
    p[in[i] & 7] = in[i] ^ low[2];
    out[i] = p[i & 7] + none[in[i] % 17];
  }
}

// Records of one of two tables, or the one that is there for the rest.
struct flow {
  uint32_t packets;
  uint16_t last[2];
  uint8_t state;
};
static struct flow tcp[16] = {[2] = {3, {4, 5}, 6}}, udp[8], rest = {1, {2, 3}, 4};
HANDLER(protocols) {
  EACH {
    uint32_t v = in[i] >> 2;
    struct flow *f = &rest;
    if (in[i] & 1)
      f = in[i] & 2 ? &tcp[v & 15] : &udp[v & 7];
    f->packets++;
    f->last[v & 1] = (uint16_t)v;
    f->state = f->state * 5 + 1;
    out[i] = f->packets + f->last[0] * 3u + f->state;
  }
}
HANDLER(read_udp) {
  EACH out[i] = udp[in[i] & 7].packets + tcp[2].last[1] + rest.state;
}

// How far a pointer that may be null, and one to a record, are from the start, which is no choice.
static const uint32_t *sought(const uint32_t *from, uint32_t count, uint32_t value) {
  for (uint32_t i = 0; i < count; i++)
    if (from[i] == value)
      return from + i;
  return 0;
}
static struct flow flows[8];
HANDLER(measured) {
  uint32_t local[16];
  if (*len < 100) {
    *len = 0;
    return;
  }
  for (uint32_t i = 0; i < 16; i++)
    local[i] = in[i] & 7;
  const uint32_t *at = sought(local, 16, in[16] & 7);
  out[0] = at ? (uint32_t)(at - local) : 99;
  struct flow *flow = 0;
  for (uint32_t i = 0; i < 8; i++)
    if ((in[17 + i] & 3) == 0)
      flow = &flows[i];
  out[1] = flow ? (uint32_t)(flow - flows) : 77;
  *len = 8;
}
