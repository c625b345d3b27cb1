// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Loops over rows of the stream that read it beside the loop along a row, or in another order than
// it comes in: rows are copied into an array first.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: acisc --config=%overlays/u280-full.json %s --emit=dfg -o - | FileCheck %s
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %python -c "open('%t.long', 'wb').write(bytes(i * i %% 251 for i in range(24012)))"
// RUN: %compare --handler rounds --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler parts --in %t.long --mem %t.word.mem %t.acis
// RUN: %compare --handler vectors --packet-bytes 276 --in %t.long --mem %t.word.mem %t.acis
// RUN: %compare --handler popped --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler skipping --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler columns --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler transposed --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler again --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler carried --in %t.long --mem %t.word.mem %t.acis
// RUN: %compare --handler after --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler bytes --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler wide --in %t.double.in --mem %t.double.mem %t.acis
// RUN: %compare --handler ended --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler guarded --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler stride --in %t.word.in --mem %t.word.mem %t.acis
#include <acis.h>
#define ARGS(type)                                                                                 \
  const type *restrict in, type *restrict out, type *restrict mem, uint32_t *len

// A number of rows that is not known: a loop over parts of the stream is around both.
// CHECK-LABEL: dfg.handler @rounds
// CHECK:         dfg.stream.read
// CHECK-NEXT:    dfg.vrf.write %{{.*}}, @in.rows [%element] : i32
// CHECK:         dfg.vrf.read @in.rows [%row * 2] : i32
// CHECK-NEXT:    dfg.vrf.read @in.rows [%row * 2 + 1] : i32
// CHECK-NEXT:    dfg.loop {{.*}} attributes {flatten}
ACIS_HANDLER void rounds(ARGS(uint32_t)) {
  for (uint32_t b = 0; b < *len / 8; b++) {
    uint32_t x = in[2 * b], y = in[2 * b + 1];
    for (uint32_t i = 0; i < 64; i++) {
      x += (y << 4 ^ y >> 5) + i;
      y ^= x * 5 + (x >> 3);
    }
    out[2 * b] = x;
    out[2 * b + 1] = y;
  }
  *len = *len / 8 * 8;
}

// Unrolled, a row would wait for the one before in 40 places: it becomes one loop with the rows,
// which have to be copied then. More rows than the array holds, from a place that is not the beginning.
ACIS_HANDLER void parts(ARGS(uint32_t)) {
  uint32_t n = *len / 4 - 3, s = in[0];
  for (uint32_t r = 0; r < n; r++) {
    uint32_t x = in[3 + r] ^ s;
    for (uint32_t i = 0; i < 40; i++)
      x = x * 3 ^ x >> 7 ^ i;
    s += x;
  }
  out[0] = s;
  out[1] = n;
  *len = 8;
}

ACIS_HANDLER void popped(ARGS(uint32_t)) {
  uint32_t n = acis_pop(in) & 31;
  for (uint32_t r = 0; r <= n; r++) {
    uint32_t x = acis_pop(in);
    for (uint32_t i = 0; i < 40; i++)
      x = x * 3 ^ x >> 7 ^ i;
    acis_push(out, x);
  }
  acis_push(out, acis_pop(in));
  *len = 4 * (n + 2);
}

// Elements of a row that nobody reads, also behind the last one that is read.
ACIS_HANDLER void skipping(ARGS(uint32_t)) {
  for (uint32_t r = 0; r < 7; r++) {
    uint32_t x = in[10 * r + 4] * in[10 * r + 2];
    for (uint32_t i = 0; i < 50; i++)
      x = (x ^ i) * 7 + (x >> 9);
    out[r] = x;
  }
  out[7] = in[67];
  *len = 32;
}

// Blocks of 4 by 4, read by columns and along the diagonal.
// CHECK-LABEL: dfg.handler @columns
// CHECK:         @in.rows
ACIS_HANDLER void columns(ARGS(uint32_t)) {
  for (uint32_t b = 0; b < *len / 64; b++)
    for (uint32_t j = 0; j < 4; j++)
      for (uint32_t i = 0; i < 4; i++)
        out[b * 16 + j * 4 + i] = in[b * 16 + i * 4 + j] - in[b * 16 + 5 * i];
  *len = *len / 64 * 64;
}

