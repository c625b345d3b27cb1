/* 1,500 words; wrapping is left out, because C leaves it undefined. */
#include "examples/common/example.h"

enum { N = 1500 };
void add_constant(const int32_t *in, int32_t *out, const int32_t *mem, uint32_t *len);

int main(int argc, char **argv) {
  static int32_t in[N], out[N];
  for (int i = 0; i < N; i++)
    in[i] = (int32_t)example_random() / 2;
  uint32_t len = sizeof in;
  add_constant(in, out, NULL, &len);
  int good = len == sizeof in;
  for (int i = 0; i < N; i++)
    good &= (int64_t)out[i] == (int64_t)in[i] + 42;
  if (!good)
    fprintf(stderr, "error: the sum is wrong\n");
  return example_finish(argc, argv, good, in, sizeof in, NULL, 0, out, sizeof out);
}
