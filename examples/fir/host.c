/* 2,000 samples, against a double-precision convolution. */
#include "examples/common/example.h"

enum { N = 2000, TAPS = 8 };
void fir(const float *in, float *out, const float *mem, uint32_t *len);

int main(int argc, char **argv) {
  static float in[N], out[N], mem[TAPS];
  for (int i = 0; i < N; i++)
    in[i] = example_float();
  for (int k = 0; k < TAPS; k++)
    mem[k] = example_float();
  uint32_t len = sizeof in;
  fir(in, out, mem, &len);
  int good = len == sizeof in;
  for (int i = 0; i < N && good; i++) {
    double sum = 0, scale = 0;
    for (int k = 0; k < TAPS && k <= i; k++) {
      sum += (double)mem[k] * in[i - k];
      scale += fabs((double)mem[k] * in[i - k]);
    }
    good = example_near(out[i], sum, scale, 1e-6);
  }
  return example_finish(argc, argv, good, in, sizeof in, mem, sizeof mem, out, sizeof out);
}
