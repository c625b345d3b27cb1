// Loops that go through the packet by steps that it says: the packet is kept, and the least step says how
// many iterations there are at most.
// RUN: acisc --config=%overlays/u280.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 1200 %t.word > %t.in
// DEFINE: %{equal} = acis-compare --config %overlays/u280.json --native %t.so --output-bytes 10000 --in %t.in %t.acis
// RUN: %{equal} --handler ptrs --packet-bytes 16
// RUN: %{equal} --handler ptrs --packet-bytes 400
// RUN: %{equal} --handler left --packet-bytes 16
// RUN: %{equal} --handler left --packet-bytes 400
// RUN: %{equal} --handler dowhile --packet-bytes 16
// RUN: %{equal} --handler dowhile --packet-bytes 400
// RUN: %{equal} --handler within --packet-bytes 60
// RUN: %{equal} --handler within --packet-bytes 400
// RUN: %{equal} --handler sum --packet-bytes 16
// RUN: %{equal} --handler sum --packet-bytes 400
// RUN: %{equal} --handler checked --packet-bytes 16
// RUN: %{equal} --handler checked --packet-bytes 400
// RUN: %{equal} --handler recs --packet-bytes 16
// RUN: %{equal} --handler recs --packet-bytes 400
// RUN: %{equal} --handler from --packet-bytes 16
// RUN: %{equal} --handler from --packet-bytes 400
// RUN: %{equal} --handler align --packet-bytes 16
// RUN: %{equal} --handler align --packet-bytes 400
// RUN: %{equal} --handler strs --packet-bytes 16
// RUN: %{equal} --handler strs --packet-bytes 400
// RUN: %{equal} --handler forstep --packet-bytes 16
// RUN: %{equal} --handler forstep --packet-bytes 400
// RUN: %{equal} --handler early --packet-bytes 16
// RUN: %{equal} --handler early --packet-bytes 400
// RUN: %{equal} --handler kinds --packet-bytes 16
// RUN: %{equal} --handler kinds --packet-bytes 400
// RUN: %{equal} --handler rest --packet-bytes 16
// RUN: %{equal} --handler rest --packet-bytes 400
#include <acis.h>
#include <string.h>
#define ARGS const uint8_t *restrict in, uint8_t *restrict out, uint8_t *restrict mem, uint32_t *len

ACIS_HANDLER void ptrs(ARGS) {
  const uint8_t *p = in, *end = in + *len;
  uint8_t *o = out;
  while (p + 2 <= end) {
    *o++ = p[0];
    p += 2 + (p[1] & 31);
  }
  *len = o - out;
}

ACIS_HANDLER void left(ARGS) {
  uint32_t left = *len, o = 0;
  const uint8_t *p = in;
  while (left >= 4) {
    uint32_t l = p[3] & 7;
    if (l > left - 4)
      break;
    out[o++] = p[0] ^ p[1];
    p += 4 + l;
    left -= 4 + l;
  }
  *len = o;
}

ACIS_HANDLER void dowhile(ARGS) {
  uint32_t n = *len, p = 0, o = 0;
  if (n < 8) {
    *len = 0;
    return;
  }
  do {
    out[o++] = in[p];
    p += 1 + (in[p] & 3);
  } while (p < n);
  *len = o;
}

ACIS_HANDLER void within(ARGS) {
  uint32_t n = *len;
  uint32_t hl = 20 + (in[0] & 7) * 4, p = 20, o = 0;
  if (n < hl) {
    *len = 0;
    return;
  }
  while (p < hl) {
    uint8_t kind = in[p] & 7;
    if (kind == 0)
      break;
    if (kind == 1) {
      p++;
      continue;
    }
    if (p + 1 >= hl)
      break;
    uint8_t l = in[p + 1] & 15;
    if (l < 2 || p + l > hl)
      break;
    out[o++] = kind;
    p += l;
  }
  *len = o;
}

