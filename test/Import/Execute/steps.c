// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Control code that computes floats and accesses single elements of arrays between loops.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler bounds --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler elements --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler chased --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler branches --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler many --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler wide --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler narrow --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler kept --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler mean --packet-bytes 256 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler quotients --packet-bytes 256 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler unused --in %t.word.in --mem %t.word.mem %t.acis
#include <acis.h>
#define ARGS(type)                                                                                 \
  const type *restrict in, type *restrict out, type *restrict mem, uint32_t *len

// Trip counts, 0 among them, from an array.
ACIS_HANDLER void bounds(ARGS(int32_t)) {
  int32_t count[8];
  for (int r = 0; r < 8; r++)
    count[r] = in[r] & 15;
  uint32_t at = 8;
  for (int r = 0; r < 8; r++) {
    int32_t sum = 0;
    for (int32_t k = 0; k < count[r]; k++) {
      sum = (sum ^ in[at]) * 3;
      at++;
    }
    out[r] = sum;
  }
  *len = 32;
}

// Read and written at a position that control code computes.
ACIS_HANDLER void elements(ARGS(int32_t)) {
  int32_t x[16];
  for (int i = 0; i < 16; i++)
    x[i] = in[i];
  int32_t at = mem[0] & 15;
  for (int k = 0; k < 5; k++) {
    int32_t value = x[at] * 5 + k;
    x[(at + 3) & 15] = value;
    out[k] = value;
    at = (at + mem[k]) & 15;
  }
  for (int i = 0; i < 16; i++)
    out[5 + i] = x[i];
  *len = 84;
}

// Each step needs the element that the one before has read.
ACIS_HANDLER void chased(ARGS(int32_t)) {
  int32_t next[64];
  for (int i = 0; i < 64; i++)
    next[i] = in[i];
  int32_t at = next[next[next[3] & 63] + 1 & 63] & 63;
  next[at] = next[at] + 7;
  out[0] = at;
  for (int i = 0; i < 64; i++)
    out[1 + i] = next[i];
  *len = 260;
}

// Floats decide where control code goes.
ACIS_HANDLER void branches(ARGS(float)) {
  float big = mem[0] * mem[1] + 0.5f;
  uint32_t at = 0;
  for (int r = 0; r < 4; r++) {
    float most = -1.0e30f;
    for (int i = 0; i < 16; i++)
      most = in[r * 16 + i] > most ? in[r * 16 + i] : most;
    if (most * 2.0f > big) {
      big = most;
      out[at] = most - 1.0f;
      at++;
    } else if (most < 0.0f) {
      big = big * 0.75f;
    }
  }
  out[at] = big;
  *len = (at + 1) * 4;
}

// More results than one launch returns.
ACIS_HANDLER void many(ARGS(float)) {
  float a[16];
  for (int i = 0; i < 16; i++)
    a[i] = in[i];
  for (uint32_t k = 0; k < (uint32_t)*len / 64; k++) {
    out[0] = a[0] + 1, out[1] = a[1] + 2, out[2] = a[2] + 3, out[3] = a[3] + 4;
    out[4] = a[4] + 5, out[5] = a[5] + 6, out[6] = a[6] + 7, out[7] = a[7] + 8;
    out[8] = a[8] + 9, out[9] = a[9] + 10, out[10] = a[10] + 11, out[11] = a[11] + 12;
    break;
  }
  *len = 48;
}

ACIS_HANDLER void wide(ARGS(int32_t)) {
  int64_t x[8];
  double y[8];
  for (int i = 0; i < 8; i++) {
    x[i] = (int64_t)in[i] * 70000;
    y[i] = in[i];
  }
  int64_t a = x[mem[0] & 7] + x[mem[1] & 7];
  double b = y[mem[2] & 7] / 3.0 - (double)a;
  out[0] = (int32_t)a;
  out[1] = (int32_t)(a >> 32);
  out[2] = b < 0.0 ? -1 : 1;
  out[3] = (int32_t)(b * 0.001);
  *len = 16;
}

ACIS_HANDLER void narrow(ARGS(int32_t)) {
  int8_t x[32];
  uint16_t y[32];
  for (int i = 0; i < 32; i++) {
    x[i] = in[i];
    y[i] = in[i] >> 3;
  }
  int8_t a = x[mem[0] & 31];
  uint16_t b = y[mem[1] & 31];
  x[mem[2] & 31] = a + b;
  y[mem[3] & 31] = b - a;
  out[0] = a;
  out[1] = b;
  for (int i = 0; i < 32; i++)
    out[2 + i] = x[i] + y[i];
  *len = 136;
}

// State that stays from one invocation to the next.
static float total[4];
ACIS_HANDLER void kept(ARGS(float)) {
  float sum = 0;
  for (int i = 0; i < 24; i++)
    sum = sum * 0.5f + in[i];
  total[1] += sum;
  if (total[1] > 10.0f)
    total[1] -= 10.0f;
  total[2] = __builtin_sqrtf(__builtin_fabsf(total[1]));
  out[0] = total[1];
  out[1] = total[2];
  *len = 8;
}

// Division of 64 bits: of sums over packets, by a count and by a constant.
ACIS_HANDLER void mean(ARGS(uint32_t)) {
  static uint64_t total, packets;
  uint32_t n = *len / 4;
  packets++;
  for (uint32_t i = 0; i < n; i++)
    total += in[i];
  uint64_t average = total / (n ? n : 1);
  out[0] = (uint32_t)average;
  out[1] = (uint32_t)(average >> 32);
  out[2] = (uint32_t)(total % 1000003);
  out[3] = (uint32_t)(total / packets >> 16);
  *len = 16;
}

// With signs, under a condition, from which a trip count is made.
ACIS_HANDLER void quotients(ARGS(int32_t)) {
  int64_t sum = 0;
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    sum += in[i];
  uint32_t turns = 3;
  if (sum & 1)
    turns = (uint32_t)(sum / 77 % 5 + 6);
  for (uint32_t i = 0; i < turns; i++)
    out[i] = (int32_t)(sum >> i);
  *len = turns * 4;
}

// What is read for a loop in front of it, and the loop turns out not to need: its sum is not used.
ACIS_HANDLER void unused(ARGS(int32_t)) {
  int32_t x[16];
  for (int i = 0; i < 16; i++)
    x[i] = in[i];
  int32_t sum = 5;
  uint32_t step = (uint32_t)mem[0] % 1;
  for (uint32_t i = 0; i < 16; i++) {
    sum = (sum < 0 ? -sum : sum) / ((sum - (x[i * step] | sum) & 7) + 1);
    x[i * step] = x[i];
  }
  for (int i = 0; i < 16; i++)
    out[i] = x[i];
  *len = 64;
}
