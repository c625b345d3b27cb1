// Arrays of records, and records that hold arrays: each member is an array in the register file.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: %compare --handler flows --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler read_flows --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler segments --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler exchange --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler sweep --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler history --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler cuckoo --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler unread --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler top --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler through --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler sides --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler numbered --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler loaded --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler small --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler punned --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler members --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler either --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler moved --packet-bytes 512 --in %t.word %t.acis
#include <acis.h>
#include <string.h>

#define HANDLER(name, in_type, out_type)                                                           \
  ACIS_HANDLER void name(const in_type *restrict in, out_type *restrict out,                       \
                         const uint32_t *restrict mem, uint32_t *len)
#define EACH for (uint32_t i = 0; i < *len / 4; i++)

// A pointer to a record; members of one size. Another handler reads what this one has left.
struct flow {
  uint32_t packets, bytes;
  float rate;
};
static struct flow table[128];
HANDLER(flows, uint32_t, uint32_t) {
  EACH {
    struct flow *f = &table[in[i] % 128];
    f->packets++;
    f->bytes += in[i] >> 16;
    f->rate = f->rate * 0.875f + (float)(in[i] >> 16);
    out[i] = f->packets ^ f->bytes ^ (uint32_t)f->rate;
  }
}
HANDLER(read_flows, uint32_t, uint32_t) {
  EACH out[i] = table[in[i] % 128].packets + table[in[i] % 64].bytes;
}

// Members of several sizes, records and arrays in records, initial values that end in zeros, a
// constant table with padding, a local one.
struct point {
  int16_t x, y;
  uint32_t w;
};
struct segment {
  struct point a, b;
  uint8_t tag[4];
};
static struct segment all[16] = {[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9, 10}}};
static const struct {
  uint32_t factor;
  uint8_t shift;
} steps[4] = {{3, 1}, {5, 2}, {7, 3}, {11, 4}};
HANDLER(segments, uint32_t, uint32_t) {
  struct {
    uint32_t k, v;
  } local[8];
  for (int i = 0; i < 8; i++) {
    local[i].k = 3 * i;
    local[i].v = 0;
  }
  EACH {
    uint32_t v = in[i];
    struct segment *s = &all[v & 15];
    s->a.x += (int16_t)v;
    s->b.w ^= v;
    s->tag[(v >> 4) & 3]++;
    s->a.w = s->b.w * steps[v >> 30].factor >> steps[v >> 30].shift;
    local[v >> 29].v += s->a.x;
    out[i] = s->a.w + (uint32_t)s->a.x + s->tag[(v >> 8) & 3] + local[v >> 29].v * local[1].k;
  }
}

// Whole records.
struct cell {
  uint32_t key;
  int16_t age, use;
};
static struct cell cells[64];
HANDLER(exchange, uint32_t, uint32_t) {
  EACH {
    struct cell *a = &cells[in[i] % 64], *b = &cells[in[i] / 64 % 64];
    struct cell t = *a;
    *a = *b;
    t.key += in[i];
    t.age++;
    *b = t;
    out[i] = a->key ^ b->key ^ (uint32_t)b->age;
  }
}

// A pointer that goes from record to record; a local table with initial values.
HANDLER(sweep, uint32_t, uint32_t) {
  static struct cell some[32];
  EACH {
    some[i % 32].key += in[i];
    some[i % 32].age = (int16_t)i;
  }
  uint32_t sum = 0, most = 0;
  for (struct cell *c = some; c != some + 32; c++) {
    sum += c->key;
    most = (uint32_t)c->age > most ? (uint32_t)c->age : most;
  }
  const struct cell fixed[4] = {{1, 2, 3}, {3, 4, 5}, {5, 6, 7}, {7, 8, 9}};
  out[0] = sum;
  out[1] = most;
  out[2] = fixed[sum % 4].key + (uint32_t)fixed[most % 4].use;
  *len = 12;
}

// A local record with an array, filled with zeros; a static one keeps what it has.
HANDLER(history, uint32_t, float) {
  struct {
    float last[8];
    uint32_t n;
    float mean;
  } now = {0};
  static struct {
    uint32_t calls;
    float held[4];
  } kept = {5, {1, 2, 3, 4}};
  kept.calls++;
  EACH {
    float x = (float)(in[i] & 0xffff);
    now.last[i % 8] = now.last[(i + 3) % 8] + x;
    now.mean += (x - now.mean) * 0.01f;
    now.n++;
    kept.held[now.n % 4] += 1.0f;
    out[i] = now.last[i % 8] + now.mean + kept.held[i % 4] + (float)kept.calls;
  }
}

// Two records at once, one of two.
HANDLER(cuckoo, uint32_t, uint32_t) {
  static struct {
    uint32_t key, value;
  } nests[2][64];
  EACH {
    uint32_t key = in[i] & 0xff, side = nests[0][key % 64].key == key ? 0 : 1;
    if (nests[side][key % 64].key == key)
      nests[side][key % 64].value++;
    else
      nests[key & 1][key % 64].key = key;
    out[i] = nests[side][key % 64].value;
  }
}

// What is read for a copy that is the same element again is read by nothing.
HANDLER(unread, uint32_t, uint32_t) {
  struct {
    struct {
      int16_t part[2];
      int8_t small;
    } inner[2];
    uint16_t other;
    int16_t last;
  } c = {0};
  EACH {
    __typeof__(c) w = c;
    w.last = c.inner[i / 2 & 1].part[i / 2 & 1];
    c = w;
    c.inner[1].small = 0;
    out[i] = in[i];
  }
}

