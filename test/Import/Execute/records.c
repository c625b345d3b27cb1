// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Records whose members have several sizes: a stream moves by words of one.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: acisc --config=%overlays/u280-full.json %s --emit=dfg -o - | FileCheck %s
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: %compare --handler ttl --in %t.word %t.acis
// RUN: %compare --handler gaps --in %t.word %t.acis
// RUN: %compare --handler padded --in %t.word %t.acis
// RUN: %compare --handler packed --in %t.word %t.acis
// RUN: %compare --handler histogram --in %t.word %t.acis
// RUN: %compare --handler wide --in %t.word %t.acis
// RUN: %compare --handler rows --in %t.word %t.acis
// RUN: %compare --handler bits --in %t.word %t.acis
// RUN: %compare --handler swapped --in %t.word %t.acis
// RUN: %compare --handler unaligned --in %t.word %t.acis
// RUN: %compare --handler branches --in %t.word %t.acis
// RUN: %compare --handler chosen --in %t.word %t.acis
// RUN: %compare --handler filtered --in %t.word %t.acis
// RUN: %compare --handler valid --in %t.word %t.acis
// RUN: %compare --handler signs --in %t.word %t.acis
// RUN: %compare --handler fields --in %t.word %t.acis
// RUN: %compare --handler answered --packet-bytes 32 --in %t.word %t.acis
// RUN: %compare --handler space_behind --packet-bytes 32 --in %t.word %t.acis
// RUN: %compare --handler any_length --packet-bytes 160 --in %t.word %t.acis
// RUN: not acisc --config=%overlays/u280-full.json -DREFUSED %s -o %t.no 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REFUSED
#include <acis.h>
#include <string.h>
#define HANDLER(name, in_type, out_type)                                                           \
  ACIS_HANDLER void name(const in_type *restrict in, out_type *restrict out,                       \
                         const uint32_t *restrict mem, uint32_t *len)

struct ip {
  uint8_t version, tos;
  uint16_t length, id, fragment;
  uint8_t ttl, protocol;
  uint16_t sum;
  uint32_t source, target;
};

// Five words, of which each is read and written once.
// CHECK-LABEL: dfg.handler @ttl
// CHECK-COUNT-5: dfg.stream.read {{.*}} : i32
// CHECK-NOT:     dfg.stream.read
// CHECK-COUNT-5: dfg.stream.write {{.*}} : i32
HANDLER(ttl, struct ip, struct ip) {
  uint32_t count = *len / sizeof(struct ip);
  for (uint32_t i = 0; i < count; i++) {
    struct ip p = in[i];
    p.ttl--;
    uint32_t sum = p.sum + 1u;
    p.sum = (uint16_t)(sum + (sum >> 16));
    out[i] = p;
  }
  *len = count * (uint32_t)sizeof(struct ip);
}

// What is not read of a record is left out: a copy of the records in lanes, then one a cycle.
struct flow {
  uint16_t kind, port;
  uint32_t key;
  uint8_t protocol, ttl, a, b;
  float weight;
  uint32_t unused[4];
};
// CHECK-LABEL: dfg.handler @gaps
// CHECK:         dfg.stream.read
// CHECK:         dfg.vrf.write %{{.*}}, @in.rows
// CHECK:         dfg.vrf.read @in.rows
HANDLER(gaps, struct flow, uint32_t) {
  uint32_t count = *len / sizeof(struct flow);
  for (uint32_t i = 0; i < count; i++) {
    struct flow p = in[i];
    uint32_t x = p.key ^ p.port ^ (uint32_t)p.ttl << 8;
    out[i] = p.weight > 0 ? x : p.kind;
  }
  *len = count * 4;
}

// The bytes behind a member are 0.
struct narrow {
  uint16_t kind;
  uint8_t protocol, ttl;
  uint32_t key;
};
struct result {
  uint32_t key;
  uint8_t ttl;
};
HANDLER(padded, struct narrow, struct result) {
  uint32_t count = *len / sizeof(struct narrow);
  for (uint32_t i = 0; i < count; i++) {
    out[i].key = in[i].key * 3 + in[i].kind;
    out[i].ttl = in[i].ttl - 1;
  }
  *len = count * (uint32_t)sizeof(struct result);
}

// A word of two bytes is the largest that holds no member in part.
struct __attribute__((packed)) frame {
  uint8_t target[6], source[6];
  uint16_t type;
  struct ip ip;
};
// CHECK-LABEL: dfg.handler @packed
// CHECK-NOT:     dfg.stream.read {{.*}} : i32
// CHECK:         dfg.stream.read {{.*}} : i16
// CHECK-LABEL: dfg.handler @histogram
HANDLER(packed, struct frame, uint32_t) {
  uint32_t count = *len / sizeof(struct frame);
  for (uint32_t i = 0; i < count; i++) {
    struct frame f = in[i];
    out[i] = (f.type ^ f.ip.source ^ f.ip.target) + f.ip.ttl + f.target[5];
  }
  *len = count * 4;
}