// Parts that overlap: all of the matrix is copied, of which the last row has fewer elements.
ACIS_HANDLER void transposed(ARGS(uint32_t)) {
  for (uint32_t j = 0; j < 9; j++)
    for (uint32_t i = 0; i < 5; i++)
      out[j * 5 + i] = in[3 + i * 9 + j] * 3;
  out[45] = in[3 + 45];
  *len = 184;
}

// The same part again and again.
ACIS_HANDLER void again(ARGS(uint32_t)) {
  uint32_t s = 1;
  for (uint32_t j = 0; j < 6; j++)
    for (uint32_t i = 0; i < 20; i++)
      s = s * 3 + (in[i] ^ j);
  out[0] = s;
  out[1] = in[20];
  *len = 8;
}

// What goes from one row to the next goes from part to part.
ACIS_HANDLER void carried(ARGS(uint32_t)) {
  uint32_t a = 1, last = 0, most = 0;
  for (uint32_t r = 0; r < 3000; r++) {
    uint32_t x = in[r];
    for (uint32_t i = 0; i < 33; i++)
      x = x * a + i;
    a = (a ^ x) | 1;
    last = x ^ r;
    most = x > most ? x : most;
  }
  out[0] = a;
  out[1] = last;
  out[2] = most;
  *len = 12;
}

// The stream goes on behind the rows.
ACIS_HANDLER void after(ARGS(uint32_t)) {
  uint32_t s = 0;
  for (uint32_t r = 0; r < 5; r++) {
    uint32_t x = in[r];
    for (uint32_t i = 0; i < 33; i++)
      x = x * 5 + (x >> 3) + i;
    s ^= x;
  }
  for (uint32_t i = 0; i < 20; i++)
    out[i] = in[5 + i] + s;
  *len = 80;
}

ACIS_HANDLER void bytes(const uint8_t *restrict in, uint32_t *restrict out,
                        const uint8_t *restrict mem, uint32_t *len) {
  for (uint32_t r = 0; r < *len / 3; r++) {
    uint32_t x = in[3 * r] + 256u * in[3 * r + 2];
    for (uint32_t i = 0; i < 40; i++)
      x = x * x + (x >> 5) + in[3 * r + 1];
    out[r] = x;
  }
  *len = *len / 3 * 4;
}

ACIS_HANDLER void wide(ARGS(double)) {
  for (uint32_t r = 0; r < *len / 16; r++) {
    double x = in[2 * r], y = in[2 * r + 1];
    for (uint32_t i = 0; i < 30; i++) {
      double t = x * 0.75 - y;
      y = y * 0.5 + x;
      x = t;
    }
    out[r] = x + y;
  }
  *len = *len / 16 * 8;
}

// The inner loop, of scalars alone, may end early.
ACIS_HANDLER void ended(ARGS(uint32_t)) {
  for (uint32_t r = 0; r < *len / 4; r++) {
    uint32_t x = in[r] & 0xffff, steps = 0;
    while (x > 1 && steps < 60) {
      x = x & 1 ? 3 * x + 1 : x / 2;
      steps++;
    }
    out[r] = steps << 16 | (x & 0xffff);
  }
}

// It runs in some of the rows only.
ACIS_HANDLER void guarded(ARGS(uint32_t)) {
  for (uint32_t r = 0; r < *len / 4; r++) {
    uint32_t x = in[r], y = 5;
    if (x & 1) {
      if (x & 2)
        for (uint32_t i = 0; i < 50; i++)
          x = x * 3 ^ (x >> 11);
      y = x >> 4;
    }
    out[r] = x - y;
  }
}

// A place in an array that moves by what is not a constant.
ACIS_HANDLER void stride(ARGS(uint32_t)) {
  uint32_t t[64], step = in[0] & 7, s = 0;
  for (uint32_t i = 0; i < 64; i++)
    t[i] = mem[i];
  for (uint32_t i = 0; i < 8; i++) {
    s = (s ^ t[3 + i * step]) * 3;
    t[(i * step + s) & 63] = s;
  }
  for (uint32_t i = 0; i < 64; i++)
    out[i] = t[i];
  *len = 256;
}

// A loop alone that reads two parts of the packet at once, which are no whole beats apart.
ACIS_HANDLER void vectors(ARGS(uint32_t)) {
  for (uint32_t i = 0; i < 20; i++)
    out[i] = in[i] ^ (in[20 + i] << 3);
  *len = 80;
}
