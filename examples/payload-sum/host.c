/* A length that is no multiple of a beat, against a 64-bit sum. */
#include "examples/common/example.h"

enum { N = 4001 };
void payload_sum(const uint32_t *in, uint32_t *out, const uint32_t *mem, uint32_t *len);

int main(int argc, char **argv) {
  static uint32_t in[N], out[1];
  uint64_t sum = 0;
  for (int i = 0; i < N; i++)
    sum += in[i] = example_random();
  uint32_t len = sizeof in;
  payload_sum(in, out, NULL, &len);
  int good = len == sizeof out && out[0] == (uint32_t)sum;
  if (!good)
    fprintf(stderr, "error: the sum is wrong\n");
  return example_finish(argc, argv, good, in, sizeof in, NULL, 0, out, sizeof out);
}