struct sample {
  uint32_t source, target;
  uint16_t from, to;
  uint32_t bytes;
};
HANDLER(histogram, struct sample, uint32_t) {
  uint32_t counts[64] = {0};
  for (uint32_t i = 0; i < *len / sizeof(struct sample); i++) {
    const struct sample s = in[i];
    uint32_t key = s.source ^ (s.target << 7 | s.target >> 25);
    key = (key ^ ((uint32_t)s.from << 16 | s.to)) * 0x9e3779b1u;
    counts[key >> 26] += s.bytes;
  }
  for (int i = 0; i < 64; i++)
    out[i] = counts[i];
  *len = 256;
}

struct pair {
  uint64_t key;
  uint32_t count, flags;
};
HANDLER(wide, struct pair, struct pair) {
  uint32_t count = *len / sizeof(struct pair);
  for (uint32_t i = 0; i < count; i++) {
    struct pair p = in[i];
    out[i].key = p.key * 3 + p.count;
    out[i].count = p.count + (uint32_t)(p.key >> 40);
    out[i].flags = p.flags ^ 1;
  }
  *len = count * (uint32_t)sizeof(struct pair);
}

// A member that is an array.
struct tagged {
  uint16_t tag, length;
  uint32_t values[3];
};
HANDLER(rows, struct tagged, uint32_t) {
  uint32_t count = *len / sizeof(struct tagged);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t sum = in[i].tag * 5u + in[i].length;
    for (int k = 0; k < 3; k++)
      sum = sum * 31 + in[i].values[k];
    out[i] = sum;
  }
  *len = count * 4;
}

struct fields {
  uint32_t a : 4, b : 12, c : 16;
  uint16_t d : 9, e : 7;
  uint8_t f, g;
};
HANDLER(bits, struct fields, struct fields) {
  uint32_t count = *len / sizeof(struct fields);
  for (uint32_t i = 0; i < count; i++) {
    struct fields p = in[i];
    p.c += p.a * p.b;
    p.e ^= p.d;
    p.g += p.f;
    out[i] = p;
  }
  *len = count * (uint32_t)sizeof(struct fields);
}

// Written last first, and twice.
HANDLER(swapped, struct narrow, struct narrow) {
  uint32_t count = *len / sizeof(struct narrow);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t key = in[i].key;
    out[i].key = key + in[i].ttl;
    out[i].ttl = 7;
    out[i].protocol = (uint8_t)key;
    out[i].kind = in[i].kind + 1;
    out[i].ttl = in[i].protocol;
  }
  *len = count * (uint32_t)sizeof(struct narrow);
}

// Nine bytes, of which one member of four is read.
struct __attribute__((packed)) nine {
  uint8_t a;
  uint32_t b, c;
};
HANDLER(unaligned, struct nine, uint32_t) {
  uint32_t count = *len / sizeof(struct nine);
  for (uint32_t i = 0; i < count; i++)
    out[i] = in[i].c * 3;
  *len = count * 4;
}

// Members of a word that are written in several blocks, each in every iteration.
HANDLER(branches, struct narrow, struct narrow) {
  uint32_t count = *len / sizeof(struct narrow);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t key = in[i].key, kind = in[i].kind, ttl = in[i].ttl + in[i].protocol;
    out[i].kind = (uint16_t)(key > 5 ? kind / 3 : kind * key);
    out[i].protocol = (uint8_t)(ttl > 9 && key > kind ? ttl % 7 : ttl);
    out[i].key = key;
    out[i].ttl = (uint8_t)(kind > 77 ? key / 5 : key);
  }
  *len = count * (uint32_t)sizeof(struct narrow);
}

// One of several members, by another.
HANDLER(chosen, struct sample, uint32_t) {
  uint32_t count = *len / sizeof(struct sample);
  for (uint32_t i = 0; i < count; i++)
    out[i] = in[i].from & 1 ? in[i].source : in[i].to & 2 ? in[i].target : in[i].bytes;
  *len = count * 4;
}

HANDLER(filtered, struct sample, uint32_t) {
  uint32_t sent = 0;
  for (uint32_t i = 0; i < *len / sizeof(struct sample); i++)
    if (in[i].to > 77)
      out[sent++] = in[i].source;
  *len = 4 * sent;
}

