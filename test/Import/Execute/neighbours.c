// Windows that overlap: what an iteration reads again of the one before is kept.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: acisc --config=%overlays/mesh4x4.json %s -o %t.mesh
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 2048 %t.word > %t.in
// RUN: %compare --handler differences --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler differences --packet-bytes 4 --in %t.in %t.acis
// RUN: %compare --handler differences --packet-bytes 8 --in %t.in %t.acis
// RUN: %compare --handler three --packet-bytes 76 --in %t.in %t.acis
// RUN: %compare --handler rises --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler filter --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler filter --packet-bytes 20 --in %t.in %t.acis
// RUN: %compare --handler halves --packet-bytes 96 --in %t.in %t.acis
// RUN: %compare --handler corners --packet-bytes 96 --in %t.in %t.acis
// RUN: %compare --handler behind --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler largest --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler adapted --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler adapted --packet-bytes 4 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --handler largest --packet-bytes 128 --in %t.in %t.mesh
// RUN: %compare --handler largest --packet-bytes 28 --in %t.in %t.acis
// RUN: acisc --config=tiny.json -DLARGEST %s -o %t.tiny 2>&1 | FileCheck %s --check-prefix=TINY
// RUN: acis-compare --config %overlays/tiny.json --native %t.so --handler largest --packet-bytes 128 --in %t.in %t.tiny
// RUN: acisc --config=%overlays/u280-full.json -DFRAMES %s -o %t.frames 2>&1 | FileCheck %s --check-prefix=FRAMES
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include -DFRAMES %s -o %t.frames.so
// RUN: acis-compare --config %overlays/u280-full.json --native %t.frames.so --output-bytes 100000 --handler frames --packet-bytes 1024 --in %t.in %t.frames
// RUN: acis-compare --config %overlays/u280-full.json --native %t.frames.so --output-bytes 100000 --handler edges --packet-bytes 1024 --in %t.in %t.frames
// RUN: acis-compare --config %overlays/u280-full.json --native %t.frames.so --output-bytes 100000 --handler rising --packet-bytes 1024 --in %t.in %t.frames
// RUN: acis-compare --config %overlays/u280-full.json --native %t.frames.so --output-bytes 100000 --handler again --packet-bytes 256 --in %t.in %t.frames
// RUN: %compare --handler in_turns --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler middle --packet-bytes 128 --in %t.in %t.acis
#include <acis.h>
#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint32_t *restrict in, uint32_t *restrict out,                      \
                         const uint32_t *restrict mem, uint32_t *len)

// An inner loop over the window, and an end in the middle: unrolled it is slow, rolled it reads words
// again that have passed, so the packet is kept.
HANDLER(largest) {
  uint32_t n = *len / 4, o = 0;
  for (uint32_t i = 0; i + 7 < n; i++) {
    // TINY: neighbours.c:[[#@LINE+1]]:{{.*}} warning: the stream may have passed what this reads, so the packet is kept in an array of 1024 bytes
    uint32_t first = in[i + 1], last = in[i + 7], most = 3;
    for (int k = 0; k < 8; k++)
      most = in[i + k] > most ? in[i + k] : most;
    if (last == 0xdead)
      break;
    out[o++] = first * most + last;
  }
  *len = o * 4;
}
#ifndef LARGEST
HANDLER(differences) {
  uint32_t n = *len / 4, k = 0;
  for (uint32_t i = 0; i + 1 < n; i++)
    out[k++] = in[i + 1] - in[i];
  *len = 4 * k;
}

// The last word has no part in it.
HANDLER(three) {
  uint32_t n = *len / 4;
  for (uint32_t i = 2; i < n; i++)
    out[i - 2] = in[i] * 3 + in[i - 1] * 2 + in[i - 2];
  *len = 4 * (n - 2);
}

HANDLER(rises) {
  uint32_t n = *len / 4, count = 0;
  for (uint32_t i = 0; i + 1 < n; i++)
    if (in[i] < in[i + 1])
      count++;
  out[0] = count;
  *len = 4;
}

HANDLER(filter) {
  uint32_t n = *len / 4, o = 0;
  for (uint32_t i = 0; i + 4 < n; i++) {
    uint32_t sum = 0;
    for (int k = 0; k < 5; k++)
      sum += in[i + k] * (k + 3);
    out[o++] = sum;
  }
  *len = 4 * o;
}

// Steps of two words of windows of four.
HANDLER(halves) {
  uint32_t n = *len / 4, o = 0;
  for (uint32_t i = 0; i + 3 < n; i += 2) {
    uint32_t most = 0;
    for (int k = 0; k < 4; k++)
      most = in[i + k] > most ? in[i + k] : most;
    out[o++] = most;
  }
  *len = 4 * o;
}

