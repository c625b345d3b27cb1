// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Loops over rows that do more than the loop along a row, which is too long to be unrolled:
// both become one loop, see test/Import/flatten.c.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler sums --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler begun --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler passed_on --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler overwritten --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler last --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler two --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler conditions --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler written --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler sent --in %t.float.in --mem %t.float.mem %t.acis
// RUN: %compare --handler sent_some --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler wide --in %t.double.in --mem %t.double.mem %t.acis
#include <acis.h>
#define ARGS(type)                                                                                 \
  const type *restrict in, type *restrict out, type *restrict mem, uint32_t *len

// Starts with a constant in each row; a power of two of columns, and another number.
ACIS_HANDLER void sums(ARGS(float)) {
  float q[6];
  for (int r = 0; r < 3; r++) {
    float s = 0.25f;
    for (int c = 0; c < 100; c++)
      s = s * 0.5f + in[r * 100 + c];
    q[r] = s;
  }
  for (int r = 0; r < 3; r++) {
    float s = -1;
    for (int c = 0; c < 128; c++)
      s = s * 0.75f - in[300 + r * 128 + c];
    q[3 + r] = s;
  }
  for (int r = 0; r < 6; r++)
    out[r] = q[r];
  *len = 24;
}

// Starts with an element of an array, which the row replaces at its end.
static int32_t q[8];
ACIS_HANDLER void begun(ARGS(int32_t)) {
  for (int r = 0; r < 8; r++) {
    int32_t s = q[r] + r;
    for (int c = 0; c < 100; c++)
      s = (s ^ in[r * 100 + c]) * 3 + c;
    q[r] = s;
  }
  for (int r = 0; r < 8; r++)
    out[r] = q[r];
  *len = 32;
}

// A value goes through all rows; each row uses it and changes it at its end.
ACIS_HANDLER void passed_on(ARGS(int32_t)) {
  int32_t v = mem[0], w = 1, q[8];
  for (int r = 0; r < 8; r++) {
    int32_t s = v * 3;
    for (int c = 0; c < 100; c++) {
      s = (s ^ in[r * 100 + c]) * v;
      w = w * 5 + s;
    }
    v = v + (s & 7) - w;
    q[r] = s;
  }
  out[0] = v;
  out[1] = w;
  for (int r = 0; r < 8; r++)
    out[2 + r] = q[r];
  *len = 40;
}

// What is read before the row is overwritten in it, and needed until its end.
ACIS_HANDLER void overwritten(ARGS(int32_t)) {
  int32_t b[100], q[8];
  for (int c = 0; c < 100; c++)
    b[c] = in[c];
  for (int r = 0; r < 8; r++) {
    int32_t k = b[r + 2], s = 0;
    q[r] = b[r + 3];
    for (int c = 0; c < 100; c++) {
      b[c] = b[c] * 3 + k;
      s = (s ^ b[c]) + in[100 + r * 100 + c];
    }
    q[r] = q[r] + s * k;
  }
  for (int r = 0; r < 8; r++)
    out[r] = q[r];
  for (int c = 0; c < 100; c++)
    out[8 + c] = b[c];
  *len = 432;
}

// Values of a row's last iteration, its counter among them, are used behind it.
ACIS_HANDLER void last(ARGS(int32_t)) {
  int32_t q[8], s = 7;
  for (int r = 0; r < 8; r++) {
    int32_t x = 0, y = 0, c;
    for (c = 0; c < 90; c++) {
      y = x;
      x = in[r * 90 + c];
      s = s * 3 + x;
    }
    q[r] = x * 5 + y + c;
  }
  for (int r = 0; r < 8; r++)
    out[r] = q[r];
  out[8] = s;
  *len = 36;
}

// A short loop behind the long one is unrolled.
ACIS_HANDLER void two(ARGS(float)) {
  float q[6][3];
  for (int r = 0; r < 6; r++) {
    float s = 0;
    for (int c = 0; c < 100; c++)
      s = s + in[r * 100 + c];
    for (int k = 0; k < 3; k++) {
      s = s * 0.5f;
      q[r][k] = s;
    }
  }
  for (int r = 0; r < 6; r++)
    for (int k = 0; k < 3; k++)
      out[r * 3 + k] = q[r][k];
  *len = 72;
}

ACIS_HANDLER void conditions(ARGS(int32_t)) {
  int32_t q[8] = {0}, p[8] = {0};
  for (int r = 0; r < 8; r++) {
    int32_t s = 0;
    if (r & 1)
      p[r] = r * 3;
    for (int c = 0; c < 100; c++)
      if (in[r * 100 + c] > 100)
        s = s * 3 + p[r];
    if (s & 2)
      q[r] = s;
  }
  for (int r = 0; r < 8; r++)
    out[r] = q[r];
  *len = 32;
}

// The end of each row is written to memory.
ACIS_HANDLER void written(ARGS(int32_t)) {
  for (int r = 0; r < 8; r++) {
    int32_t s = 3;
    for (int c = 0; c < 100; c++)
      s = (s ^ in[r * 100 + c]) * 5;
    mem[r * 2 + 5] = s;
  }
  out[0] = 1;
  *len = 4;
}

ACIS_HANDLER void wide(ARGS(double)) {
  double q[4];
  int64_t k[4];
  for (int r = 0; r < 4; r++) {
    double s = r;
    int64_t n = -1;
    for (int c = 0; c < 100; c++) {
      double x = mem[r * 100 + c];
      s = s * 0.5 + x;
      n = n * 3 + (int64_t)x;
    }
    q[r] = s;
    k[r] = n;
  }
  for (int r = 0; r < 4; r++)
    out[r] = q[r] + (double)k[r];
  *len = 32;
}

// Two elements of each row are sent at its end.
ACIS_HANDLER void sent(ARGS(float)) {
  uint32_t n = *len / 400;
  for (uint32_t r = 0; r < n; r++) {
    float s = 0, t = 1;
    for (int c = 0; c < 100; c++) {
      s = s + in[r * 100 + c];
      t = t * 0.5f + s;
    }
    out[2 * r] = s;
    out[2 * r + 1] = t;
  }
  *len = n * 8;
}

// Some rows are sent.
ACIS_HANDLER void sent_some(ARGS(int32_t)) {
  uint32_t n = 0;
  for (uint32_t r = 0; r < 8; r++) {
    int32_t s = 0;
    for (int c = 0; c < 100; c++)
      s = s * 3 + in[r * 100 + c];
    if (s & 1) {
      out[n] = s;
      n++;
    }
  }
  *len = n * 4;
}
