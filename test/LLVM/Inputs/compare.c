// Runs both copies of each handler on the same data; the exit code tells of a difference.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef void Handler(const int32_t *, int32_t *, const int32_t *, uint32_t *);
#define BOTH(name) Handler reference_##name, tested_##name;
BOTH(filter)
BOTH(window)
BOTH(fill)
#define ROW(name) {#name, reference_##name, tested_##name},
static const struct { const char *name; Handler *reference, *tested; } all[] = {
    ROW(filter) ROW(window) ROW(fill)};

enum { N = 400 };
int main(void) {
  static int32_t in[N], mem[N], a[N], b[N];
  uint32_t seed = 1, wrong = 0, nonzero = 0;
  for (int round = 0; round < 50; round++)
    for (unsigned h = 0; h < sizeof all / sizeof *all; h++) {
      for (int i = 0; i < N; i++) {
        seed = seed * 1664525 + 1013904223;
        in[i] = (int32_t)(seed >> 20) - 2048;
        mem[i] = (int32_t)(seed >> 12 & 1023) - 200;
      }
      uint32_t la = (round * 32) % (4 * N), lb = la;
      memset(a, 0, sizeof a);
      memset(b, 0, sizeof b);
      all[h].reference(in, a, mem, &la);
      all[h].tested(in, b, mem, &lb);
      for (int i = 0; i < N; i++)
        nonzero += a[i] != 0;
      if (la != lb || memcmp(a, b, sizeof a)) {
        printf("%s differs in round %d\n", all[h].name, round);
        wrong++;
      }
    }
  printf("%u values, %u rounds differ\n", nonzero, wrong);
  return wrong != 0 || nonzero < 1000;
}