// Conditions that look at one member after the other.
HANDLER(valid, struct frame, uint32_t) {
  uint32_t count = *len / sizeof(struct frame);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t bad = (in[i].type & 7) != 3 || (in[i].ip.version >> 4) == 4 || in[i].ip.ttl == 0;
    out[i] = bad ? 0 : in[i].ip.source ^ in[i].ip.target;
  }
  *len = count * 4;
}

// Bytes of which some have a sign.
struct __attribute__((packed)) mixed {
  int8_t a;
  uint8_t b;
  int16_t c;
  uint8_t d;
};
HANDLER(signs, struct mixed, int32_t) {
  uint32_t count = *len / sizeof(struct mixed);
  for (uint32_t i = 0; i < count; i++)
    out[i] = in[i].a * in[i].b + in[i].c - in[i].d;
  *len = count * 4;
}

// A record as a whole, of which the bits of some bytes change: still words.
// CHECK-LABEL: dfg.handler @fields
// CHECK-NOT: dfg.stream.{{.*}} : i8
// CHECK-COUNT-5: dfg.stream.read {{.*}} : i32
// CHECK-COUNT-5: dfg.stream.write {{.*}} : i32
struct network {
  uint8_t ihl : 4, version : 4;
  uint8_t tos;
  uint16_t length, id;
  uint16_t flags : 3, fragment : 13;
  uint8_t ttl, protocol;
  uint16_t check;
  uint32_t source, destination;
};
HANDLER(fields, struct network, struct network) {
  uint32_t count = *len / sizeof(struct network);
  for (uint32_t i = 0; i < count; i++) {
    struct network h = in[i];
    if (h.ttl > 0)
      h.ttl--;
    uint32_t sum = h.check + 0x0100u;
    h.check = (uint16_t)(sum + (sum >> 16));
    h.fragment = h.fragment + 1;
    h.ihl = 5;
    out[i] = h;
  }
  *len = count * sizeof(struct network);
}

// A header that is answered by a changed copy: SROA leaves what is only copied as a record without a name.
struct arp {
  uint16_t hardware, protocol;
  uint8_t sizes[2];
  uint16_t operation;
  uint8_t sender[6], sender_ip[4], target[6], target_ip[4];
};
HANDLER(answered, uint8_t, uint8_t) {
  static const uint8_t mac[6] = {2, 0, 0, 0, 0, 1};
  struct arp asked, answer;
  if (*len < sizeof asked) {
    *len = 0;
    return;
  }
  __builtin_memcpy(&asked, in, sizeof asked);
  if (asked.operation & 1) {
    *len = 0;
    return;
  }
  answer = asked;
  answer.operation = 0x0200;
  __builtin_memcpy(answer.target, asked.sender, 6);
  __builtin_memcpy(answer.target_ip, asked.sender_ip, 4);
  __builtin_memcpy(answer.sender, mac, 6);
  __builtin_memcpy(answer.sender_ip, asked.target_ip, 4);
  __builtin_memcpy(out, &answer, sizeof answer);
  *len = sizeof answer;
}

// The space behind the last member is sent, too.
struct status {
  uint32_t sum;
  uint8_t count, kind;
};
HANDLER(space_behind, uint32_t, struct status) {
  static struct status all;
  all.sum += in[0];
  all.count++;
  all.kind = 3;
  *out = all;
  *len = sizeof all;
}

// Copies and fills of which the length is known when they run, from and to members that are arrays.
struct item {
  uint16_t length;
  uint16_t data[40];
  uint8_t tail[64];
};
HANDLER(any_length, uint8_t, uint8_t) {
  static struct item items[4];
  struct item last;
  memset(&last, 0, sizeof last);
  const uint32_t n = *len < 80 ? *len : 80;
  struct item *item = &items[in[0] & 3];
  item->length = (uint16_t)n;
  memset(item->tail, in[1], n & 31);
  memcpy(item->data + 2, in + 2, (n - 2) & 62);
  memcpy(last.tail + 1, item->tail, item->length & 31);
  uint32_t sum = 1;
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < 40; i++)
      sum = sum * 31 + items[k].data[i];
    for (int i = 0; i < 64; i++)
      sum = sum * 7 + items[k].tail[i] + last.tail[i];
  }
  for (int i = 0; i < 4; i++)
    out[i] = sum >> 8 * i;
  *len = 4;
}

#ifdef REFUSED
// REFUSED: records.c:[[#@LINE+5]]:{{.*}}error:
// A member that is not always written.
HANDLER(sometimes, struct narrow, struct narrow) {
  for (uint32_t i = 0; i < *len / sizeof(struct narrow); i++) {
    out[i].key = in[i].key;
    if (in[i].kind) out[i].ttl = 1;
    out[i].kind = out[i].protocol = 0;
  }
}
#endif
