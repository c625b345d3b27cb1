/* How the memory of a handler is filled by its packets, which else would have to come with it, and
 * how a host knows an answer for what it is, also where a network doubles datagrams.
 *
 * All packets begin with {kind, version, tag}. A tag that is not 0 is what an answer begins with,
 * 16 times. Packets of kind 0, {0, version, tag, first float, floats} and the floats behind 16
 * words, are stored; the tag is the answer. One without floats comes before and begins a version,
 * which all others, those that sum too, have to name. It is 0 after loading, also behind a trap,
 * with which the memory is as it was loaded. A packet of another version does nothing and is
 * answered with 8 times its tag: its dense rows are not there. */
#ifndef ACIS_GCN_STORE_H
#define ACIS_GCN_STORE_H

#include <acis.h>

static uint32_t version;

static inline float float_of(uint32_t bits) {
  union {
    uint32_t bits;
    float value;
  } both = {bits};
  return both.value;
}

/* What is to be done with a packet that does not sum, or is of another version; gives *len. The
 * first three words of the packet have been read. */
static inline uint32_t store(uint32_t kind, uint32_t named, uint32_t tag,
                             const uint32_t *restrict in, float *restrict out,
                             float *restrict mem) {
  uint32_t base = in[3], floats = in[4];
  if (kind == 0 && floats == 0)
    version = named;
  uint32_t fits = kind == 0 && named == version, words = fits ? 16 : 8;
  for (uint32_t f = 0; f < words; f++)
    out[f] = float_of(tag);
  if (fits)
    for (uint32_t i = 0; i < floats; i++)
      mem[base + i] = float_of(in[16 + i]);
  return words * 4;
}

#endif
