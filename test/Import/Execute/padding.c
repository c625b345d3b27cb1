// Records with padding that are sent: written member by member, copied from a local one, appended one
// by one, in front of a payload. Native code leaves the padding as it is; the buffer that it writes to is 0.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 512 %t.word > %t.in
// RUN: %compare --handler members --packet-bytes 16 --in %t.in %t.acis
// RUN: %compare --handler copied --packet-bytes 16 --in %t.in %t.acis
// RUN: %compare --handler nested --packet-bytes 16 --in %t.in %t.acis
// RUN: %compare --handler appended --packet-bytes 16 --in %t.in %t.acis
// RUN: %compare --handler appended --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler prefixed --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler listed --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler short_length --packet-bytes 16 --in %t.in %t.acis
#include <acis.h>
#include <string.h>

struct report {
  uint32_t sum;
  uint16_t port;
  uint8_t flags; // a byte of padding behind it
};
struct event {
  uint8_t kind; // three bytes behind it
  struct report of;
  uint8_t mac[6]; // two bytes behind them
};

static void fill(struct report *to, const uint8_t *in) {
  to->sum = in[0] + in[1];
  to->port = in[2];
  to->flags = in[3];
}

ACIS_HANDLER void members(const uint8_t *restrict in, struct report *restrict out, void *restrict mem,
                          uint32_t *len) {
  fill(out, in);
  *len = sizeof *out;
}

ACIS_HANDLER void copied(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem, uint32_t *len) {
  struct report r;
  fill(&r, in);
  memcpy(out, &r, sizeof r);
  *len = sizeof r;
}

ACIS_HANDLER void nested(const uint8_t *restrict in, struct event *restrict out, void *restrict mem,
                         uint32_t *len) {
  out->kind = in[0];
  struct report r;
  fill(&r, in + 1);
  out->of = r;
  memcpy(out->mac, in + 8, 6);
  *len = sizeof *out;
}

ACIS_HANDLER void appended(const uint8_t *restrict in, struct report *restrict out, void *restrict mem,
                           uint32_t *len) {
  struct report *to = out;
  if (in[0] & 1)
    fill(to++, in + 1);
  if (*len > 32)
    fill(to++, in + 8);
  *len = (uint32_t)((uint8_t *)to - (uint8_t *)out);
}

ACIS_HANDLER void prefixed(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem, uint32_t *len) {
  struct event e;
  uint32_t n = *len;
  e.kind = 7;
  fill(&e.of, in);
  memcpy(e.mac, in + 4, sizeof e.mac);
  memcpy(out, &e, sizeof e);
  for (uint32_t i = 10; i < n; i++)
    out[sizeof e + i - 10] = in[i];
  *len = sizeof e + n - 10;
}

ACIS_HANDLER void listed(const uint8_t *restrict in, struct report *restrict out, void *restrict mem,
                         uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    fill(&out[i], in + 4 * i);
  *len = n * sizeof *out;
}

// What is behind the length is not sent.
ACIS_HANDLER void short_length(const uint8_t *restrict in, struct report *restrict out, void *restrict mem,
                               uint32_t *len) {
  fill(out, in);
  *len = 7;
}
