/* Three packets of 1,024 bytes; the third answer is the sum of all. */
#include "examples/common/example.h"

enum { N = 1024, PACKETS = 3 };
void quantise(const int8_t *in, int32_t *out, const int32_t *mem, uint32_t *len);

int main(int argc, char **argv) {
  static int8_t in[PACKETS][N];
  static int32_t out[PACKETS][N];
  int good = 1;
  for (int p = 0; p < PACKETS; p++) {
    for (int i = 0; i < N; i++)
      in[p][i] = (int8_t)(example_random() >> 24);
    uint32_t len = N;
    quantise(in[p], out[p], NULL, &len);
    good &= len == 4 * N;
    for (int i = 0; i < N; i++) {
      int sum = 0;
      for (int q = 0; q <= p; q++)
        sum += in[q][i];
      good &= out[p][i] == sum;
    }
  }
  if (!good)
    fprintf(stderr, "error: an accumulator is wrong\n");
  return example_finish(argc, argv, good, in, sizeof in, NULL, 0, out, sizeof out);
}
