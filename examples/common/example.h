/* What the host programs of the examples share: data from a fixed seed, files, and
 * the comparison with a double-precision result.
 *
 * usage of each program: example-NAME [folder]
 * runs the handler, as the host's C compiler made it, against a plain computation, and
 * writes the folder's in.bin, mem.bin and expected.bin for a run on the overlay. */
#ifndef ACIS_EXAMPLE_H
#define ACIS_EXAMPLE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t example_state = 1;

/* xorshift64*, the same on every host */
static inline uint32_t example_random(void) {
  example_state ^= example_state >> 12;
  example_state ^= example_state << 25;
  example_state ^= example_state >> 27;
  return (uint32_t)((example_state * 0x2545f4914f6cdd1dull) >> 32);
}
/* -1 to 1 */
static inline float example_float(void) { return (float)(int32_t)example_random() / 2147483648.0f; }

/* |a - b| <= tolerance * scale, where scale is the sum of the magnitudes added up */
static inline int example_near(double got, double want, double scale, double tolerance) {
  if (fabs(got - want) <= tolerance * scale)
    return 1;
  fprintf(stderr, "error: got %.9g, the double-precision result is %.9g\n", got, want);
  return 0;
}

static inline int example_write(const char *folder, const char *name, const void *data,
                                size_t bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  int ok = file && fwrite(data, 1, bytes, file) == bytes;
  if (file)
    ok = (fclose(file) == 0) && ok;
  if (!ok)
    fprintf(stderr, "error: %s: cannot be written\n", path);
  return ok;
}

/* The end of each main: writes the files, says what was checked. */
static inline int example_finish(int argc, char **argv, int good, const void *in, size_t inBytes,
                                 const void *mem, size_t memBytes, const void *out,
                                 size_t outBytes) {
  if (argc > 2) {
    fprintf(stderr, "usage: %s [folder]\n", argv[0]);
    return 1;
  }
  if (!good)
    return 1;
  if (argc == 2 && !(example_write(argv[1], "in.bin", in, inBytes) &&
                     example_write(argv[1], "mem.bin", mem, memBytes) &&
                     example_write(argv[1], "expected.bin", out, outBytes)))
    return 1;
  printf("host result is right: %zu bytes in, %zu bytes out\n", inBytes, outBytes);
  return 0;
}

#endif