ACIS_HANDLER void sum(ARGS) {
  uint32_t n = *len, p = 0, s = 0, c = 0;
  while (p + 1 < n) {
    s += in[p] * 3 + in[p + 1];
    c++;
    p += (in[p] & 1) ? 3 : 5;
  }
  out[0] = s;
  out[1] = s >> 8;
  out[2] = c;
  *len = 3;
}

ACIS_HANDLER void checked(ARGS) {
  uint32_t n = *len, p = 0, o = 0;
  while (p < n) {
    uint8_t t = in[p++];
    if (p >= n)
      break;
    uint8_t l = in[p++] & 15;
    if (l > n - p)
      break;
    uint8_t x = 0;
    for (uint8_t i = 0; i < l; i++)
      x ^= in[p + i];
    out[o++] = t;
    out[o++] = x;
    p += l;
  }
  *len = o;
}
struct rec {
  uint8_t type, len;
  uint16_t val;
};

ACIS_HANDLER void recs(ARGS) {
  uint32_t n = *len, p = 0, o = 0;
  while (p + sizeof(struct rec) <= n) {
    struct rec r;
    memcpy(&r, in + p, sizeof r);
    out[o++] = r.val;
    out[o++] = r.val >> 8;
    out[o++] = r.type;
    p += sizeof r + (r.len & 12);
  }
  *len = o;
}

ACIS_HANDLER void from(ARGS) {
  uint32_t n = *len, o = 0;
  uint32_t p = in[1] & 7;
  while (p < n) {
    uint8_t v = in[p];
    out[o++] = v;
    if (v == 255)
      break;
    p += (v >> 4) + 1;
  }
  out[o++] = in[0];
  *len = o;
}

ACIS_HANDLER void align(ARGS) {
  uint32_t n = *len, p = 0, o = 0;
  while (p + 4 <= n) {
    uint32_t l = 4 + (in[p + 2] & 31);
    out[o++] = in[p];
    p = (p + l + 3) & ~3u;
  }
  *len = o;
}

ACIS_HANDLER void strs(ARGS) {
  uint32_t n = *len, p = 0, o = 0;
  while (p < n) {
    uint32_t l = 0;
    while (p + l < n && in[p + l] != ' ')
      l++;
    out[o++] = l;
    p += l + 1;
  }
  *len = o;
}

ACIS_HANDLER void forstep(ARGS) {
  uint32_t n = *len, o = 0;
  for (uint32_t p = 0; p < n; p += 1 + in[p] % 7)
    out[o++] = in[p];
  *len = o;
}

ACIS_HANDLER void early(ARGS) {
  int n = *len, p = 0, found = -1;
  while (p <= n - 4) {
    if (in[p] == 0x42) {
      found = p;
      break;
    }
    p += 4 + (in[p + 1] >> 5);
  }
  out[0] = found;
  out[1] = found >> 8;
  out[2] = found != -1 ? in[found + 2] : 0;
  *len = 3;
}

// Items of four sizes, of which the larger ones are tested.
ACIS_HANDLER void kinds(ARGS) {
  const uint8_t *p = in;
  uint32_t left = *len, o = 0;
  while (left > 5) {
    uint32_t used = 4;
    switch (p[0] & 3) {
    case 0:
      out[o++] = p[4];
      used += 1;
      break;
    case 1:
      out[o++] = p[5];
      used += 2;
      break;
    case 2:
      if (left < 7)
        goto end;
      out[o++] = p[6];
      used += 3;
      break;
    default:
      if (left < 9)
        goto end;
      out[o++] = p[8];
      used += 5;
    }
    p += used;
    left -= used;
  }
end:
  *len = o;
}

// What is left is the distance to the end, without a sign.
ACIS_HANDLER void rest(ARGS) {
  uint32_t size = *len, at = 0, o = 0;
  while (size - at >= 3) {
    uint32_t more = in[at] & 15;
    out[o++] = in[at + 1] ^ in[at + 2];
    at += 3;
    if (size - at < more)
      break;
    at += more;
  }
  *len = o;
}
