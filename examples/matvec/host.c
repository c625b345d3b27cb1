/* Against double precision. */
#include "examples/common/example.h"

enum { ROWS = 48, COLS = 256 };
void matvec(const float *in, float *out, const float *mem, uint32_t *len);

int main(int argc, char **argv) {
  static float in[COLS], out[ROWS], mem[ROWS * COLS];
  for (int k = 0; k < COLS; k++)
    in[k] = example_float();
  for (int i = 0; i < ROWS * COLS; i++)
    mem[i] = example_float();
  uint32_t len = sizeof in;
  matvec(in, out, mem, &len);
  int good = len == sizeof out;
  for (int r = 0; r < ROWS && good; r++) {
    double sum = 0, scale = 0;
    for (int k = 0; k < COLS; k++) {
      sum += (double)mem[r * COLS + k] * in[k];
      scale += fabs((double)mem[r * COLS + k] * in[k]);
    }
    good = example_near(out[r], sum, scale, 1e-6);
  }
  return example_finish(argc, argv, good, in, sizeof in, mem, sizeof mem, out, sizeof out);
}
