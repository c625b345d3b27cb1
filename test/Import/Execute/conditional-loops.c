// A loop over a stream has a short loop of arrays behind a condition that the data decide.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 2048 %t.word > %t.in
// RUN: %compare --handler flowlets --packet-bytes 384 --in %t.in %t.acis
// RUN: %compare --handler flowlets --packet-bytes 1024 --in %t.in %t.acis
// RUN: %compare --handler sequence --packet-bytes 512 --in %t.in %t.acis
// RUN: %compare --handler chained --packet-bytes 512 --in %t.in %t.acis
// RUN: %compare --handler guarded --packet-bytes 512 --in %t.in %t.acis
#include <acis.h>

static uint32_t last[64], load[4], now;
static uint8_t port[64], valid[64];

static uint8_t best(void) {
  uint32_t p = 0;
  for (uint32_t i = 1; i < 4; i++)
    if (load[i] < load[p])
      p = i;
  return (uint8_t)p;
}

ACIS_HANDLER void flowlets(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem,
                           uint32_t *len) {
  uint32_t n = *len / 12;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t flow = in[3 * i] % 64, size = in[3 * i + 1] % 1500;
    now += in[3 * i + 2] & 63;
    for (int p = 0; p < 4; p++)
      load[p] -= load[p] >> 5;
    if (!valid[flow] || now - last[flow] > 500) {
      port[flow] = best();
      valid[flow] = 1;
    }
    last[flow] = now;
    load[port[flow]] += size;
    out[i] = port[flow];
  }
  *len = 4 * n;
}

static uint32_t expected[8], pending[8];

ACIS_HANDLER void sequence(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem,
                           uint32_t *len) {
  uint32_t n = *len / 8, o = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t g = in[2 * i] % 8, s = in[2 * i + 1] % 40;
    int32_t ahead = (int32_t)(s - expected[g]);
    if (ahead < 0)
      continue;
    if (ahead == 0) {
      expected[g]++;
      pending[g] >>= 1;
      for (int k = 0; k < 3 && (pending[g] & 1); k++) {
        expected[g]++;
        pending[g] >>= 1;
      }
      out[o++] = g << 16 | expected[g];
    } else if (ahead < 32) {
      pending[g] |= 1u << ahead;
    } else {
      out[o++] = 0x80000000u | g << 16 | expected[g];
      expected[g] = s + 1;
      pending[g] = 0;
    }
  }
  *len = o * 4;
}

static uint32_t table[16];

// Two loops, one of them in a chain of conditions; their results meet.
ACIS_HANDLER void chained(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem,
                          uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t x = in[i], y = x >> 7;
    if (x % 3 == 0) {
      for (int k = 0; k < 16; k++)
        y ^= table[k] << k;
    } else if (x % 3 == 1 || x % 7 == 2) {
      for (int k = 0; k < 16; k++) {
        table[k] += x >> k;
        y += table[k];
      }
    } else {
      table[x % 16] = x;
    }
    out[i] = y;
  }
}

// What must not be done needlessly: a place outside of the array, a division by 0.
ACIS_HANDLER void guarded(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem,
                          uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t x = in[i] % 32, y = 1;
    if (x != 0 && (x < 8 || x == 9))
      for (int k = 0; k < 6; k++)
        y = y * 3 + 1000 / x + table[x + k];
    out[i] = y;
  }
}
