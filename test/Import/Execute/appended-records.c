// Records with members of several sizes, and padding, that are appended on one of several ways.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler one --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler two --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler three --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler four --packet-bytes 200 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: head -c 300 %t.word.in > %t.in
// RUN: %compare --handler five --packet-bytes 100 --in %t.in --mem %t.word.mem %t.acis
#include <acis.h>
struct ev {
  uint32_t a;
  uint16_t b;
  uint8_t c;
};
struct ev2 {
  uint8_t k, i;
  uint32_t a;
};
struct ev3 {
  uint16_t id;
  uint8_t t;
  uint32_t v;
  uint8_t w[3];
};
#define A(T) const uint32_t *restrict in, struct T *restrict out, void *restrict mem, uint32_t *len
ACIS_HANDLER void one(A(ev)) {
  uint32_t n = *len / 4, o = 0;
  for (uint32_t i = 0; i < n; i++)
    if (in[i] & 1) {
      out[o].a = in[i];
      out[o].b = in[i] >> 3;
      out[o].c = i;
      o++;
    }
  *len = o * sizeof *out;
}
ACIS_HANDLER void two(A(ev2)) {
  uint32_t n = *len / 4, o = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (in[i] & 1) {
      out[o].k = 1;
      out[o].i = i;
      out[o].a = in[i];
      o++;
    } else if (in[i] & 2) {
      out[o].k = 2;
      out[o].i = i + 3;
      out[o].a = in[i] ^ 5;
      o++;
    }
  }
  *len = o * sizeof *out;
}
static uint32_t t[16];
ACIS_HANDLER void three(A(ev2)) {
  uint32_t n = *len / 4, o = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t s = in[i] & 15;
    switch (in[i] >> 8 & 3) {
    case 0:
      if (in[i] > t[s]) {
        t[s] = in[i];
        out[o].k = 1;
        out[o].i = i;
        out[o].a = t[s];
        o++;
      } else {
        out[o].k = 9;
        out[o].i = i;
        out[o].a = t[s];
        o++;
      }
      break;
    case 1:
      if (t[s]) {
        out[o].k = 2;
        out[o].i = i + 3;
        out[o].a = in[i] ^ 5;
        o++;
      }
      break;
    case 2:
      out[o++] = (struct ev2){7, s, i};
      break;
    }
  }
  *len = o * sizeof *out;
}
ACIS_HANDLER void four(A(ev3)) {
  uint32_t n = *len / 4, o = 0;
  for (uint32_t i = 0; i < n; i++) {
    struct ev3 e = {i, in[i] & 3, in[i] >> 2, {1, 2, 3}};
    if (in[i] & 4)
      continue;
    if (in[i] & 8)
      e.w[1] = i;
    else if (in[i] & 16) {
      e.v += 3;
      e.w[2]++;
    }
    out[o++] = e;
    if (in[i] & 32) {
      e.t = 9;
      out[o++] = e;
    }
  }
  *len = o * sizeof *out;
}
ACIS_HANDLER void five(const uint8_t *restrict in, struct ev3 *restrict out, void *restrict mem,
                       uint32_t *len) {
  uint32_t n = *len, o = 0;
  for (uint32_t i = 0; i < n; i++)
    if (in[i] > 100) {
      out[o].id = i;
      out[o].t = in[i];
      out[o].v = o;
      out[o].w[0] = 1;
      out[o].w[1] = in[i] / 3;
      out[o].w[2] = 0;
      o++;
    } else if (in[i] > 50) {
      struct ev3 *e = &out[o++];
      e->id = 3;
      e->t = 1;
      e->v = i;
      e->w[0] = in[i];
      e->w[1] = 5;
      e->w[2] = 6;
    }
  *len = o * sizeof *out;
}
