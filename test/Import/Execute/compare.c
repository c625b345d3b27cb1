// memcmp is a loop over bytes, of arrays of bytes wherever they are.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "import random; r = random.Random(7); open(r'%t.in', 'wb').write(b''.join(bytes([r.randrange(2) for _ in range(15)] + [r.randrange(256)]) for _ in range(64)))"
// RUN: %compare --handler seen --in %t.in %t.acis
// RUN: %compare --handler order --in %t.in %t.acis
// RUN: %compare --handler find --in %t.in %t.acis
// RUN: %compare --handler prefix --in %t.in %t.acis
#include <acis.h>
#include <string.h>

#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint8_t *restrict in, uint8_t *restrict out,                        \
                         const uint8_t *restrict mem, uint32_t *len)

static uint8_t last[16];

/* The same bytes as the packet before? */
HANDLER(seen) {
  uint8_t key[16];
  for (int i = 0; i < 16; i++)
    key[i] = in[i];
  out[0] = memcmp(key, last, sizeof key) == 0;
  memcpy(last, key, sizeof key);
  *len = 1;
}

/* The sign, and of a part. */
HANDLER(order) {
  uint8_t a[16], b[16];
  for (int i = 0; i < 16; i++)
    a[i] = in[i];
  for (int i = 0; i < 16; i++)
    b[i] = in[16 + i];
  int whole = memcmp(a, b, 16), part = memcmp(a + 4, b + 4, 8), none = memcmp(a, b, 0);
  out[0] = (uint8_t)((whole > 0) - (whole < 0));
  out[1] = (uint8_t)((part > 0) - (part < 0));
  out[2] = (uint8_t)none;
  *len = 3;
}

static const uint8_t names[4][4] = {"GET ", "PUT ", "POST", {0, 1, 0, 1}};

/* A row of a table. */
HANDLER(find) {
  uint8_t word[4];
  uint32_t row = 255;
  for (int i = 0; i < 4; i++)
    word[i] = in[i];
  for (uint32_t i = 0; i < 4; i++)
    if (memcmp(word, names[i], 4) == 0)
      row = i;
  out[0] = (uint8_t)row;
  *len = 1;
}

/* As many as the packet says. */
HANDLER(prefix) {
  uint8_t a[16], b[16];
  for (int i = 0; i < 16; i++)
    a[i] = in[i];
  for (int i = 0; i < 16; i++)
    b[i] = in[16 + i];
  out[0] = memcmp(a, b, a[15] & 15) == 0;
  *len = 1;
}