// Words of a window that no iteration asks for where it has them first.
HANDLER(corners) {
  uint32_t n = *len / 4, o = 0;
  for (uint32_t i = 0; i + 6 < n; i += 2)
    out[o++] = in[i + 3] ^ in[i + 6];
  *len = 4 * o;
}

// Behind a header, whose fields are wanted later.
HANDLER(behind) {
  uint32_t n = in[2] & 15, sum = 1;
  for (uint32_t i = 0; i < n; i++)
    sum = sum * 3 + (in[4 + i] ^ in[5 + i]);
  out[0] = sum + in[0];
  *len = 4;
}

// What a loop reads in its middle: as much of the packet is kept as is read.
HANDLER(middle) {
  uint32_t n = in[0] | 8, sum = 0;
  for (uint32_t i = 0; i < (n & 15); i++)
    sum += in[1 + i];
  out[0] = sum + in[3];
  *len = 4;
}
#endif

#ifdef FRAMES
// A window that a loop goes through, which stays one.
HANDLER(again) {
  uint32_t n = *len / 4, o = 0;
  for (uint32_t i = 0; i + 7 < n; i++) {
    // FRAMES: neighbours.c:[[#@LINE+1]]:{{.*}} warning: the stream may have passed what this reads, so the packet is kept in an array of 65536 bytes; a longer one traps
    uint32_t last = in[i + 7], most = 3;
#pragma nounroll
    for (int k = 0; k < 8; k++)
      most = in[i + k] > most ? in[i + k] : most;
    if (last == 0xdead)
      break;
    out[o++] = most + last;
  }
  *len = o * 4;
}
#endif

// The loops in it do not read the packet: the loop around them keeps what it has read.
HANDLER(adapted) {
  static uint32_t past[9], weight[9];
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i + 1 < n; i++) {
    for (int k = 8; k >= 1; k--)
      past[k] = past[k - 1];
    past[0] = in[i];
    uint32_t sum = 0;
    for (int k = 0; k < 9; k++)
      sum += weight[k] * past[k];
    const uint32_t wrong = in[i + 1] - sum;
    for (int k = 0; k < 9; k++)
      weight[k] += wrong * past[k] >> 4;
    out[i] = sum;
  }
  *len = n ? (n - 1) * 4 : 0;
}

#ifdef FRAMES
// Frames that overlap, and windows of rows and columns: the packet is kept.
HANDLER(frames) {
  uint32_t n = *len / 4, o = 0;
  for (uint32_t r = 0; r + 64 < n; r += 32) {
    uint32_t a[64];
    for (int i = 0; i < 64; i++)
      // FRAMES: neighbours.c:[[#@LINE+1]]:{{.*}} warning: the stream may have passed what this reads, so the packet is kept in an array of 65536 bytes; a longer one traps
      a[i] = in[r + i];
    for (int s = 0; s < 3; s++)
      for (int i = 1; i < 63; i++)
        a[i] = a[i - 1] * 5 + a[i + 1];
    for (int i = 0; i < 64; i++)
      out[o++] = a[i];
  }
  *len = o * 4;
}

HANDLER(edges) {
  uint32_t rows = *len / 64;
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t c = 0; c < 16; c++) {
      uint32_t sum = 0;
      if (r > 0 && r < rows - 1 && c > 0 && c < 15) {
        const uint32_t *at = in + r * 16 + c;
        // FRAMES: neighbours.c:[[#@LINE+1]]:{{.*}} warning: the stream may have passed what this reads, so the packet is kept
        sum = at[-16] + at[16] + 2 * at[-1] - 3 * at[1] + *at;
      }
      out[r * 16 + c] = sum;
    }
  *len = rows * 64;
}

// Windows of rows that do not overlap, with outputs under a condition.
HANDLER(rising) {
  uint32_t rows = *len / 64, o = 0;
  for (uint32_t r = 0; r + 1 < rows; r += 2)
    for (uint32_t c = 0; c < 15; c++) {
      // FRAMES: neighbours.c:[[#@LINE+1]]:{{.*}} warning: the stream may have passed what this reads, so the packet is kept
      uint32_t a = in[r * 16 + c], b = in[r * 16 + c + 1], d = in[(r + 1) * 16 + c];
      if (a < b)
        out[o++] = a ^ d;
    }
  *len = o * 4;
}
#endif

// A word that an inner loop reads in each of its iterations: the packet is kept.
HANDLER(in_turns) {
  uint32_t s = 1;
  for (uint32_t i = 0; i < *len / 4; i++) {
    const uint32_t k = s & 7;
    for (uint32_t t = 0; t < k; t++)
      if (s >> t & 1)
        s += in[i] * (t + 1);
    out[i] = s;
    s = s * 5 + 3;
  }
}
