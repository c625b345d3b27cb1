/* The last layer of a network that several hosts train: its weights are in the switch's memory.
 * Hosts stream what goes into the layer and get what comes out of it, then stream the error terms
 * of that and get those of what went in. When all hosts' are there the weights move against their
 * gradient.
 *
 * Memory, in floats: the weights, a row of COLUMNS for each input; the same transposed; the inputs
 * of a step, a row of ROWS for each sample; their error terms, a row of COLUMNS; the version in
 * which each packet's error terms came; the version of the weights.
 *
 * Packets begin with {kind, version, tag} and answers with the tag, 16 times.
 *   0  {.., first, floats} and the floats: stored in the memory. Without floats: a version begins.
 *   1  {.., slot, 0, rate} and SAMPLES rows of inputs: kept. Answer: their products with the
 * weights, by blocks of 16 columns, in each of which a beat for each sample. 2  {.., slot} and
 * SAMPLES rows of error terms: kept. Answer: their products with the transposed weights, in the
 * same order. 3  {.., first, floats, rate}: the memory from there on. What is kept is the same
 * however often a packet comes. The first packet of kind 1 or 3 that names the next version updates
 * the weights, which have that version then, so that is done once. If not all error terms of the
 * version are there it is answered with 12 times the tag; a packet of any other version with 8
 * times, and nothing is done. After loading, and behind a trap, the version is 0. */
#include <acis.h>

#ifndef ROWS
#define ROWS 64 /* inputs of the layer, a multiple of 16 */
#endif
#ifndef COLUMNS
#define COLUMNS 16 /* outputs, a multiple of 16 */
#endif
#ifndef SAMPLES
#define SAMPLES 16 /* of a packet */
#endif
#ifndef SLOTS
#define SLOTS 4 /* packets of a step, of all hosts */
#endif

#define P ACIS_VPES
#define F 16
#define BATCH (SAMPLES * SLOTS)
#define LATE (1u << 20) /* steps back, from where a packet that comes late begins nothing again */
#define LONGER (ROWS > COLUMNS ? ROWS : COLUMNS)

#define WEIGHTS 0
#define TRANSPOSED (ROWS * COLUMNS)
#define INPUTS (2 * ROWS * COLUMNS)
#define ERRORS (INPUTS + BATCH * ROWS)
#define STAMPS (ERRORS + BATCH * COLUMNS)
#define VERSION (STAMPS + SLOTS)

ACIS_PER_VPE static float w[P][LONGER / P][F];
ACIS_PER_VPE static float gradient[P][LONGER / P][F]; /* zero at load, and zeroed as it is used */
ACIS_PER_VPE static float sum[P][SAMPLES][F];         /* the same */
ACIS_PER_VPE static float x[P][SAMPLES * LONGER / P][F]; /* all lanes the same */
static float error[BATCH][F];

union both {
  uint32_t bits;
  float value;
};

static inline float float_of(uint32_t bits) {
  union both both = {bits};
  return both.value;
}

static inline uint32_t bits_of(float value) {
  union both both;
  both.value = value;
  return both.bits;
}

/* The block of columns from `c` on of a matrix: each VPE has as many rows, the first ones VPE 0. */
static inline void load(uint32_t matrix, uint32_t rows, uint32_t columns, uint32_t c,
                        const float *restrict mem) {
  for (uint32_t p = 0; p < P; p++)
    for (uint32_t r = 0; r < rows / P; r++)
      for (uint32_t f = 0; f < F; f++)
        w[p][r][f] = mem[matrix + (p * (rows / P) + r) * columns + c + f];
}

/* SAMPLES rows from `from` on times a matrix, sent from `o` on; gives where they end. */
static inline uint32_t product(uint32_t from, uint32_t matrix, uint32_t rows, uint32_t columns,
                               uint32_t o, float *restrict out, const float *restrict mem) {
  const uint32_t own = rows / P;
  for (uint32_t s = 0; s < SAMPLES; s++)
    for (uint32_t r = 0; r < own; r++)
      for (uint32_t p = 0; p < P; p++) {
        float v = mem[from + s * rows + p * own + r];
        for (uint32_t f = 0; f < F; f++)
          x[p][s * own + r][f] = v;
      }
  for (uint32_t c = 0; c < columns; c += F) {
    load(matrix, rows, columns, c, mem);
    for (uint32_t r = 0; r < own; r++)
      for (uint32_t s = 0; s < SAMPLES; s++)
        for (uint32_t p = 0; p < P; p++)
          for (uint32_t f = 0; f < F; f++)
            sum[p][s][f] += x[p][s * own + r][f] * w[p][r][f];
    for (uint32_t s = 0; s < SAMPLES; s++)
      for (uint32_t f = 0; f < F; f++) {
        float all = sum[0][s][f];
        sum[0][s][f] = 0;
        for (uint32_t p = 1; p < P; p++) {
          all += sum[p][s][f];
          sum[p][s][f] = 0;
        }
        out[o + s * F + f] = all;
      }
    o += SAMPLES * F;
  }
  return o;
}

