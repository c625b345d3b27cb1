// The bytes of a header, then a table that they index, with a condition on what is there: places in
// arrays are computed where they are used, also behind a step of the control code.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/edges.py %t.in
// RUN: %compare --handler nat --in %t.in --packet-bytes 20 %t.acis
// RUN: %compare --handler cache --in %t.in --packet-bytes 20 %t.acis
// RUN: %compare --handler buckets --in %t.in --packet-bytes 20 %t.acis
#include <acis.h>

#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint8_t *restrict in, uint8_t *restrict out,                        \
                         const uint8_t *restrict mem, uint32_t *len)

static uint32_t key[64];

/* Replaces what is there. */
HANDLER(nat) {
  uint8_t h[20];
  for (int i = 0; i < 20; i++)
    h[i] = in[i];
  uint32_t x = (uint32_t)h[16] << 24 | h[17] << 16 | h[18] << 8 | h[19];
  if (key[h[12] % 64] != x)
    key[h[12] % 64] = x;
  for (int i = 0; i < 20; i++)
    out[i] = h[i] ^ (uint8_t)key[i];
  *len = 20;
}

static uint32_t tags[16];
static uint8_t values[16];

/* Two tables, and something else where it is not there. */
HANDLER(cache) {
  uint8_t h[20];
  for (int i = 0; i < 20; i++)
    h[i] = in[i];
  uint32_t tag = (uint32_t)h[0] << 8 | h[1], set = tag % 16;
  uint8_t answer;
  if (tags[set] == tag) {
    answer = values[set];
    values[set] = (uint8_t)(answer + 1);
  } else {
    tags[set] = tag;
    values[set] = h[2];
    answer = 0;
  }
  out[0] = answer;
  *len = 1;
}

/* A token bucket for each of some flows. */
static int32_t tokens[32];
HANDLER(buckets) {
  uint8_t h[20];
  for (int i = 0; i < 20; i++)
    h[i] = in[i];
  int flow = (h[3] ^ h[7]) & 31;
  tokens[flow] += 3;
  if (tokens[flow] > 20)
    tokens[flow] = 20;
  if (tokens[flow] < h[9] % 16) {
    *len = 0;
    return;
  }
  tokens[flow] -= h[9] % 16;
  for (int i = 0; i < 20; i++)
    out[i] = h[i];
  *len = 20;
}
