/* 3,000 products, against a double-precision sum. */
#include "examples/common/example.h"

enum { N = 3000 };
void dot_product(const float *in, float *out, const float *mem, uint32_t *len);

int main(int argc, char **argv) {
  static float in[N], mem[N], out[1];
  double sum = 0, scale = 0;
  for (int i = 0; i < N; i++) {
    in[i] = example_float();
    mem[i] = example_float();
    sum += (double)in[i] * mem[i];
    scale += fabs((double)in[i] * mem[i]);
  }
  uint32_t len = sizeof in;
  dot_product(in, out, mem, &len);
  int good = len == 4 && example_near(out[0], sum, scale, 1e-6);
  return example_finish(argc, argv, good, in, sizeof in, mem, sizeof mem, out, sizeof out);
}