// The largest eight so far: as scalars they would be more than a loop can hand on.
struct item {
  uint32_t key, value;
};
HANDLER(top, struct item, struct item) {
  struct item best[8];
  for (int k = 0; k < 8; k++)
    best[k] = (struct item){k, 0};
  for (uint32_t i = 0; i < *len / 8; i++) {
    struct item x = in[i];
    for (int k = 0; k < 8; k++)
      if (x.value > best[k].value) {
        struct item t = best[k];
        best[k] = x;
        x = t;
      }
  }
  for (int k = 0; k < 8; k++)
    out[k] = best[k];
  *len = sizeof best;
}

// A pointer that goes through the array of a record, also back.
struct list {
  uint32_t used;
  uint16_t items[8];
};
static struct list lists[16];
HANDLER(through, uint32_t, uint32_t) {
  EACH {
    struct list *l = &lists[in[i] & 15];
    l->items[l->used & 7] = (uint16_t)in[i];
    l->used++;
    const uint16_t *last = &l->items[(in[i] >> 4 & 3) + 1];
    uint32_t sum = *(last - 1);
    for (const uint16_t *p = l->items; p != l->items + 8; p++)
      sum += *p;
    out[i] = sum;
  }
}

// One of two local tables, whose records have arrays.
HANDLER(sides, uint32_t, uint32_t) {
  struct list left[4] = {0}, right[8] = {0};
  EACH {
    uint32_t v = in[i] >> 1;
    struct list *l = in[i] & 1 ? &left[v & 3] : &right[v & 7];
    l->items[v >> 3 & 7] += (uint16_t)v;
    l->used += l->items[v >> 6 & 7];
    out[i] = l->used;
  }
}

// The number of a record from its address.
HANDLER(numbered, uint32_t, uint32_t) {
  static struct flow seen[24];
  EACH {
    struct flow *most = seen;
    for (int k = 1; k < 24; k++)
      if (seen[k].packets > most->packets)
        most = &seen[k];
    seen[in[i] % 24].packets += in[i] >> 28;
    out[i] = (uint32_t)(most - seen);
  }
}

// More records than are worth an assignment each.
HANDLER(loaded, struct item, uint32_t) {
  static struct item rules[40];
  if (*len < sizeof rules) {
    *len = 0;
    return;
  }
  memcpy(rules, in, sizeof rules);
  const uint32_t count = *len / 8 - 40;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t key = in[i + 40].key;
    out[i] = rules[key % 40].value ^ rules[key / 40 % 40].key;
  }
  *len = count * 4;
}

// Whole records with arrays that are no larger than a number: LLVM copies these as one.
struct pair {
  uint32_t key;
  uint32_t both[2];
  uint8_t tags[8];
};
HANDLER(small, uint32_t, uint32_t) {
  static struct pair only[1], other[2];
  EACH {
    struct pair copy = only[0];
    copy.both[i & 1] = in[i] + copy.tags[in[i] & 7];
    copy.tags[i / 2 & 7] = (uint8_t)copy.both[0];
    only[0] = copy;
    other[in[i] >> 3 & 1] = only[0];
    out[i] = other[0].both[1] + other[1].tags[3] + copy.key;
  }
}

// Where other bytes than those of members are accessed, or a pointer may be into different records,
// the records are arrays of bytes.
struct header {
  uint8_t a, b;
  uint16_t length;
  uint32_t source;
};
HANDLER(punned, uint32_t, uint32_t) {
  EACH {
    struct header h = {1, 2, 3, in[i]};
    const uint8_t *bytes = (const uint8_t *)&h;
    out[i] = bytes[in[i] % 8] << 8 | bytes[in[i] >> 8 & 7];
  }
}
static struct cell mixed[8];
HANDLER(members, uint32_t, uint32_t) {
  EACH {
    int16_t *one = in[i] & 1 ? &mixed[in[i] >> 1 & 7].age : &mixed[in[i] >> 4 & 7].use;
    out[i] = (uint32_t)++*one;
  }
}
static struct header known[16];
static const uint8_t nobody[6] = {9, 8, 7, 6, 5, 4};
HANDLER(either, uint32_t, uint32_t) {
  EACH {
    struct header *own = &known[in[i] & 15];
    const uint8_t *bytes = own->length > 40000 ? (const uint8_t *)own : nobody;
    own->length = (uint16_t)(in[i] >> 16);
    own->source += in[i];
    out[i] = bytes[3] << 8 | bytes[in[i] >> 4 & 3];
  }
}

// As many records as the packet says, from one table to another one, and within one.
HANDLER(moved, uint32_t, uint32_t) {
  struct flow next[40], now[40];
  const uint32_t count = *len / 4 < 32 ? *len / 4 : 32;
  for (uint32_t i = 0; i < 40; i++)
    now[i] = (struct flow){i, 2 * i, 1.5f};
  for (uint32_t i = 0; i < count; i++)
    next[i] = (struct flow){in[i], i, (float)i};
  memcpy(now + 1, next, count * sizeof *now);
  memmove(now + 3, now + 2, count / 2 * sizeof *now);
  for (uint32_t i = 0; i < count; i++)
    out[i] = now[i].packets ^ now[i].bytes ^ (uint32_t)now[i].rate;
  *len = count * 4;
}
