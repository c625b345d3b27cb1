/* 1,003 words around the threshold, among them the threshold itself. */
#include "examples/common/example.h"

enum { N = 1003 };
void filter(const int32_t *in, int32_t *out, const int32_t *mem, uint32_t *len);

int main(int argc, char **argv) {
  static int32_t in[N], out[N];
  int32_t mem[16] = {-3};
  for (int i = 0; i < N; i++)
    in[i] = (int32_t)(example_random() % 17) - 8;
  uint32_t len = sizeof in;
  filter(in, out, mem, &len);
  int good = len == sizeof in, kept = 0;
  for (int i = 0; i < N; i++) {
    good &= out[i] == (in[i] > -3 ? in[i] : 0);
    kept += in[i] > -3;
  }
  good &= kept > 0 && kept < N;
  if (!good)
    fprintf(stderr, "error: the filter is wrong\n");
  return example_finish(argc, argv, good, in, sizeof in, mem, sizeof mem, out, sizeof out);
}