/* A matrix less `rate` times the sum over samples of the products of a row of `left` and one of
 * `right`. */
static inline void descend(uint32_t matrix, uint32_t rows, uint32_t columns, uint32_t left,
                           uint32_t right, float rate, float *restrict mem) {
  const uint32_t own = rows / P;
  for (uint32_t c = 0; c < columns; c += F) {
    load(matrix, rows, columns, c, mem);
    for (uint32_t b = 0; b < BATCH; b++)
      for (uint32_t f = 0; f < F; f++)
        error[b][f] = mem[right + b * columns + c + f];
    for (uint32_t b = 0; b < BATCH; b++)
      for (uint32_t r = 0; r < own; r++)
        for (uint32_t p = 0; p < P; p++) {
          float v = mem[left + b * rows + p * own + r];
          for (uint32_t f = 0; f < F; f++)
            gradient[p][r][f] += v * error[b][f];
        }
    for (uint32_t r = 0; r < own; r++)
      for (uint32_t p = 0; p < P; p++)
        for (uint32_t f = 0; f < F; f++) {
          mem[matrix + (p * own + r) * columns + c + f] = w[p][r][f] - rate * gradient[p][r][f];
          gradient[p][r][f] = 0;
        }
  }
}

ACIS_HANDLER void acis_layer(const uint32_t *restrict in, float *restrict out, float *restrict mem,
                             uint32_t *len) {
  uint32_t kind = in[0], named = in[1], tag = in[2], first = in[3], floats = in[4], rate = in[5];
  uint32_t version = bits_of(mem[VERSION]), words = 16;
  if (kind == 0 && floats == 0 && (version == 0 || version - named > LATE)) {
    version = named;
    mem[VERSION] = float_of(named);
  }
  if (named != version) {
    uint32_t there = 0, next = (kind == 1 || kind == 3) && version != 0 && named == version + 1;
    for (uint32_t i = 0; i < SLOTS; i++)
      there += bits_of(mem[STAMPS + i]) == version;
    words = next ? there == SLOTS ? 16 : 12 : 8;
    if (words == 16) {
      descend(WEIGHTS, ROWS, COLUMNS, INPUTS, ERRORS, float_of(rate), mem);
      descend(TRANSPOSED, COLUMNS, ROWS, ERRORS, INPUTS, float_of(rate), mem);
      mem[VERSION] = float_of(named);
    }
  }
  for (uint32_t i = 0; i < words; i++)
    out[i] = float_of(tag);
  uint32_t o = words;
  if (words == 16 && kind == 0)
    for (uint32_t i = 0; i < floats; i++)
      mem[first + i] = float_of(in[16 + i]);
  if (words == 16 && kind == 1) {
    uint32_t from = INPUTS + first * SAMPLES * ROWS;
    for (uint32_t i = 0; i < SAMPLES * ROWS; i++)
      mem[from + i] = float_of(in[16 + i]);
    o = product(from, WEIGHTS, ROWS, COLUMNS, o, out, mem);
  }
  if (words == 16 && kind == 2) {
    uint32_t from = ERRORS + first * SAMPLES * COLUMNS;
    for (uint32_t i = 0; i < SAMPLES * COLUMNS; i++)
      mem[from + i] = float_of(in[16 + i]);
    o = product(from, TRANSPOSED, COLUMNS, ROWS, o, out, mem);
    mem[STAMPS + first] = float_of(version);
  }
  if (words == 16 && kind == 3) {
    for (uint32_t i = 0; i < floats; i++)
      out[o + i] = mem[first + i];
    o += floats;
  }
  *len = o * 4;
}
