// A search that gives a pointer to a member of what it has found, or null: as deep in a record as the pointer is.
// RUN: acisc --config=%overlays/u280-full.json --scalar-loops %s -o %t.acis
// RUN: acisc --config=%overlays/mesh4x4.json --scalar-loops %s -o %t.mesh
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "import random, struct; random.seed(3); open('%t.in', 'wb').write(struct.pack('<96I', *(random.randrange(24) for _ in range(96))))"
// RUN: %compare --handler member --packet-bytes 128 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --handler member --packet-bytes 128 --in %t.in %t.mesh
// RUN: %compare --handler array --packet-bytes 128 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --handler array --packet-bytes 128 --in %t.in %t.mesh
// RUN: %compare --handler record --packet-bytes 128 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --handler record --packet-bytes 128 --in %t.in %t.mesh
// RUN: %compare --handler list --packet-bytes 128 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --handler list --packet-bytes 128 --in %t.in %t.mesh
// RUN: %compare --handler two --packet-bytes 128 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --handler two --packet-bytes 128 --in %t.in %t.mesh
#include <acis.h>
#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem,  \
                         uint32_t *len)
struct value {
  uint32_t p, b;
};
struct elem {
  uint32_t k;
  struct value v;
  uint8_t used;
  uint16_t list[4];
};
static struct elem e[16];
static uint32_t *find(uint32_t k) {
  for (int i = 0; i < 16; i++)
    if (e[i].used && e[i].k == k)
      return &e[i].v.p;
  return 0;
}
HANDLER(member) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t *p = find(in[i]);
    if (p) {
      ++*p;
      out[i] = *p;
    } else {
      e[i & 15].used = 1;
      e[i & 15].k = in[i];
      e[i & 15].v.p = 0;
      out[i] = 99;
    }
  }
}
static struct {
  uint32_t key[16], val[16];
  uint32_t n;
} m;
static uint32_t *find2(uint32_t k) {
  for (int i = 0; i < 16; i++)
    if (m.key[i] == k)
      return &m.val[i];
  return 0;
}
HANDLER(array) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t *p = find2(in[i]);
    if (p) {
      ++*p;
      out[i] = *p;
    } else {
      m.key[i & 15] = in[i];
      m.val[i & 15] = 0;
      out[i] = 99;
      m.n++;
    }
  }
}
static struct elem g[8];
static struct value *find3(uint32_t k) {
  for (int i = 0; i < 8; i++)
    if (g[i].k == k)
      return &g[i].v;
  return 0;
}
HANDLER(record) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; ++i) {
    struct value *p = find3(in[i]);
    if (!p) {
      g[i & 7].k = in[i];
      g[i & 7].v.b = i;
      out[i] = 1000;
    } else
      out[i] = p->p++ * 3 + (p->b ^= i);
  }
}
static struct elem f[8];
static uint16_t *find4(uint32_t k) {
  for (int i = 0; i < 8; i++)
    if (f[i].k == k)
      return &f[i].list[k & 3];
  return 0;
}
HANDLER(list) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; ++i) {
    uint16_t *p = find4(in[i]);
    if (p != 0)
      out[i] = (*p)++;
    else {
      f[i & 7].k = in[i];
      f[i & 7].list[in[i] & 3] = i;
      out[i] = 77;
    }
  }
}
static uint32_t t[32];
static uint32_t *find5(uint32_t k) {
  for (int i = 0; i < 16; i++)
    if (t[i] == k)
      return &t[i + 16];
  return 0;
}
HANDLER(two) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t *p = find5(in[i]);
    uint32_t *q = find5(in[i] ^ 1);
    if (p && q && p != q)
      out[i] = *p + *q;
    else {
      t[i & 15] = in[i];
      t[16 + (i & 15)] = i;
      out[i] = 5;
    }
  }
}
