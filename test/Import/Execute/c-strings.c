// <string.h> and <ctype.h>: strings that end with a zero, of arrays and of constants.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis 2>&1 | count 0
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "import random; r = random.Random(1); words = (b'GET /', b'POST ', b'alpha', b'be', b'gamut', b'Gamma', b'delta', b'PUT x'); open('%t.in', 'wb').write(b''.join((r.choice(words) + bytes([0, r.randrange(256), r.randrange(9, 127)]) + bytes(8))[:8] for i in range(200)))"
// RUN: %compare --handler verb --packet-bytes 8 --in %t.in %t.acis
// RUN: %compare --handler word --packet-bytes 8 --in %t.in %t.acis
// RUN: %compare --handler found --packet-bytes 8 --in %t.in %t.acis
// RUN: %compare --handler checksum --packet-bytes 8 --in %t.in %t.acis
// RUN: %compare --handler classes --packet-bytes 64 --in %t.in %t.acis
#include <acis.h>
#include <ctype.h>
#include <string.h>
#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const char *restrict in, uint8_t *restrict out,                           \
                         const uint8_t *restrict mem, uint32_t *len)

HANDLER(verb) {
  char text[9];
  for (int i = 0; i < 8; i++)
    text[i] = in[i];
  text[8] = 0;
  uint8_t kind = 0;
  if (!strncmp(text, "GET ", 4))
    kind = 1;
  else if (!strncmp(text, "POST ", 5))
    kind = 2;
  else if (!strncmp(text, "PUT x", 8))
    kind = 3;
  out[0] = kind;
  *len = 1;
}

static const char *const words[4] = {"alpha", "be", "gamma", "delta"};

HANDLER(word) {
  char text[9];
  for (int i = 0; i < 8; i++)
    text[i] = (char)tolower(in[i]);
  text[8] = 0;
  uint8_t hit = 255;
  for (int k = 0; k < 4; k++)
    if (strcmp(text, words[k]) == 0)
      hit = (uint8_t)k;
  out[0] = hit;
  out[1] = (uint8_t)strlen(text);
  out[2] = (uint8_t)strnlen(text, 3);
  out[3] = strcmp(text, "bf") < 0;
  out[4] = strncmp(text, "gamut", 4) > 0;
  *len = 5;
}

HANDLER(found) {
  char text[8];
  for (int i = 0; i < 8; i++)
    text[i] = in[i];
  const char *at = memchr(text, 'a', sizeof text);
  out[0] = at ? (uint8_t)(at - text) : 99;
  *len = 1;
}

HANDLER(classes) {
  for (uint32_t i = 0; i < *len; i++) {
    const int c = (uint8_t)in[i] & 127;
    const uint32_t is = (uint32_t)!!isalpha(c) | !!isdigit(c) << 1 | !!isspace(c) << 2 |
                        !!ispunct(c) << 3 | !!iscntrl(c) << 4 | !!isxdigit(c) << 5 |
                        !!isprint(c) << 6 | !!isblank(c) << 7;
    out[i] = (uint8_t)(is + (uint32_t)toupper(c) * 3 + !!isalnum(c) + !!isgraph(c));
  }
}

// A loop without a count, with one of scalars in it.
HANDLER(checksum) {
  char text[9];
  for (int i = 0; i < 8; i++)
    text[i] = in[i];
  text[8] = 0;
  uint32_t crc = ~0u;
  int i = 0;
  while (text[i] != 0) {
    crc ^= (uint8_t)text[i];
    for (uint8_t bit = 8; bit > 0; bit--)
      crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
    i++;
  }
  for (int k = 0; k < 4; k++)
    out[k] = (uint8_t)(crc >> 8 * k);
  *len = 4;
}
